/** The plain creating call once more, under another key: what may be repeated, and in which spellings. */

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
  /** Its answer where its content type names a charset and its authorization is in lower case; then without the latter. */
  lenient: Answer;
  withCharset: Answer;
  /** The call of them that was accepted; where none was, one like the first. */
  creation: Creation;
  /** The call that was rejected though nothing but its texts tells it from the one that was accepted then. */
  refused?: Answer;
}

/**
 * The plain call with required fields alone under a version, once more under another key; in a spelling that a service
 * need not take, so that no resource is made for that alone.
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
    const made = { operation, version, twist: "unlike" as const };
    const lenient = await sendBody(target, inLowerCase(target, plan), "probe");
    const withCharset = isRejected(lenient) ? await sendBody(target, plan, "probe") : lenient;
    if (!isRejected(withCharset))
      return { lenient, withCharset, creation: { ...made, sent, plan, answer: withCharset } };
    const equal = await create(target, operation, version, sent, { role: "probe" });
    if (!isRejected(equal.answer)) return { lenient, withCharset, creation: equal };
    // What it shares with the first call, an address perhaps, may be good for one resource only: its texts are not.
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

/** Fields of free text that need not be unique: what one resource has another one may have too. */
export function plainTexts({ spec }: Pick<Target, "spec">, { body = {} }: Operation): Set<string> {
  const unique = uniqueFields(spec, body);
  const required = spec.schemas.flatten(body).required ?? [];
  const texts = freeTextFields(spec, body).map(([name]) => name);
  return new Set(texts.filter((name) => required.includes(name) && !unique.includes(name)));
}

/** A request with the name of its authentication scheme in lower case. */
export function inLowerCase({ settings }: Target, plan: RequestPlan): RequestPlan {
  const lower = withHeaders(plan, { authorization: `bearer ${settings.token}` });
  return { ...lower, authorizationLabel: "bearer, in lower case" };
}
