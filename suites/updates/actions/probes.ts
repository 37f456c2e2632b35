import type { Call } from "../../../client/call.ts";
import { unlessNotTested } from "../../../client/check.ts";
import { lateAtTheEnd, untilLate } from "../../../client/eventually.ts";
import { readOf, updatesOfMade } from "../../../client/relations.ts";
import { outerPath, sendBody } from "../../../client/resources.ts";
import { defaultQuery } from "../../../client/samples.ts";
import { asQuery, isAccepted, type Probe } from "../../../client/target.ts";
import { MISSING, withCredentialFault } from "../../../generators/credentials.ts";
import { objectSent, type RequestPlan, withBody } from "../../../generators/request.ts";
import { pathId, resourceIn } from "../../../history/entry.ts";
import { uniqueFields } from "../../../spec/identity.ts";
import { type JsonObject, pick, valueAt } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { isAction, mayAct, operationById } from "../../../spec/operations.ts";
import { rotated } from "../../../spec/ordered.ts";
import { withOneFault } from "../../cancellation/rejected-changes.ts";
import { actOnNew, type MadeResource } from "../../shared/made-resource.ts";
import { readList } from "../../shared/read-list.ts";
import { plainProbe, probeOf } from "../../shared/sampled.ts";
import { plainFields } from "../../shared/update-fields.ts";
import { readBack } from "../read-back.ts";
import { creationAgain } from "../walk/other-requests.ts";

/** Reads a resource before and after an action: a faulty service may undo it, or change other fields. */
export const readsAroundAction = probeOf("around", "aftermath", async (call) => {
  await call.control();
  const act = (under: Call) => actOnNew(under, ({ look }) => look());
  const first = await actOnNew(call, ({ look }, acting) => lookAroundRejected(call, look, acting));
  const tried = [first];
  const others = call.allowed.filter((version) => version !== call.version);
  const sampled = call.sendsAll ? others : rotated(others, call.target.settings.seed).slice(0, 1);
  for (const version of sampled) tried.push(await unlessNotTested(() => act(call.under(version))));
  // A read at once may show a state that lasts for a moment.
  for (const acted of tried) await acted?.on.look();
  await lateAtTheEnd(call.target);
  for (const acted of tried) await acted?.on.look();
  if (!first) return;
  await listsAfterAction(call, first.on);
  await unlessNotTested(() => updateEach(call, first.on));
  const { operation: create } = first.on.plan;
  const { spec } = call.target;
  // With a unique value, the service would reject the create again all the same.
  const required = spec.schemas.required(create.body);
  const leftOut = uniqueFields(spec, create).filter((name) => !required.includes(name));
  // After an update, a faulty service may answer the action without storing its effect.
  const updated = (made: MadeResource) => unlessNotTested(() => updateEach(call, made, manyFields));
  const second = await unlessNotTested(() => actOnNew(call, updated, leftOut));
  await call.send(first.plan);
  for (const acted of [first, second]) await acted?.on.look();
  const [update] = updatesOfMade(spec, create);
  const again = second && update && creationAgain(call.to(update), second.on.id);
  // A faulty service may forget the key of the create after an action.
  if (again) await call.target.send(again, { role: "again" });
  await makeAgain(call, first.on);
  // A read at once may still show values that an update replaced before the action.
  await untilLate(call.target);
  for (const acted of [first, second]) await acted?.on.look();
});

/** Reads the resource around actions that must be rejected. A faulty service may do them before it finds the fault. */
export async function lookAroundRejected(
  call: Call,
  look: () => Promise<void>,
  acting: RequestPlan,
): Promise<void> {
  await look();
  for (const plan of await rejectedActions(call, acting)) {
    await call.target.send(plan, { role: "rejected" });
    await look();
  }
}

/** Returns the action with a fault in its body, and without a token. */
async function rejectedActions(call: Call, acting: RequestPlan): Promise<RequestPlan[]> {
  const { settings, runId } = call.target;
  const sent = objectSent(acting);
  const faulty = sent && (await withOneFault(call, sent));
  return [
    faulty && withBody(acting, faulty),
    withCredentialFault(acting, settings.token, runId, MISSING),
  ].filter((plan) => plan !== undefined);
}

/** Returns the operations that may change a resource of the update, though they answer another one. */
export function postsOn(spec: Spec, { pathParameter }: Operation): Operation[] {
  const madeBy = pathParameter?.madeBy;
  return spec.operations.filter(
    (other) =>
      madeBy !== undefined &&
      other.outer.at(-1)?.madeBy === madeBy &&
      mayAct(spec, other) &&
      !isAction(spec, other),
  );
}

