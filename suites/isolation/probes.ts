import type { Call } from "../../client/call.ts";
import { idOf } from "../../client/creations.ts";
import { withSpace } from "../../client/samples.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { type Answer, asText, type Probe, resourceOf } from "../../client/target.ts";
import { sampledAtQuick, sampledVersion } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withLargestPage, withQuery } from "../../generators/request.ts";
import { pagingOfOthers } from "../../history/lists/lists-of-creates.ts";
import { isCounter } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isPart, isUndocumented } from "../../spec/operations.ts";
import { pagesFrom } from "../shared/read-list.ts";
import { plainProbe, probeOf, sampledProbe } from "../shared/sampled.ts";
import { REJECTED_UPDATES, sendInUnknownSpace, updatesFromOtherSpaces } from "../updates/rejected-updates.ts";
import {
  inOtherSpace,
  itemsOfFirst,
  listOfSecond,
  MOST_PAGES,
  otherSpacesOf,
  queriesOfFirst,
  readPagesOf,
  readPagesOfSecond,
  recordOfSecond,
  waysToOther,
} from "./other-spaces.ts";
import type { OtherSpace } from "./shown-in-spaces.ts";

/** Reads resources and lists of the first space from the second, or from one that does not exist. */
export function readsFrom(where: OtherSpace, operation: Operation): Probe {
  const { id, list, read } = READS[where];
  return plainProbe(id, operation, "read", async (call) => {
    const { target } = call;
    inOtherSpace(target, requestTo(operation, null), where);
    const sampled = sampledVersion(target, operation, REJECTED_UPDATES);
    const ask = operation.kind === "list" ? list : read;
    // Each version is asked at the same time, and one thoroughly.
    await sideBySide(call.allowed, (version) =>
      ask(call.under(version), call.sendsAll || version === sampled),
    );
  });
}

/** Reads in both spaces at the same time. A faulty service may mix up the spaces of simultaneous reads. */
export const inBothSpacesAtOnce = probeOf("reads in both spaces at once of", "race", async (call) => {
  const plan = await call.valid();
  const there = inOtherSpace(call.target, plan, "second");
  // The space that the service sees last may decide, so the second is in the middle.
  await Promise.all([plan, there, plan].map((each) => call.send(each)));
});

type Ask = (call: Call, isThorough: boolean) => Promise<void>;

const READS: Record<OtherSpace, { id: string; list: Ask; read: Ask }> = {
  second: { id: "second space", list: listInSecond, read: readInSecond },
  unknown: { id: "space that does not exist", list: listInUnknown, read: readInUnknown },
};

/** Lists the second space, and if thorough also with the cursors and filter values of the first one. */
async function listInSecond(call: Call, isThorough: boolean): Promise<void> {
  const items = await itemsOfFirst(call);
  const plan = await call.valid();
  // The first space is read before, because a service may cache its answer.
  if (isThorough) await call.target.send(withLargestPage(plan), { valid: true });
  await listOfSecond(call, withLargestPage(plan));
  if (!isThorough) return;
  if (call.operation.outer.length === 0) {
    // At depth quick, other probes read the first space.
    if (call.sendsAll) await readPagesOf(call, plan);
    await readPagesOfSecond(call);
  }
  for (const makeQuery of queriesOfFirst(call.operation)) {
    const query = await makeQuery(call, items);
    if (query) await call.send(withQuery(inOtherSpace(call.target, plan, "second"), query));
  }
}

/** Reads a resource of the first space in the second one. */
async function readInSecond(call: Call, isThorough: boolean): Promise<void> {
  const { sameRecord, outer } = call.operation;
  if (!isThorough) return;
  const plan = await call.valid();
  await tagPart(call, plan);
  const own = await call.target.send(plan, { valid: true });
  const others = (sameRecord?.by ?? []).slice(1).flatMap((name) => asText(resourceOf(own)?.[name]) ?? []);
  const named = [...others.map((path) => ({ ...plan, path })), plan];
  const ways = named.flatMap((each) => waysToOther(call.target, each, "second"));
  for (const way of ways) await call.send(way);
  if (!sameRecord || outer.length > 0) return;
  const theirs = await recordOfSecond(call);
  await call.send({ ...theirs.plan, space: "first" });
}

/** Updates the part, so that it shows a text of this run. Parts of two resources may look alike otherwise. */
async function tagPart(call: Call, { path, outer }: RequestPlan): Promise<void> {
  const { spec, settings } = call.target;
  const update = spec.operations.find(
    (operation) =>
      operation.kind === "update" && operation.path === call.operation.path && isPart(spec, operation),
  );
  if (update === undefined || path === undefined || settings.readOnly) return;
  const own = call.to(update);
  await own.send({ ...(await own.fresh()), path, ...(outer ? { outer } : {}) });
}

/** Lists a space that does not exist, with the queries that show items in the first one. */
async function listInUnknown(call: Call, isThorough: boolean): Promise<void> {
  const { target, operation } = call;
  const items = await itemsOfFirst(call);
  await sendInUnknownSpace(call);
  if (!isThorough) return;
  const queries = queriesOfFirst(operation);
  for (const makeQuery of sampledAtQuick(target, `unknown space ${operation.key}`, queries)) {
    const query = await makeQuery(call, items);
    if (query) await call.send(withQuery(inOtherSpace(target, await call.valid(), "unknown"), query));
  }
}

async function readInUnknown(call: Call, isThorough: boolean): Promise<void> {
  if (!isThorough) return;
  await call.control();
  await sendInUnknownSpace(call);
}

/** Sends an accepted create with its key in each other space. */
export function keysInOtherSpaces(create: Operation): Probe {
  const send = async (call: Call) => {
    const own = await call.control();
    for (const where of otherSpacesOf(call))
      for (const way of waysToOther(call.target, own.plan, where))
        if (haveOneNumber(call, own, await call.send(way))) {
          // If each space counts, two other resources get one number, too.
          await call.send(await call.fresh());
          await call.send(inOtherSpace(call.target, await call.fresh(), where));
        }
  };
  return sampledProbe("keys in other spaces", create, "write", send, REJECTED_UPDATES);
}

/** True for two counted ids that are equal: each space may count its own resources. */
function haveOneNumber({ target }: Call, one: Answer, other: Answer): boolean {
  const [id, same] = [one, other].map((answer) => idOf(target, { answer }));
  return id !== undefined && isCounter(id) && id === same;
}

/** Updates a resource of the first space from each other space. */
export function updatesInOtherSpaces(update: Operation): Probe {
  return sampledProbe("updates in other spaces", update, "write", updatesFromOtherSpaces, REJECTED_UPDATES);
}

/** Reads undocumented lists in their own space, too, to see if they show created resources. */
export function listsInBothSpaces(create: Operation, list: Operation): Probe {
  return plainProbe("both spaces", list, "aftermath", async (call) => {
    const { target } = call;
    const valid = await call.valid();
    const plan = isUndocumented(list) ? withSpace(call.target, valid) : withLargestPage(valid);
    const there = inOtherSpace(target, plan, "second");
    await call.to(create).control();
    const { after } = list.list ?? pagingOfOthers(target.spec);
    const read = async (first: RequestPlan, isEnough: (page: Answer) => boolean) => {
      for await (const page of pagesFrom((each) => call.target.ask(each), first, MOST_PAGES, after))
        if (isEnough(page)) return;
    };
    if (isUndocumented(list)) {
      // A new resource may show in other spaces until its own list is read.
      await read(there, () => true);
      await read(plan, ({ text }) => text.includes(target.runId));
    }
    await read(there, () => false);
  });
}
