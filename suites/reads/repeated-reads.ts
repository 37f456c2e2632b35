import type { Call } from "../../client/call.ts";
import { asText, isAccepted, type Probe, type Target } from "../../client/target.ts";
import { allowedOf, defaultVersion, sampledFrom, sendsAll } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo } from "../../generators/request.ts";
import type { Entry } from "../../history/entry.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById, operationsOf } from "../../spec/operations.ts";
import { pickedRecords, RECORDS_REPEATED } from "../shared/listed-records.ts";
import { probeOf } from "../shared/sampled.ts";
import { type Share, sendReadsBetween } from "./between-reads.ts";
import type { NeededReads } from "./read-decisions.ts";

const PAUSES_MS = { soon: 15, slowly: 1_100 };
const PAIR_GAP = 3;

/** Reads twice, with other reads between. */
export const repeatedReads = probeOf("repeated reads", "repeat", async (call) => {
  for (const version of versionsRepeated(call)) await repeatReads(call.under(version));
});

/**
 * Returns the versions under which reads are repeated. Depth quick repeats one operation of each kind under
 * another version, because most faults concern all operations.
 */
function versionsRepeated({ target, operation }: Call): (string | null)[] {
  const byDefault = defaultVersion(target, operation);
  const others = (each: Operation) =>
    allowedOf(target, each).filter((version) => version !== defaultVersion(target, each));
  if (sendsAll(target)) return [byDefault, ...others(operation)];
  const groupOf = ({ kind, space }: Operation) =>
    `${kind}${space ? " in a space" : ""} under another version`;
  const choices = operationsOf(target.spec, "read", "list")
    .filter((each) => groupOf(each) === groupOf(operation))
    .flatMap((each) => others(each).map((version) => ({ each, version })));
  const sampled = sampledFrom(target.settings.seed, groupOf(operation), choices);
  return [byDefault, ...sampled.filter(({ each }) => each === operation).map(({ version }) => version)];
}

/** Reads the same thing several times, at once and after pauses, while no other probe reads it. */
async function repeatReads(call: Call): Promise<void> {
  const { target, operation } = call;
  const { plans, list } = await plansToRepeat(call);
  await withoutOtherReads(target, operation, async () => {
    // The reads are sent one after the other, so that equal seeds give the same order.
    const again: RequestPlan[] = [];
    for (const [index, plan] of plans.entries()) {
      const sequential = await readOnce(target, plan, { index, total: plans.length });
      if (sequential) again.push(sequential);
    }
    // A faulty service may mix up simultaneous reads.
    await Promise.all(
      again.map(async (plan) => {
        const second = await target.send(plan, { role: "read 2", valid: true });
        if (!isAccepted(second)) await target.send(plan, { role: "read 3", valid: true });
      }),
    );
    if (list) await target.send(list, { role: "list", valid: true });
  });
}

function withoutOtherReads(
  target: Target,
  { sameRecord, id }: Operation,
  work: () => Promise<void>,
): Promise<void> {
  return target.withWriteLock(`read ${sameRecord?.list ?? id}`, work);
}

/** Returns the reads to repeat, and the list that shows their records. */
async function plansToRepeat(call: Call): Promise<{ plans: RequestPlan[]; list?: RequestPlan }> {
  const { target, operation, version } = call;
  const { sameRecord, pathParameter } = operation;
  if (!call.isDefaultVersion) return { plans: [await call.valid()] };
  if (!sameRecord) {
    const plan = await call.valid();
    const other = pathParameter?.fixture && target.settings.fixtures[pathParameter.fixture.write ?? ""];
    return { plans: other === undefined || other === plan.path ? [plan] : [plan, { ...plan, path: other }] };
  }
  const picked = await pickedRecords(target, operationById(target.spec, sameRecord.list), version);
  // The fields that name a record (id, code) take turns: a service may look them up differently.
  const fieldOf = (index: number) => sameRecord.by[index % sameRecord.by.length] ?? "id";
  const paths = picked
    .map(({ item }, index) => asText(item[fieldOf(index)]))
    .filter((value) => value !== undefined);
  const plans = paths.slice(0, RECORDS_REPEATED).map((path) => call.requestAt(path));
  return { plans, ...(picked[0] ? { list: picked[0].page.plan } : {}) };
}

/** Reads twice after a pause, and returns the request for later reads, or `undefined` if it was rejected. */
async function readOnce(target: Target, plan: RequestPlan, share: Share): Promise<RequestPlan | undefined> {
  // These reads share a connection, unlike those of `readAgain`.
  const sequence = `${plan.operation.id} ${plan.version} ${plan.path}`;
  const sequential = { ...plan, sequence };
  if (!isAccepted(await target.ask(sequential, "read 1"))) return undefined;
  await target.pause(PAUSES_MS.soon);
  // A faulty service may answer otherwise after the other reads, or at the second request on a connection.
  const [between] = sampledFrom(target.settings.seed, `between ${sequence}`, [sequential, plan]);
  await sendReadsBetween(target, between ?? plan, share);
  return sequential;
}

/** Sends the reads that `decisions` needs. */
export function readAgain(operation: Operation, needs: readonly NeededReads[]): Probe {
  const ways = new Set(
    needs.map(({ way, times, after }) => `${way}${after ? " after a read" : ""} ${times}`),
  );
  return {
    id: `read again ${operation.id} ${[...ways].join(", ")}`,
    stage: "repeat",
    run: (target) =>
      withoutOtherReads(target, operation, async () => {
        for (const need of needs) await sendNeeded(target, need);
      }),
  };
}

/** Sends the reads that the rules still need, at once or after pauses. */
async function sendNeeded(target: Target, { again, way, times, after }: NeededReads): Promise<void> {
  const read = (entry: Entry) => target.send(planOf(entry), { role: "again", valid: true });
  for (let count = 0; count < times; count++) {
    if (way === "together") {
      await Promise.all([read(again), target.pause(PAIR_GAP).then(() => read(again))]);
      continue;
    }
    await target.pause(PAUSES_MS[way]);
    if (after) await read(after);
    await read(again);
  }
}

/** Returns a recorded read as a request of this run. */
export function planOf({ operation, version, path, request }: Entry): RequestPlan {
  if (!operation) throw new Error("only documented reads are repeated");
  const { [operation.pathParameter?.name ?? ""]: own, ...outer } = path;
  return {
    ...requestTo(operation, version),
    query: request.query,
    ...(own === undefined ? {} : { path: own }),
    ...(operation.outer.length === 0 ? {} : { outer }),
  };
}
