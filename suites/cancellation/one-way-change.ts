import type { Call } from "../../client/call.ts";
import { unlessNotTested } from "../../client/check.ts";
import { type Answer, isAccepted, isRejected, SIMULTANEOUS } from "../../client/target.ts";
import { sampledFrom } from "../../client/version-choice.ts";
import type { RequestPlan } from "../../generators/request.ts";
import { type JsonObject, pick } from "../../spec/json.ts";
import {
  emptiableMaps,
  nullableFields,
  optionalFields,
  plainFields,
  requiredAnd,
  switchesOf,
} from "../shared/update-fields.ts";
import { sendUpdate } from "../shared/update-requests.ts";
import { otherBody, otherValues, withoutNulls } from "../updates/bodies.ts";
import { changeBetweenPages } from "../updates/lists/pages-after-updates.ts";
import { readBack, readSettled } from "../updates/read-back.ts";
import { sampledHalf } from "../updates/walk/order.ts";
import { filtersBy, underAllFilters, underEachFilter } from "../updates/walk/other-requests.ts";
import { rejectedChanges } from "./rejected-changes.ts";
import type { OneWay } from "./targets.ts";

const MOST_LISTS_BESIDE = 2;

/** How many other fields the change sends. A service may restore old values of the rest. */
export type Others = "all" | "half" | "none";

/**
 * Sends the one-way change with requests around it. Returns the resource as it is shown then, or `undefined`
 * if the change was not accepted.
 */
export async function changeForGood(
  call: Call,
  at: OneWay,
  id: string,
  before: JsonObject,
  others: Others,
): Promise<JsonObject | undefined> {
  const atFirst = others === "none" ? before : await afterRejectedChanges(call, at, id, before);
  const shown = others === "all" ? atFirst : await updatedFirst(call, id, atFirst);
  const body = { ...(await otherFields(call, shown, others)), [at.name]: at.value };
  const change = async (role?: string) => {
    const changing = sendUpdate(call, id, body, role);
    const list = underEachFilter(call, id, shown).find((plan) => !filtersBy(plan, shown[at.name]));
    await listsUntil(changing, call, list);
    return changing;
  };
  const first =
    others === "none"
      ? await besideUpdate(call, id, shown, change)
      : await betweenPages(call, id, shown, at.name, change);
  // The rejection may be an accident, and leaves the fixture unused.
  if (!isAccepted(isRejected(first) ? await change() : first)) {
    // Another field may be the reason for the rejection (an unknown provider).
    const { [at.name]: _, ...rest } = body;
    await sendUpdate(call, id, rest, "probe");
    return undefined;
  }
  return (await unlessNotTested(() => readSettled(call, id, withoutNulls(body)))) ?? shown;
}

/** Sends the change between two pages of a filtered list that no longer shows the resource then. */
function betweenPages(
  call: Call,
  id: string,
  shown: JsonObject,
  field: string,
  change: () => Promise<Answer>,
): Promise<Answer> {
  const plan = underEachFilter(call, id, shown).find((each) => filtersBy(each, shown[field]));
  if (!plan) return change();
  const list = call.to(plan.operation).under(plan.version);
  const query = plan.query.filter(([name]) => name !== plan.operation.list?.limit?.name);
  return changeBetweenPages(list, query, id, change);
}

/** Sends changes that must be rejected, and returns the resource as it is shown after them. */
async function afterRejectedChanges(
  call: Call,
  at: OneWay,
  id: string,
  before: JsonObject,
): Promise<JsonObject> {
  let shown = before;
  const { faulty, unauthorised } = await rejectedChanges(call, at, id);
  for (const plans of [faulty, unauthorised]) {
    for (const plan of plans) await call.target.send(plan, { role: "rejected" });
    if (plans.length > 0) shown = await readBack(call, id);
  }
  // A service may cache the empty result of this list for later.
  await listWith(call, id, { ...shown, [at.name]: at.value });
  return shown;
}

