import { Call } from "../../client/call.ts";
import { lateAtTheEnd } from "../../client/eventually.ts";
import { isAccepted, nextOf, type Probe, resultOf, type Target } from "../../client/target.ts";
import { allowedOf, sampleNumber, sendsAll } from "../../client/version-choice.ts";
import { withQuery } from "../../generators/request.ts";
import { isInSpace } from "../../history/entry.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { isUndecided, MIN_DIFFERENCES } from "../../history/lists/pairs.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { allowedSizes, largestSize, smallestSize } from "../../spec/page-sizes.ts";
import { comparedSizes, isFaulty } from "../shared/followed-lists.ts";
import { readUntilDecided, sizesFollowed, waitForCopies } from "../shared/list-reads.ts";
import { ensureItems } from "../shared/own-items.ts";
import { mustReadList, readList } from "../shared/read-list.ts";
import { plainProbe, probeOf } from "../shared/sampled.ts";
import { pagesAfterUpdates } from "../updates/lists/pages-after-updates.ts";
import { cursorUses, hasSameItems, showsOtherItems } from "./cursor-uses.ts";

const MOST_PAGES_TO_THE_END = 60;

/** Reads the list under each allowed version, after it has items. */
export function listProbe(name: string, list: Operation, read: (call: Call) => Promise<unknown>): Probe {
  return plainProbe(name, list, "read", ({ target }) => readUnderEachVersion(target, list, read));
}

/** Reads under each allowed version at the same time, after the list has items. */
export async function readUnderEachVersion(
  target: Target,
  list: Operation,
  ask: (call: Call) => Promise<unknown>,
): Promise<void> {
  await ensureItems(target, list);
  await Promise.all(allowedOf(target, list).map((version) => ask(new Call(target, list, version))));
}

/** Reads under the default version and another one, at depth full under all. */
export async function readUnderSampledVersions(
  target: Target,
  list: Operation,
  purpose: string,
  ask: (call: Call) => Promise<void>,
): Promise<void> {
  const calls = allowedOf(target, list).map((version) => new Call(target, list, version));
  const others = calls.filter((call) => !call.isDefaultVersion);
  const sample = sampleNumber(target.settings.seed, `${purpose} ${list.id}`);
  const some = sendsAll(target) ? others : others.filter((_, index) => index === sample % others.length);
  await ensureItems(target, list);
  await Promise.all([...calls.filter((call) => call.isDefaultVersion), ...some].map(ask));
}

/** Reads the list to its end with pages of several sizes, until the rules can decide. */
export function readInSizes(list: Operation): Probe {
  return listProbe("pages", list, async (call) => {
    const whole = await mustReadList(call);
    const ways = list.list?.limit ? sizesFollowed(call, whole.ids.length) : [{ again: true }];
    await Promise.all(ways.map((way) => readList(call, way)));
    await readUntilDecided(call, {}, (history) => {
      const compared = comparedSizes(history, list);
      // Other page sizes would probably show the same violation.
      return compared.some(isFaulty) ? [] : compared.filter(isUndecided);
    });
    if (call.sendsAll && !whole.complete) await readList(call, { mostPages: MOST_PAGES_TO_THE_END });
  });
}

/** Sends the first cursor of the run once more at its end, when a faulty service may have forgotten it. */
export const oldestCursor = probeOf("oldest cursor", "aftermath", async (byDefault) => {
  const { target } = byDefault;
  await lateAtTheEnd(target);
  const page = firstWithNext(target, byDefault.operation);
  const { after } = byDefault.operation.list ?? {};
  if (!page || !after || page.next === null) return;
  const call = byDefault.under(page.entry.version);
  const plan = { ...call.request(), query: page.entry.request.query };
  await target.send(withQuery(plan, { [after.name]: page.next }), { role: "oldest cursor", valid: true });
  await readUntilDecided(call, {}, (history) =>
    comparedSizes(history, byDefault.operation).filter(isUndecided),
  );
});

