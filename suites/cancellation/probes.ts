import { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { eventually } from "../../client/eventually.ts";
import { sendBody } from "../../client/resources.ts";
import { baseQueries } from "../../client/samples.ts";
import {
  type Answer,
  isAccepted,
  isRejected,
  itemsOf,
  type Probe,
  SIMULTANEOUS,
  type Target,
} from "../../client/target.ts";
import { sampledFrom } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withQuery } from "../../generators/request.ts";
import { isSameInAnyCasing } from "../../history/differences.ts";
import { recordDifferences } from "../../history/same-record.ts";
import type { JsonObject } from "../../spec/json.ts";
import { largestSize } from "../../spec/page-sizes.ts";
import { pagesFrom } from "../shared/pages.ts";
import { emptiableMaps } from "../updates/emptied-maps.ts";
import { nullableFields, optionalFields } from "../updates/fields.ts";
import { namedFirst, underAllFilters } from "../updates/other-requests.ts";
import { lateAtTheEnd } from "../updates/probes.ts";
import { readBack } from "../updates/read-back.ts";
import { readSettled } from "../updates/settled-reads.ts";
import { otherBody, otherValues, plainFields, switchesOf } from "../updates/update.ts";
import { nextVariation, pick, requiredAnd, updateRequest } from "../updates/updating.ts";
import { sampledHalf } from "../updates/walk-order.ts";
import { attempts } from "./attempts.ts";
import { fixturesOf, type OneWay, type ShownTarget } from "./targets.ts";

/**
 * The change of the first fixture also sends other fields, and follows rejected attempts; the second change
 * is sent alone.
 */
export function oneWayChange(at: OneWay): Probe {
  return probe("change for good", "write", at, async (call) => void (await changedOnce(call, at)));
}

/** A service may undo the change when the resource is updated again. */
export function updatedAfterwards(at: OneWay): Probe {
  return probe("update after a change for good", "burst", at, async (call) => {
    // The first fixture is not updated again, so that reads at the end show if its values lasted.
    const last = (await changedOnce(call, at)).at(-1);
    if (!last) return;
    const { target, operation, version } = call;
    const send = (body: JsonObject) =>
      sendBody(target, updateRequest(operation, last.id, version, body), "probe");
    await readBack(call, last.id);
    await send(await call.body("full", nextVariation(target)));
    await readSettled(call, last.id, {}, { [at.name]: at.value });
    await send({ [at.name]: at.value });
  });
}

export function lastLookAfter(at: OneWay): Probe {
  return probe("last look after a change for good", "aftermath", at, async (call) => {
    const changed = await changedOnce(call, at);
    await lateAtTheEnd(call.target);
    for (const [index, { id }] of changed.entries()) {
      const [other = call.version] = namedFirst(call.allowed.filter((each) => each !== call.version));
      const { resource } = await readBack(index === 0 ? call.under(other) : call, id);
      if (index > 0 || !(await listWith(call, id, resource))) continue;
      await readBack(call, id);
    }
  });
}

async function listWith(call: Call, id: string, resource: JsonObject): Promise<boolean> {
  const plan = underAllFilters(call, id, resource);
  if (plan) await call.target.send(plan, { role: "list", valid: true });
  return plan !== undefined;
}

export function listedAfterwards({ change, read, list, filter }: ShownTarget): Probe {
  return probe("list after a change for good", "write", change, async (call) => {
    const changed = await changedOnce(call, change);
    if (changed.length === 0) return;
    const { spec } = call.target;
    const names = call.target.history().references(change.operation.body ?? {});
    const agrees = (item: JsonObject, shown: JsonObject) =>
      recordDifferences(spec, read, item, shown, read.sameRecord?.requirement, names).length === 0;
    const isListed: Done = (found) => changed.every(({ id, shown }) => agrees(found.get(id) ?? {}, shown));
    const readAgain = async () => {
      for (const each of changed) each.shown = (await readBack(call, each.id)).resource;
    };
    if (!(await inList(call.to(list), changed, [], isListed))) {
      // The resource may have changed by itself between the read and the list.
      await readAgain();
      await inList(call.to(list), changed, [], isListed);
      await readAgain();
    }
    const due = changed.filter(({ shown }) => isSameInAnyCasing(shown[change.name], change.value));
    if (filter === "" || due.length === 0) return;
    const isFound: Done = (found) => due.every(({ id }) => found.has(id));
    const isFiltered = await inList(call.to(list), due, [[filter, change.value]], isFound);
    if (!isFiltered) await inList(call.to(list), due, [], isFound);
  });
}