/** Updates a resource after one of `postsOn`. A faulty service may undo the change by that POST. */
export function updateAfterPost(update: Operation, post: Operation): Probe {
  return plainProbe(`after ${post.id}`, update, "aftermath", async (call) => {
    const { target } = call;
    await call.to(post).control();
    const id = (await outerPath(target, post))[post.outer.at(-1)?.name ?? ""];
    if (id === undefined) return;
    await lateAtTheEnd(target);
    // Two equal reads show that the state did not change by itself.
    for (let reads = 0; reads < 2; reads++) await readBack(call, id);
    const plan = withBody(await call.valid(), await fewFields(call));
    await sendBody(target, { ...plan, path: id }, "probe", { valid: true });
    await readBack(call, id);
  });
}

/** Sends each update to the resource of the action. A service may reject all updates after the action. */
async function updateEach(call: Call, made: MadeResource, fieldsOf = fewFields): Promise<void> {
  for (const update of updatesOfMade(call.target.spec, made.plan.operation).map((each) => call.to(each))) {
    // Two equal reads show that the state did not change by itself.
    await made.look();
    await sendFields(update, made, await fieldsOf(update));
    await made.look();
  }
}

/** Updates few fields of the resource. */
export async function sendFewFields(update: Call, made: MadeResource): Promise<void> {
  await sendFields(update, made, await fewFields(update));
}

async function sendFields(update: Call, { to }: MadeResource, fields: JsonObject): Promise<void> {
  await sendBody(update.target, withBody(to(update), fields), "probe", { valid: true });
}

/** Returns new values of all fields that are not boolean. After a faulty action, any may show its first value again. */
async function manyFields(update: Call): Promise<JsonObject> {
  const names = plainFields(update.target.spec, update.operation);
  return { ...(await fewFields(update)), ...pick(await update.body("full", 1), names) };
}

/** Returns the required fields, else one: an empty update may do nothing, and the create's values change nothing. */
export async function fewFields(update: Call): Promise<JsonObject> {
  const minimal = await update.body("minimal", 1);
  const [one] = plainFields(update.target.spec, update.operation);
  if (one === undefined || Object.keys(minimal).length > 0) return minimal;
  return pick(await update.body(), [one]);
}

/** Sends each unique value of the resource again: after the action, a faulty service may accept it. */
async function makeAgain(call: Call, { plan }: MadeResource): Promise<void> {
  const maker = call.to(plan.operation);
  const values = pick(objectSent(plan) ?? {}, uniqueFields(call.target.spec, plan.operation));
  for (const [name, value] of Object.entries(values)) {
    const again = await maker.send(withBody(await maker.valid(), { ...(await maker.body()), [name]: value }));
    // If other values are accepted, the unique one caused the rejection.
    if (!isAccepted(again)) await maker.control();
  }
}

/** Reads the list under filters after an action: it may filter by old values, or hide the resource. */
async function listsAfterAction(call: Call, on: MadeResource): Promise<void> {
  const { target } = call;
  const reader = readOf(target.spec, on.plan.operation.id);
  if (!reader?.sameRecord) return;
  const list = call.to(operationById(target.spec, reader.sameRecord.list));
  const values = valuesShown(call, reader, on.id, list.operation);
  if (values.length === 0) return;
  // The rules compare filtered reads with whole ones before and after.
  await readList(list, { again: true });
  for (const [name, value] of values)
    await readList(list, {
      query: [...(await defaultQuery(target, list.operation)), [name, value]],
      again: true,
    });
  await readList(list, { again: true });
}

/** Returns the filter values that fit the first and the last read of the resource. */
function valuesShown(
  { target }: Call,
  reader: Operation,
  id: string,
  { list }: Operation,
): [name: string, value: string][] {
  const reads = target
    .history()
    .entries.filter((entry) => entry.operation === reader && pathId(entry) === id)
    .flatMap((entry) => resourceIn(entry) ?? []);
  const ends = [reads[0], reads.at(-1)].filter((read) => read !== undefined);
  return (list?.filters ?? []).flatMap(({ name, filter = "" }) => {
    const values = ends.map((read) => asQuery(valueAt(read, filter))).filter((value) => value !== undefined);
    return [...new Set(values)].map((value): [string, string] => [name, value]);
  });
}
