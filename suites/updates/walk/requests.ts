import type { Call } from "../../../client/call.ts";
import { unlessNotTested } from "../../../client/check.ts";
import { eventually } from "../../../client/eventually.ts";
import { resourceIdFor } from "../../../client/resources.ts";
import { isAccepted } from "../../../client/target.ts";
import { sendsAll } from "../../../client/version-choice.ts";
import { type RequestPlan, withBody } from "../../../generators/request.ts";
import { kindOfUpdate } from "../../../history/resource-kinds.ts";
import { sameFieldValue } from "../../../history/values/differences.ts";
import { type JsonObject, omit, pick } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { rotated } from "../../../spec/ordered.ts";
import { requiredAnd, type UpdatedFields, untakenFields } from "../../shared/update-fields.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { altered, otherBody } from "../bodies.ts";
import { readerOf, readSettled } from "../read-back.ts";
import type { RejectedUpdate } from "../rejected-between-reads.ts";
import { lastShownIn } from "../shown-values.ts";
import {
  behindItem,
  type ChangeOfBody,
  creationAgain,
  otherViews,
  underAllFilters,
} from "./other-requests.ts";
import type { RoundRobin } from "./round-robin.ts";
import { onOtherVersion } from "./unrelated.ts";

/** The resource, and its values as they were last read. */
export interface KnownResource {
  readonly call: Call;
  readonly id: string;
  readonly shown: JsonObject;
}

/** `sent` must show next, and `touched` may have changed. */
export interface Effect {
  sent?: JsonObject;
  touched?: string[];
}

/**
 * Returns the effect of an accepted update with this body. Null may have any effect unless the answer shows it, and fields
 * that are not sent may return to their defaults.
 */
export function effectOf(
  { target: { spec }, operation }: Call,
  body: JsonObject,
  answered: JsonObject = {},
): Effect {
  const taken = spec.schemas.fieldNames(operation.body);
  const mayReset = (name: string) =>
    operation.method === "PUT" || spec.schemas.field(operation.body, name).default !== undefined;
  const touched = taken.filter((name) => name in body || mayReset(name));
  const isShown = (name: string) => body[name] !== null || answered[name] === null;
  return { sent: pick(body, touched.filter(isShown)), touched };
}

/** Returns the effect of one update after the other. A PUT replaces the effect of the one before. */
export function bothEffects({ operation }: Pick<Call, "operation">, first: Effect, second: Effect): Effect {
  if (operation.method === "PUT" && second.touched) return second;
  const touched = new Set([...(first.touched ?? []), ...(second.touched ?? [])]);
  return { sent: { ...omit(first.sent ?? {}, second.touched ?? []), ...second.sent }, touched: [...touched] };
}

/** Reads until the effect and the other values in `shown` show. */
export async function readAfterEvent(
  call: Call,
  id: string,
  { sent = {}, touched = [] }: Effect,
  shown: JsonObject,
): Promise<JsonObject | undefined> {
  // An update may reset a field to its default, so reads don't wait.
  const isKept = (name: string) =>
    !touched.includes(name) &&
    call.target.spec.schemas.field(call.operation.body, name).default === undefined;
  const before = pick(shown, Object.keys(shown).filter(isKept));
  return unlessNotTested(() => readSettled(call, id, sent, before));
}

/** Sends the create of the resource once more. With `change`, sends another body under the same key. */
export async function sendCreationAgain(
  { call, id }: KnownResource,
  change?: ChangeOfBody,
): Promise<undefined> {
  const plan = creationAgain(call, id, change);
  if (plan) await call.target.send(plan, { role: change ? "probe" : "again" });
}

/** Returns the list request that was sent, if any. */
export async function sendOtherViews(
  known: KnownResource,
  roundRobin: RoundRobin,
): Promise<RequestPlan | undefined> {
  const { call, id, shown } = known;
  const { target } = call;
  const { versions, lists, foreign, anonymous } = otherViews(call, id, shown);
  const listed = roundRobin.next("list", lists);
  const other = sendsAll(target) ? versions : versions.slice(0, 1);
  for (const plan of listed) await readListSettled(known, plan);
  for (const plan of [...other, ...foreign])
    await target.send(plan, { role: "read back", valid: !foreign.includes(plan) });
  for (const plan of anonymous) await target.send(plan, { role: "probe" });
  return listed[0];
}

/** Reads the page behind the resource. A faulty service may not find a changed resource as a cursor. */
export async function sendPageBehind({ call, id }: KnownResource): Promise<void> {
  const reader = readerOf(call.target.spec, call.operation);
  const plan = reader?.kind === "list" ? behindItem(call.to(reader), id).at(-1) : undefined;
  if (plan) await call.target.send(plan, { role: "read back", valid: true });
}