type Done = (found: ReadonlyMap<string, JsonObject>) => boolean;

const MOST_PAGES = 12;

/** Returns false if the items are not as expected until the consistency timeout. */
async function inList(
  { target, operation, version }: Call,
  wanted: readonly Changed[],
  query: [string, string][],
  isDone: Done,
): Promise<boolean> {
  const [base = []] = await baseQueries(target, operation, 1);
  const { limit } = operation.list ?? {};
  const plan = { ...requestTo(operation, version), query: [...base, ...query] };
  const first = limit ? withQuery(plan, { [limit.name]: String(largestSize(operation)) }) : plan;
  const ask = (page: RequestPlan) => target.send(page, { role: "list", valid: true });
  const look = async () => {
    const found = new Map<string, JsonObject>();
    for await (const answer of pagesFrom(ask, first, MOST_PAGES)) {
      for (const item of itemsOf(answer)) found.set(String(item[operation.list?.identity ?? "id"]), item);
      if (wanted.every(({ id }) => found.has(id))) break;
    }
    return found;
  };
  return isDone(await eventually(target, operation, look, isDone));
}

function probe(
  name: string,
  stage: Probe["stage"],
  { operation, name: field }: OneWay,
  send: (call: Call) => Promise<void>,
): Probe {
  return {
    id: `${name} ${operation.id} ${field}`,
    stage,
    run: (target: Target) => send(new Call(target, operation)),
  };
}

interface Changed {
  id: string;
  shown: JsonObject;
}

/** @throws NotTested if no fixture is given, or if all are used up */
function changedOnce(call: Call, at: OneWay): Promise<Changed[]> {
  const { target, operation } = call;
  const { name, value, consumes } = at;
  return target.memoize(`change for good ${operation.id} ${name}`, async () => {
    const given = fixturesOf(at, target.settings.fixtures).slice(0, 2);
    if (given.length === 0)
      throw new NotTested("no-fixture", `give --fixture ${consumes.fixture}=ID to test this; it is used up`);
    const changed: Changed[] = [];
    const usedUp: string[] = [];
    let form: Others = given.length > 1 ? "all" : "half";
    for (const id of given) {
      const { resource } = await readBack(call, id);
      if (isSameInAnyCasing(resource[name], value)) {
        usedUp.push(id);
        continue;
      }
      const shown = await changeForGood(call, at, id, resource, form);
      if (shown) changed.push({ id, shown });
      form = "none";
    }
    if (usedUp.length < given.length) return changed;
    // The specification does not say how a service answers a second change.
    const [first = ""] = usedUp;
    const required = requiredAnd(target.spec, operation, await call.body(), []);
    const again = updateRequest(operation, first, call.version, { ...required, [name]: value });
    await sendBody(target, again, "probe");
    throw new NotTested(
      "used-up",
      `${consumes.fixture}=${usedUp.join(",")} is used up, its ${name} was ${value} before; give another: --fixture ${consumes.fixture}=ID`,
    );
  });
}

/** How many other fields the change sends: a service may restore old values of the others. */
type Others = "all" | "half" | "none";

