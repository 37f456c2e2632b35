import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { eventually, lateAtTheEnd } from "../../client/eventually.ts";
import { defaultQuery } from "../../client/samples.ts";
import { itemsOf, type Probe } from "../../client/target.ts";
import { type RequestPlan, withLargestPage } from "../../generators/request.ts";
import { recordDifferences } from "../../history/lists/same-record.ts";
import { isSameInAnyCasing } from "../../history/values/casing.ts";
import { itemId } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import { pagesFrom } from "../shared/read-list.ts";
import { plainProbe } from "../shared/sampled.ts";
import { requiredAnd } from "../shared/update-fields.ts";
import { sendUpdate } from "../shared/update-requests.ts";
import { nextVariation } from "../updates/bodies.ts";
import { readBack, readSettled } from "../updates/read-back.ts";
import { namedFirst } from "../updates/walk/other-requests.ts";
import { changeForGood, listWith, type Others } from "./one-way-change.ts";
import { fixturesOf, type OneWay, type ShownTarget } from "./targets.ts";

/** Changes the first fixture with other fields, after rejected attempts, and the second alone. */
export function oneWayChange(at: OneWay): Probe {
  return probeOfChange("change for good", "write", at, (call) => changedOnce(call, at));
}

/** Updates the resource afterwards, which may undo the change. */
export function updatedAfterwards(at: OneWay): Probe {
  return probeOfChange("update after a change for good", "burst", at, async (call) => {
    // The first of two fixtures is left, to show later if its values lasted.
    const last = (await changedOnce(call, at)).at(-1);
    if (!last) return;
    const { id } = last;
    await readBack(call, id);
    await sendUpdate(call, id, await call.body("full", nextVariation(call.target)), "probe");
    await readSettled(call, id, {}, { [at.name]: at.value });
    await sendUpdate(call, id, { [at.name]: at.value }, "probe");
  });
}

/** Reads the changed resources again at the end of the run. */
export function lastLookAfter(at: OneWay): Probe {
  return probeOfChange("last look after a change for good", "aftermath", at, async (call) => {
    const changed = await changedOnce(call, at);
    await lateAtTheEnd(call.target);
    for (const [index, { id }] of changed.entries()) {
      const [other = call.version] = namedFirst(call.allowed.filter((each) => each !== call.version));
      const resource = await readBack(index === 0 ? call.under(other) : call, id);
      if (index > 0 || !(await listWith(call, id, resource))) continue;
      await readBack(call, id);
    }
  });
}

/** Reads the list until it shows the change, and under a filter by the new value. */
export function listedAfterwards({ change, read, list, filter }: ShownTarget): Probe {
  return probeOfChange("list after a change for good", "write", change, async (call) => {
    const changed = await changedOnce(call, change);
    if (changed.length === 0) return;
    const { spec } = call.target;
    const names = call.target.history().references(change.operation.body ?? {});
    const agrees = (item: JsonObject, shown: JsonObject) =>
      recordDifferences(spec, read, item, shown, read.sameRecord?.requirement, names).length === 0;
    const isListed: Done = (found) => changed.every(({ id, shown }) => agrees(found.get(id) ?? {}, shown));
    const readAgain = async () => {
      for (const each of changed) each.shown = await readBack(call, each.id);
    };
    if (!(await inList(call.to(list), changed, [], isListed))) {
      // The resource may have changed by itself.
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

/** Returns false if `isDone` stays false until the consistency timeout. */
async function inList(
  call: Call,
  wanted: readonly Changed[],
  query: [string, string][],
  isDone: Done,
): Promise<boolean> {
  const { target, operation } = call;
  const base = await defaultQuery(target, operation);
  const first = withLargestPage({ ...call.request(), query: [...base, ...query] });
  const ask = (page: RequestPlan) => target.send(page, { role: "list", valid: true });
  const look = async () => {
    const found = new Map<string, JsonObject>();
    for await (const answer of pagesFrom(ask, first, MOST_PAGES)) {
      for (const item of itemsOf(answer)) found.set(itemId(operation, item), item);
      if (wanted.every(({ id }) => found.has(id))) break;
    }
    return found;
  };
  return isDone(await eventually(target, operation, look, isDone));
}

function probeOfChange(
  name: string,
  stage: Probe["stage"],
  { operation, name: field }: OneWay,
  send: (call: Call) => Promise<unknown>,
): Probe {
  return plainProbe(`${name} of ${field} with`, operation, stage, send);
}

interface Changed {
  id: string;
  shown: JsonObject;
}

/**
 * Sends the one-way change to a fixture, once for all probes.
 * @throws NotTested if no fixture is given, or all are used up
 */
function changedOnce(call: Call, at: OneWay): Promise<Changed[]> {
  const { target, operation } = call;
  const { name, value, consumes } = at;
  return target.memoize(`change for good ${operation.id} ${name}`, async () => {
    const given = fixturesOf(at, target.settings.fixtures).slice(0, 2);
    const fixture = `${consumes.fixture}=ID`;
    if (given.length === 0)
      throw new NotTested("no-fixture", `give --fixture ${fixture} to test this; it is used up`, [], {
        fixture,
      });
    const changed: Changed[] = [];
    const usedUp: string[] = [];
    let form: Others = given.length > 1 ? "all" : "half";
    for (const id of given) {
      const resource = await readBack(call, id);
      if (isSameInAnyCasing(resource[name], value)) {
        usedUp.push(id);
        continue;
      }
      const shown = await changeForGood(call, at, id, resource, form);
      if (shown) changed.push({ id, shown });
      form = "none";
    }
    if (usedUp.length < given.length) return changed;
    // The specification is silent about a second change, so its answer is only noted.
    const [first = ""] = usedUp;
    const required = requiredAnd(target.spec, operation, await call.body(), []);
    await sendUpdate(call, first, { ...required, [name]: value }, "probe");
    throw new NotTested(
      "used-up",
      `${consumes.fixture}=${usedUp.join(",")} is used up, its ${name} was ${value} before; give another: --fixture ${fixture}`,
      [],
      { fixture },
    );
  });
}
