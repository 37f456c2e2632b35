import type { Call } from "../../client/call.ts";
import { type Creation, idOf, keyedPlan, minimalBody } from "../../client/creations.ts";
import { activeField } from "../../client/quotas.ts";
import { updateOf } from "../../client/relations.ts";
import { mustStillAccept, sendBody } from "../../client/resources.ts";
import { isAccepted, isRejected, type Target } from "../../client/target.ts";
import { type RequestPlan, withHeaders } from "../../generators/request.ts";
import { uniqueFields } from "../../spec/identity.ts";
import { type JsonObject, pick, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { freeTextFields } from "./echo.ts";
import { requiredAnd } from "./update-fields.ts";
import { sendUpdate } from "./update-requests.ts";

/** Repeats the minimal create under a new key with unusual headers: one create serves two kinds of rules. */
export function minimalAgain(call: Call) {
  const { target, operation, version } = call;
  return target.memoize(`again ${operation.id} ${version ?? "none"}`, async () => {
    if (call.isDefaultVersion) await activateFirst(call);
    const sent = await equalOrAlike(call);
    const plan = await planWithCharset(call, sent);
    const lowerCaseAnswer = await sendBody(target, inLowerCase(target, plan), "probe");
    const creation = isRejected(lowerCaseAnswer)
      ? await createdAgain(call, sent)
      : { variation: "unlike" as const, sent, plan, answer: lowerCaseAnswer };
    return { lowerCaseAnswer, creation };
  });
}

/**
 * Returns the minimal body, or one with its texts only. At depth full, other versions keep only the texts: a
 * faulty service may confuse accounts of one name. One version takes texts that a resource has given up.
 */
async function equalOrAlike(call: Call): Promise<JsonObject> {
  const { target, operation } = call;
  const equal = await minimalBody(target, operation);
  if (!call.sendsAll || call.isDefaultVersion) return equal;
  const ofGivenUp = call.allowed.findLast((version) => !call.under(version).isDefaultVersion);
  const texts = (call.version === ofGivenUp ? await givenUpTexts(call) : undefined) ?? equal;
  return withTextsOf(call, await call.body("minimal", 1), texts);
}

/** Gives a resource other texts, and returns the earlier ones. A faulty service may still know it by them. */
async function givenUpTexts(call: Call): Promise<JsonObject | undefined> {
  const full = await call.plain("full");
  const texts = pick(await call.body("minimal"), plainTexts(call.target, call.operation));
  return (await tryUpdate(call, full, texts)) ? full.sent : undefined;
}

function withTextsOf({ target, operation }: Call, body: JsonObject, other: JsonObject): JsonObject {
  return { ...body, ...pick(other, plainTexts(target, operation)) };
}

/** Activates the first resource, and pauses it for odd seeds: only active or paused ones may be reused. */
async function activateFirst(call: Call): Promise<void> {
  const active = activeField(call.target, call.operation);
  if (active === undefined) return;
  const first = await call.plain("minimal");
  for (const isActive of call.target.settings.seed % 2 === 0 ? [true] : [true, false])
    await tryUpdate(call, first, { [active]: isActive });
}

/** Updates the resource with the change and the required fields. Returns true if the update is accepted. */
async function tryUpdate(call: Call, made: Creation, change: JsonObject): Promise<boolean> {
  const { target, operation } = call;
  const update = updateOf(target.spec, operation);
  const id = idOf(target, made);
  if (!update || id === undefined) return false;
  const body = requiredAnd(target.spec, update, { ...made.sent, ...change }, Object.keys(change));
  return isAccepted(await sendUpdate(call.to(update), id, body));
}

/** Tries the same values, the same texts, then new values, because a service may demand unique ones. */
async function createdAgain(call: Call, sent: JsonObject): Promise<Creation> {
  const { target, operation } = call;
  const same = await sendWithCharset(call, sent);
  if (!isRejected(same.answer)) return same;
  const other = await call.body("minimal");
  const sameTexts = withTextsOf(call, other, sent);
  if (!sameJson(sameTexts, sent)) {
    const named = await sendWithCharset(call, sameTexts);
    if (!isRejected(named.answer)) return named;
  }
  const fresh = await sendWithCharset(call, other);
  if (isRejected(fresh.answer)) await mustStillAccept(target, operation);
  return fresh;
}

/** Sends the create with a charset in its Content-Type, else without one, and returns the last create. */
async function sendWithCharset(call: Call, sent: JsonObject): Promise<Creation> {
  // A service may repeat its rejection under the old key.
  const plan = await planWithCharset(call, sent);
  const answer = await sendBody(call.target, plan, "probe");
  return isRejected(answer)
    ? call.create(sent, { role: "probe" })
    : { variation: "unlike", sent, plan, answer };
}

async function planWithCharset(call: Call, sent: JsonObject): Promise<RequestPlan> {
  // Similar keys belong to creates without unusual headers, because those may cause a rejection.
  const keyed = await keyedPlan(call, sent, "unlike", "charset");
  return withHeaders(keyed, { "content-type": "application/json; charset=utf-8" });
}

/** Returns the required fields that take any text and need not be unique. */
export function plainTexts({ spec }: Pick<Target, "spec">, operation: Operation): Set<string> {
  const { body = {} } = operation;
  const unique = uniqueFields(spec, operation);
  const required = spec.schemas.required(body);
  const texts = freeTextFields(spec, body).map(([name]) => name);
  return new Set(texts.filter((name) => required.includes(name) && !unique.includes(name)));
}

/** Sends the scheme of the token as `bearer`. */
export function inLowerCase({ settings }: Target, plan: RequestPlan): RequestPlan {
  const lower = withHeaders(plan, { authorization: `bearer ${settings.token}` });
  return { ...lower, authorizationLabel: "bearer, in lower case" };
}
