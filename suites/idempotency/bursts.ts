import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { keyedPlan } from "../../client/creations.ts";
import { sendBody } from "../../client/resources.ts";
import { SIMULTANEOUS } from "../../client/target.ts";
import { defaultVersion } from "../../client/version-choice.ts";
import { uniqueFields } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import { allowsNull } from "../../spec/schema.ts";
import { halfOfFields } from "../shared/update-fields.ts";

/** Returns a body for two creates: optional unique fields are null or absent. */
export async function repeatableBody(call: Call): Promise<JsonObject> {
  const { target, operation } = call;
  const { schemas } = target.spec;
  const required = schemas.required(operation.body);
  const unique = uniqueFields(target.spec, operation).filter((name) => !required.includes(name));
  const body = await call.body();
  const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    if (!unique.includes(name)) return [[name, value]];
    return allowsNull(schemas.field(operation.body, name)) ? [[name, null]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns another version for each round. */
export function burstVersion(call: Call, round: number): string | null {
  const { target, operation } = call;
  const { seed, serviceVersion } = target.settings;
  const versions = serviceVersion === "all" ? call.versions : [defaultVersion(target, operation)];
  return versions[(seed + round) % versions.length] ?? null;
}

const CONCURRENT_CREATES = 5;

/** Sends five equal creates with one key at the same time, once for all probes. */
export function burst(call: Call, round: number) {
  const { target, operation } = call;
  return target.memoize(`burst ${operation.id} ${round}`, async () => {
    if (target.settings.concurrency < 2)
      throw new NotTested("budget", "with --concurrency 1 nothing is simultaneous", [], {
        raise: "--concurrency",
      });
    const body = await repeatableBody(call);
    const sent = halfOfFields(target.spec, operation, body, target.settings.seed + round);
    // Rejections in a race would hide that keys are confused, so only the first burst uses similar ones.
    const family = round === 0 ? "" : `burst ${round}`;
    const plan = await keyedPlan(call.under(burstVersion(call, round)), sent, "unlike", family);
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CREATES }, () => sendBody(target, plan, SIMULTANEOUS)),
    );
    return { plan, sent, answers };
  });
}
