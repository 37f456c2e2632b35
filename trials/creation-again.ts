/** The plain creating call once more, with another key: repeated values, and other spellings. */

import type { Call } from "../client/call.ts";
import { type Creation, create, keyedPlan, minimalBody } from "../client/creations.ts";
import { mustStillAccept, sendBody } from "../client/subjects.ts";
import { uniqueFields } from "../client/supply.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../client/target.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";
import { type JsonObject, sameJson } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { freeTextFields } from "./echo.ts";
import { pick } from "./updating.ts";

/** A second call with required fields alone. */
export interface Again {
  /** Its answer with a charset and a lower-case authorization scheme; then without the latter. */
  lenient: Answer;
  withCharset: Answer;
  /** The accepted one of these calls; if there is none, a call like the first. */
  creation: Creation;
  /** The rejected call, if it differs only in its texts from one that was accepted. */
  refused?: Answer;
}

/**
 * The plain minimal call under a version once more, with another key. It uses a spelling that a service need not
 * accept, so that this needs no resource of its own.
 */
export function minimalAgain(call: Call): Promise<Again> {
  const { target, operation, version } = call;
  return target.once(`again ${operation.id} ${version ?? "none"}`, async () => {
    const withOther = async (sent: JsonObject) => {
      const keyed = await keyedPlan(target, operation, version, sent, "unlike");
      return withHeaders(keyed, { "content-type": "application/json; charset=utf-8" });
    };
    const sent = await minimalBody(target, operation);
    const plan = await withOther(sent);
    const made = { operation, version, variation: "unlike" as const };
    const lenient = await sendBody(target, inLowerCase(target, plan), "probe");
    // A key that was rejected once may be rejected again.
    const withCharset = isRejected(lenient)
      ? await sendBody(target, await withOther(sent), "probe")
      : lenient;
    if (!isRejected(withCharset))
      return { lenient, withCharset, creation: { ...made, sent, plan, answer: withCharset } };
    const equal = await create(target, operation, version, sent, { role: "probe" });
    if (!isRejected(equal.answer)) return { lenient, withCharset, creation: equal };
    // A value that it shares with the first call, such as an address, may be accepted only once; texts may be
    // repeated.
    const other = async (body: JsonObject) => {
      const spelled = await withOther(body);
      const answer = await sendBody(target, spelled, "probe");
      const creation = isRejected(answer)
        ? await create(target, operation, version, body, { role: "probe" })
        : { ...made, sent: body, plan: spelled, answer };
      return { lenient, withCharset: answer, creation };
    };
    const anew = await call.body("minimal");
    const texts = plainTexts(target, operation);
    const sameTexts = { ...anew, ...pick(sent, texts) };
    const named = sameJson(sameTexts, sent) ? undefined : await other(sameTexts);
    if (named && !isRejected(named.creation.answer)) return named;
    const fresh = await other(anew);
    if (isRejected(fresh.creation.answer)) await mustStillAccept(target, operation);
    const refused = (named?.creation ?? equal).answer;
    return isAccepted(fresh.creation.answer) && texts.size > 0 ? { ...fresh, refused } : fresh;
  });
}

/** Fields of free text that need not be unique: another resource may have the same. */
export function plainTexts({ spec }: Pick<Target, "spec">, { body = {} }: Operation): Set<string> {
  const unique = uniqueFields(spec, body);
  const required = spec.schemas.flatten(body).required ?? [];
  const texts = freeTextFields(spec, body).map(([name]) => name);
  return new Set(texts.filter((name) => required.includes(name) && !unique.includes(name)));
}

/** A request with its authentication scheme in lower case. */
export function inLowerCase({ settings }: Target, plan: RequestPlan): RequestPlan {
  const lower = withHeaders(plan, { authorization: `bearer ${settings.token}` });
  return { ...lower, authorizationLabel: "bearer, in lower case" };
}