/** Returns false if the list has no filters. */
export async function listWith(call: Call, id: string, resource: JsonObject): Promise<boolean> {
  const plan = underAllFilters(call, id, resource);
  if (plan) await call.target.send(plan, { role: "list", valid: true });
  return plan !== undefined;
}

/** Sends the change and another update at the same time, which may overwrite the change with old values. */
async function besideUpdate(
  call: Call,
  id: string,
  shown: JsonObject,
  send: (role: string) => Promise<Answer>,
): Promise<Answer> {
  const { target, operation } = call;
  const plain = plainFields(target.spec, operation);
  if (plain.length < 2) return send("update");
  const one = sampledFrom(target.settings.seed, `beside a change of ${operation.id}`, plain);
  const other = await otherValues(call, shown, one);
  const [, changed] = await Promise.all([sendUpdate(call, id, other, SIMULTANEOUS), send(SIMULTANEOUS)]);
  return changed;
}

/** Sends the list until the change has ended. It may show an intermediate state of the change. */
async function listsUntil(change: Promise<Answer>, { target }: Call, plan?: RequestPlan): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  change.then(end, end);
  for (let count = 0; plan && count < MOST_LISTS_BESIDE && !hasEnded; count++)
    await target.send(plan, { role: "list", valid: true });
}

/** Returns values for the other fields of the update, with the switches as the resource shows them. */
async function otherFields(call: Call, shown: JsonObject, others: Others): Promise<JsonObject> {
  const { target, operation } = call;
  const purpose = `booleans beside a change of ${operation.id}`;
  // The seed picks the shown booleans or none: the change may get lost beside one value.
  const [switches = {}] = sampledFrom(target.settings.seed, purpose, [booleansIn(call, shown), {}]);
  const body = { ...(await otherBody(call, shown)), ...switches };
  if (others === "all") return { ...body, ...unusualValues(call, Object.keys(body)) };
  const plain = new Set(plainFields(target.spec, operation));
  const half = sampledHalf([...plain], target.settings.seed);
  const sent = Object.keys(body).filter((name) => half.includes(name) || !plain.has(name));
  return requiredAnd(target.spec, operation, body, others === "half" ? sent : []);
}

function booleansIn({ target, operation }: Call, values: JsonObject): JsonObject {
  return pick(values, switchesOf(target.spec, operation));
}

/** Picks null, empty maps or nothing by the seed: the change may get lost beside them. */
function unusualValues({ target, operation }: Call, names: readonly string[]): JsonObject {
  const { spec, settings } = target;
  const plain = plainFields(spec, operation).filter((name) => names.includes(name));
  const nullable = nullableFields(spec, operation).filter((name) => plain.includes(name));
  const nulled = sampledFrom(settings.seed, `null beside a change of ${operation.id}`, nullable);
  const emptied = emptiableMaps(spec, operation).filter((name) => plain.includes(name));
  const fieldsWith = (fields: readonly string[], value: unknown): JsonObject =>
    Object.fromEntries(fields.map((name) => [name, value]));
  const forms = [{}, fieldsWith(nulled, null), fieldsWith(emptied, {})];
  const [form = {}] = sampledFrom(settings.seed, `form of a change of ${operation.id}`, forms);
  return form;
}

/** Updates twice, because the change may restore the first values. */
async function updatedFirst(call: Call, id: string, before: JsonObject): Promise<JsonObject> {
  if (optionalFields(call.target.spec, call.operation).length === 0) return before;
  const update = async (body: JsonObject) => isAccepted(await sendUpdate(call, id, body));
  const first = await otherBody(call, before);
  if (!(await update(first))) return before;
  // A boolean may switch other fields off, so booleans keep their values.
  const second = { ...(await otherBody(call, first)), ...booleansIn(call, first) };
  return (await update(second)) ? await readSettled(call, id, second) : before;
}