/** Returns undefined if the change was not accepted. */
async function changeForGood(
  call: Call,
  at: OneWay,
  id: string,
  before: JsonObject,
  others: Others,
): Promise<JsonObject | undefined> {
  const { target, operation, version } = call;
  let shown = before;
  if (others !== "none") {
    const [faults = [], ...more] = await attempts(call, at, id);
    for (const plans of [faults, more.flat()]) {
      for (const plan of plans) await target.send(plan, { role: "rejected" });
      if (plans.length > 0) shown = (await readBack(call, id)).resource;
    }
    // A service may cache the list's empty result for the new value.
    await listWith(call, id, { ...shown, [at.name]: at.value });
  }
  if (others !== "all") shown = await updatedFirst(call, id, shown);
  const body = { ...(await otherFields(call, shown, others)), [at.name]: at.value };
  const send = (role = "update") => sendBody(target, updateRequest(operation, id, version, body), role);
  const first = others === "none" ? await besideUpdate(call, id, shown, send) : await send();
  // A rejection may be an accident, and uses no fixture up.
  const answer = isRejected(first) ? await send() : first;
  if (!isAccepted(answer)) {
    // Another field may be the reason for the rejection (a provider that went out of service).
    const { [at.name]: _, ...rest } = body;
    await sendBody(target, updateRequest(operation, id, version, rest), "probe");
    return undefined;
  }
  try {
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    return (await readSettled(call, id, sent)).resource;
  } catch (error) {
    if (error instanceof NotTested) return shown;
    throw error;
  }
}

/** A simultaneous update of another field may overwrite the change with old values. */
async function besideUpdate(
  call: Call,
  id: string,
  shown: JsonObject,
  send: (role: string) => Promise<Answer>,
): Promise<Answer> {
  const { target, operation, version } = call;
  const plain = plainFields(target.spec, operation);
  if (plain.length < 2) return send("update");
  const one = sampledFrom(target.settings.seed, `beside a change of ${operation.id}`, plain);
  const other = updateRequest(operation, id, version, await otherValues(call, shown, one));
  const [, changed] = await Promise.all([sendBody(target, other, SIMULTANEOUS), send(SIMULTANEOUS)]);
  return changed;
}

async function otherFields(call: Call, shown: JsonObject, others: Others): Promise<JsonObject> {
  const { target, operation } = call;
  const body = await otherBody(call, shown);
  if (others === "all") return { ...body, ...unusualValues(call, Object.keys(body)) };
  const plain = new Set(plainFields(target.spec, operation));
  const half = sampledHalf([...plain], target.settings.seed);
  const sent = Object.keys(body).filter((name) => half.includes(name) || !plain.has(name));
  return requiredAnd(target.spec, operation, body, others === "half" ? sent : []);
}

/** A service may lose the change if another field is null or a map is empty. */
function unusualValues({ target, operation }: Call, names: readonly string[]): JsonObject {
  const { spec, settings } = target;
  const plain = plainFields(spec, operation).filter((name) => names.includes(name));
  const nullable = nullableFields(spec, operation).filter((name) => plain.includes(name));
  const nulled = sampledFrom(settings.seed, `null beside a change of ${operation.id}`, nullable);
  const emptied = emptiableMaps(spec, operation).filter((name) => plain.includes(name));
  const forms = [{}, fieldsWith(nulled, null), fieldsWith(emptied, {})];
  const [form = {}] = sampledFrom(settings.seed, `form of a change of ${operation.id}`, forms);
  return form;
}

function fieldsWith(names: readonly string[], value: unknown): JsonObject {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** A service may keep the values of the first update, so all other fields are updated twice. */
async function updatedFirst(call: Call, id: string, before: JsonObject): Promise<JsonObject> {
  const { target, operation, version } = call;
  if (optionalFields(target.spec, operation).length === 0) return before;
  const update = async (body: JsonObject) =>
    isAccepted(await sendBody(target, updateRequest(operation, id, version, body), "update"));
  const first = await otherBody(call, before);
  if (!(await update(first))) return before;
  // A service may ignore fields that are switched off, so switches keep their values.
  const switches = new Set(switchesOf(target.spec, operation.body ?? {}));
  const second = { ...(await otherBody(call, first)), ...pick(first, switches) };
  return (await update(second)) ? (await readSettled(call, id, second)).resource : before;
}