/**
 * Reads the list again, with and without filters. A faulty service may cache `list`, or filter by old values.
 * The seed decides which list is the first after the update.
 */
export async function sendListsAgain(known: KnownResource, list: RequestPlan): Promise<void> {
  const { call, id, shown } = known;
  const filtered = underAllFilters(call, id, shown);
  const plans = filtered ? [list, filtered] : [list];
  for (const plan of rotated(plans, call.target.settings.seed)) await readListSettled(known, plan);
}

/** Reads the list until it shows the resource as `shown`, or the consistency timeout ends. */
export async function readListSettled({ call, id, shown }: KnownResource, list: RequestPlan): Promise<void> {
  const { target, operation } = call;
  const look = () => target.send(list, { role: "read back", valid: true });
  const isSettled = () => {
    const listed = Object.entries(lastShownIn(call, id));
    return listed.every(([name, value]) => !(name in shown) || sameFieldValue(shown[name], value));
  };
  await eventually(target, operation, look, isSettled, "in a list");
}

/** Sends only one field that the update takes, because more would hide side effects. */
export async function sendUntaken(
  { call, id, shown }: KnownResource,
  one: readonly string[],
): Promise<Effect> {
  const { target, operation } = call;
  const names = untakenFields(target.spec, operation).filter((name) => name in shown);
  const untaken = Object.fromEntries(names.map((name) => [name, altered(shown[name])]));
  const other = await otherBody(call, shown);
  const body = { ...untaken, ...requiredAnd(target.spec, operation, other, [...one]) };
  await target.send(withBody(call.requestAt(id), body), { role: "probe" });
  return { touched: [...names, ...(effectOf(call, body).touched ?? [])] };
}

/** Sends an update that must be rejected. Returns its effect if it is accepted all the same. */
export async function sendRejected(
  { call, shown }: KnownResource,
  update: RejectedUpdate | undefined,
  { optional, required }: UpdatedFields,
): Promise<Effect | undefined> {
  const plan = await update?.make(shown);
  const answer = plan && (await call.target.send(plan, { role: "probe" }));
  // Some services accept unknown references, so any field may have changed.
  return answer && isAccepted(answer) ? { touched: [...optional, ...required] } : undefined;
}

/** Updates another resource: a faulty service may take the last body for a repetition, or mix up the resources. */
export async function updateAnother(
  { call, shown }: KnownResource,
  last: JsonObject | undefined,
): Promise<undefined> {
  const other = await otherBody(call, shown);
  const bodies = last ? [last, other] : [other];
  await onOtherVersion(call, async (id) => {
    for (const body of bodies) await sendUpdate(call, id, body);
  });
}

/** Reads an unrelated resource before and after the update. */
export async function besideUnrelated<T>({ call, id }: KnownResource, update: () => Promise<T>): Promise<T> {
  const { target, operation } = call;
  const reader = readerOf(target.spec, operation);
  const isSingle = reader?.kind === "read";
  const other = isSingle && (await unlessNotTested(() => resourceIdFor(target, reader, "read")));
  const isUnrelated = typeof other === "string" && other !== id;
  const plan = reader && isUnrelated ? call.to(reader).requestAt(other) : undefined;
  const read = () => plan && target.send(plan, { role: "read back", valid: true });
  await read();
  const effect = await update();
  await read();
  return effect;
}

/** Returns the other operations that update the same resource. */
export function otherUpdatesOf(spec: Spec, update: Operation): Operation[] {
  const { updates = [] } = kindOfUpdate(spec, update) ?? {};
  return updates.filter((other) => other !== update && other.body !== undefined);
}

/**
 * Updates the resource by each other operation. A faulty service may overwrite what this operation changed, or reject valid
 * updates by it after a faulty one.
 */
export async function updateByOthers(
  { call, id, shown }: KnownResource,
  bodyOf = async (_: Call, valid: JsonObject): Promise<JsonObject | undefined> => valid,
): Promise<Effect> {
  const { spec } = call.target;
  const touched: string[] = [];
  for (const operation of otherUpdatesOf(spec, call.operation)) {
    const other = call.to(operation);
    const body = await bodyOf(other, await otherBody(other, shown));
    const answer = body && (await sendUpdate(other, id, body, "probe"));
    if (answer && isAccepted(answer)) touched.push(...spec.schemas.fieldNames(operation.body));
  }
  return { touched };
}