/** Returns the page whose cursor was last issued longest ago. Sized lists compare only sized pages. */
function firstWithNext(target: Target, list: Operation): ListPage | undefined {
  const latest = new Map<string, ListPage>();
  const isSized = list.list?.limit !== undefined;
  for (const page of target.history().lists.pages(list))
    if (
      page.next !== null &&
      isInSpace(page.entry, target.settings.space) &&
      isSized === (page.size !== null)
    )
      latest.set(`${page.listKey} ${page.next}`, page);
  return [...latest.values()].sort((one, other) => one.entry.begun - other.entry.begun)[0];
}

const MOST_SIZES = 500;
/** The number of page sizes that follow if the first leaves doubt. */
const FURTHER_SIZES = 3;

/** Sends a cursor twice, which must show the same page. */
export const cursorsAgain = probeOf("cursors again", "read", ({ target, operation: list }) =>
  readUnderSampledVersions(target, list, "cursors again", async (call) => {
    const [preferred, others] = await sizesToRepeat(call);
    for (const size of preferred) await repeatCursor(call, size);
    if (isDoubtful(call)) await waitForCopies(call);
    for (const size of others) if (isDoubtful(call)) await repeatCursor(call, size, { again: true });
  }),
);

/** True if repeated cursors show other pages too rarely to rule out chance. */
function isDoubtful({ target, operation, version }: Call): boolean {
  const uses = cursorUses(target.history(), operation).filter(({ again }) => again.entry.version === version);
  return !uses.every(hasSameItems) && uses.filter(showsOtherItems).length < MIN_DIFFERENCES;
}

/** Returns sizes of pages whose cursors are sent again. Later rounds prefer sizes that no earlier one used. */
async function sizesToRepeat(call: Call): Promise<[preferred: number[], others: number[]]> {
  const { operation, target, version } = call;
  const whole = await mustReadList(call);
  const followed = sizesFollowed(call, whole.ids.length).map(({ size }) => size);
  const rounds = await target.memoizeUnjudged(`cursors repeated ${operation.id} ${version}`, async () => ({
    count: 0,
  }));
  const smallest = Number(smallestSize(operation));
  const length = Math.min(largestSize(operation) - smallest, MOST_SIZES, whole.ids.length);
  const all = Array.from({ length }, (_, index) => smallest + index);
  const unused = allowedSizes(operation, all).filter((size) => !followed.includes(size));
  // Each round begins with new sizes.
  const others = unused.slice(rounds.count++ * (1 + FURTHER_SIZES));
  const preferred = rounds.count > 1 && others.length > 0 ? others : followed.toSorted((a, b) => a - b);
  const first = preferred.slice(0, 1);
  return [first, others.filter((size) => !first.includes(size)).slice(0, FURTHER_SIZES)];
}

/** Asks for the second page once more with the same cursor, and for the list if the pages differ. */
async function repeatCursor(call: Call, size: number, { again: isNewRead = false } = {}): Promise<void> {
  const after = call.operation.list?.after?.name ?? "";
  await readList(call, { mostPages: 1, again: isNewRead });
  const [first, second] = (await readList(call, { size, mostPages: 2, again: isNewRead })).answers;
  const cursor = first && isAccepted(first) ? nextOf(first) : null;
  if (!first || !second || cursor === null || !isAccepted(second)) return;
  const plan = withQuery(first.plan, { [after]: cursor });
  const again = await call.target.send(plan, { role: "again", valid: true });
  if (!sameJson(resultOf(again), resultOf(second))) await readList(call, { mostPages: 1, again: true });
}

/** Returns the probes that follow the list, also after updates. */
export function probesToFollow({ operation }: { operation: Operation }, spec: Spec): Probe[] {
  return [readInSizes(operation), oldestCursor(operation), ...pagesAfterUpdates(spec, operation)];
}
