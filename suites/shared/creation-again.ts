import type { Call } from "../../client/call.ts";
import { type Creation, create, keyedPlan, minimalBody } from "../../client/creations.ts";
import { mustStillAccept, sendBody } from "../../client/resources.ts";
import { type Answer, isRejected, type Target } from "../../client/target.ts";
import { type RequestPlan, withHeaders } from "../../generators/request.ts";
import { uniqueFields } from "../../spec/identity.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { pick } from "../updates/updating.ts";
import { freeTextFields } from "./echo.ts";

interface Again {
  lenient: Answer;
  /** The first accepted create, or the last one if all were rejected. */
  creation: Creation;
}

/**
 * Repeats the minimal create under a new idempotency key, with unusual headers (`bearer` in lower case) to
 * save a create.
 */
export function minimalAgain(call: Call): Promise<Again> {
  const { target, operation, version } = call;
  return target.memoize(`again ${operation.id} ${version ?? "none"}`, async () => {
    const withCharset = async (sent: JsonObject) => {
      const keyed = await keyedPlan(target, operation, version, sent, "unlike");
      return withHeaders(keyed, { "content-type": "application/json; charset=utf-8" });
    };
    // Uses a new key, because a service may repeat its rejection of the old key.
    const spelled = async (sent: JsonObject): Promise<Creation> => {
      const plan = await withCharset(sent);
      const answer = await sendBody(target, plan, "probe");
      return isRejected(answer)
        ? create(target, operation, version, sent, { role: "probe" })
        : { operation, version, variation: "unlike", sent, plan, answer };
    };
    const sent = await minimalBody(target, operation);
    const plan = await withCharset(sent);
    const lenient = await sendBody(target, inLowerCase(target, plan), "probe");
    const first = isRejected(lenient)
      ? await spelled(sent)
      : { operation, version, variation: "unlike" as const, sent, plan, answer: lenient };
    if (!isRejected(first.answer)) return { lenient, creation: first };
    // The service may require unique values, so the next creates have other values.
    const other = await call.body("minimal");
    const sameTexts = { ...other, ...pick(sent, plainTexts(target, operation)) };
    const named = sameJson(sameTexts, sent) ? first : await spelled(sameTexts);
    if (!isRejected(named.answer)) return { lenient, creation: named };
    const fresh = await spelled(other);
    if (isRejected(fresh.answer)) await mustStillAccept(target, operation);
    return { lenient, creation: fresh };
  });
}

export function plainTexts({ spec }: Pick<Target, "spec">, operation: Operation): Set<string> {
  const { body = {} } = operation;
  const unique = uniqueFields(spec, operation);
  const required = spec.schemas.flatten(body).required ?? [];
  const texts = freeTextFields(spec, body).map(([name]) => name);
  return new Set(texts.filter((name) => required.includes(name) && !unique.includes(name)));
}

export function inLowerCase({ settings }: Target, plan: RequestPlan): RequestPlan {
  const lower = withHeaders(plan, { authorization: `bearer ${settings.token}` });
  return { ...lower, authorizationLabel: "bearer, in lower case" };
}
