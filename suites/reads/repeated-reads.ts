import { Call } from "../../client/call.ts";
import { hasUnknownSpace } from "../../client/spaces.ts";
import { asText, isAccepted, type Probe, type Target } from "../../client/target.ts";
import {
  allowedOf,
  defaultVersion,
  sampledFrom,
  sampleNumber,
  sendsAll,
} from "../../client/version-choice.ts";
import { sendWithoutToken, withoutToken } from "../../client/without-token.ts";
import { parameterViolations } from "../../generators/parameters.ts";
import { type RequestPlan, requestTo, withQuery } from "../../generators/request.ts";
import type { Entry } from "../../history/entry.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById, operationsOf } from "../../spec/operations.ts";
import { rotated } from "../../spec/ordered.ts";
import { smallestSize } from "../../spec/page-sizes.ts";
import { pickedRecords, RECORDS_REPEATED } from "../shared/listed-records.ts";
import { probeOf } from "../shared/sampled.ts";
import { sendInUnknownSpace } from "../updates/rejected-updates.ts";
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

/** Selects the reads whose number is `index` modulo `total`. */
interface Share {
  index: number;
  total: number;
}

/** Sends other reads between two that must get the same answer. */
async function sendReadsBetween(target: Target, plan: RequestPlan, share: Share): Promise<void> {
  const { operation, version } = plan;
  const own = otherReads(target, plan).filter((_, number) => number % share.total === share.index);
  // A read may change only the next answer, so the seed picks the last read: another one for each version.
  const sample = sampleNumber(target.settings.seed, `between reads ${operation.key} ${share.index}`);
  for (const read of rotated(own, sample + allowedOf(target, operation).indexOf(version))) await read();
  if (share.index === 0 && operation.list && version === defaultVersion(target, operation))
    await sendOtherPages(target, plan);
}

/** Returns reads that must not change the answer to this one: faulty ones, and one under another version. */
function otherReads(target: Target, plan: RequestPlan): (() => Promise<unknown>)[] {
  const { operation, version } = plan;
  const faulty = [
    () => sendWithoutToken(target, plan),
    ...(operation.sameRecord ? [] : [() => readUnknownSpace(target, plan)]),
    async () => {
      if (operation.kind === "read" && operation.pathParameter)
        await target.send({ ...plan, path: `conformance-${target.runId}` }, { role: "probe" });
    },
  ];
  const others = allowedOf(target, operation).filter((other) => other !== version);
  const [other] = sampledFrom(target.settings.seed, operation.key, others);
  const underOther = async () => {
    if (other !== undefined) await target.ask({ ...plan, version: other });
  };
  // Depth quick sends faulty reads only under the default version.
  const sendsFaulty = version === defaultVersion(target, operation) || sendsAll(target);
  return [...(sendsFaulty ? faulty : []), underOther];
}

/** Reads the list with faulty queries and with other pages. */
async function sendOtherPages(target: Target, plan: RequestPlan): Promise<void> {
  const faulty = faultyQueries(target, plan.operation);
  // A faulty service may apply a page size to the next request, too.
  for (const queries of [faulty, besideItems(target, plan.operation)]) {
    if (queries.length === 0) continue;
    await target.send(plan, { role: "between", valid: true });
    for (const query of queries) await target.send(withQuery(plan, query), { role: "probe" });
  }
  await readAroundSecondPage(target, plan, faulty.slice(0, 1));
}

/** Returns queries with one faulty parameter each, last a too large size, which is remembered most likely. */
function faultyQueries({ spec, settings }: Target, operation: Operation): Record<string, string>[] {
  const { limit } = operation.list ?? {};
  const queries = operation.parameters.filter((parameter) => parameter.in === "query");
  const faults = (limit ? [limit] : queries).flatMap((parameter) =>
    parameterViolations(parameter, spec.schemas).map((fault) => ({ ...fault, name: parameter.name })),
  );
  const isTooLarge = ({ constraint }: { constraint: string }) => constraint === "maximum";
  return [faults.filter((fault) => !isTooLarge(fault)), faults.filter(isTooLarge)]
    .flatMap((some) => sampledFrom(settings.seed, `beside ${operation.key}`, some))
    .map(({ name, text }) => ({ [name]: text }));
}

/**
 * Reads the second page with other requests before it. A faulty service may take the second page from the
 * latest list, or start again after a rejection. Without a second page, the list is read under one of its
 * filters.
 */
async function readAroundSecondPage(
  target: Target,
  plan: RequestPlan,
  faulty: readonly Record<string, string>[],
): Promise<void> {
  const { operation, version } = plan;
  const { schemas } = target.spec;
  const filtered = (operation.list?.filters ?? []).flatMap(({ name, schema }) =>
    (schemas.flatten(schema).enum ?? []).flatMap((value) =>
      typeof value === "string" ? [withQuery(plan, { [name]: value })] : [],
    ),
  );
  const next = secondPage(target, plan);
  const second = next && withQuery(plan, next);
  const others = second
    ? [
        ...faulty.map((query) => withQuery(plan, query)),
        ...[withoutToken(target, plan)].filter((each) => each !== undefined),
        ...allowedOf(target, operation)
          .filter((other) => other !== version)
          .map((other) => ({ ...plan, version: other })),
      ]
    : [];
  const [between] = sampledFrom(target.settings.seed, `beside ${operation.key}`, [...filtered, ...others]);
  if (!between) return;
  await target.send(plan, { role: "between", valid: true });
  for (const each of second ? [second, between, second] : [between])
    await target.send(each, { role: "probe" });
}

/** Returns the queries for pages beside an item. The next request may page backwards, too. */
function besideItems(target: Target, operation: Operation): Record<string, string>[] {
  const { after, before, limit } = operation.list ?? {};
  const page = target
    .history()
    .lists.pages(operation)
    .find(({ ids }) => ids.length > ITEMS_BETWEEN);
  const first = page?.ids[0];
  const later = page?.ids[ITEMS_BETWEEN];
  if (!before || first === undefined || later === undefined) return [];
  const size = limit ? { [limit.name]: String(smallestSize(operation)) } : {};
  const preceding = { ...size, [before.name]: later };
  if (after?.cursor !== "item") return [preceding];
  const between = { ...preceding, [after.name]: first };
  return [between, preceding, between];
}

function secondPage(target: Target, plan: RequestPlan): Record<string, string> | undefined {
  const { list } = plan.operation;
  const isOfPlan = ({ entry }: ListPage) =>
    entry.version === plan.version && sameJson(entry.request.query, plan.query);
  const { next } = target.history().lists.pages(plan.operation).find(isOfPlan) ?? {};
  return list?.after?.cursor === "token" && typeof next === "string"
    ? { [list.after.name]: next }
    : undefined;
}

const ITEMS_BETWEEN = 3;

/** Sends the read in a space that does not exist. */
export async function readUnknownSpace(target: Target, { operation, version }: RequestPlan): Promise<void> {
  if (operation.space && hasUnknownSpace(target, operation.space.schema))
    await sendInUnknownSpace(new Call(target, operation, version));
}
