import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";

const OWN_WORDS =
  "payments-conformance authorization content-type application/json idempotency-key service-version user-agent accept-encoding";

/** Returns all texts that are no secrets even if a secret is equal: names, paths and settings. */
export function publicText(spec: Spec, settings: Settings): string {
  const { baseUrl, space, secondSpace, fixtures, callbackUrl } = settings;
  const operations = spec.operations.map(({ key, summary, parameters, body, resource }) => [
    key,
    summary,
    parameters.map(({ name }) => name),
    [body, resource].map((schema) => schema && spec.schemas.fieldNames(schema)),
  ]);
  const options = [...spec.schemas.all()].flatMap((schema) => schema.enum ?? []);
  const statements = [...spec.requirements.values()].map(({ id, statement }) => [id, statement]);
  return JSON.stringify([
    OWN_WORDS,
    baseUrl,
    space,
    secondSpace,
    fixtures,
    callbackUrl,
    spec.title,
    spec.versions,
    operations,
    options,
    statements,
  ]);
}
