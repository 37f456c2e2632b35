import type { Call } from "../../client/call.ts";
import { isInSpace } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import type { ListComparison } from "../../history/lists/pairs.ts";
import { allowedSizes, defaultSize, largestSize, smallestSize } from "../../spec/page-sizes.ts";
import { MOST_PAGES, type ReadListOptions, readList, sampledIndex } from "./read-list.ts";

/** Several attempts, because other clients may change the list between reads. */
const MOST_ATTEMPTS = 4;
const FEWER_ATTEMPTS = 2;
/** Milliseconds to wait after the consistency timeout. */
const MORE_MS = 50;

/**
 * Reads again until `undecided` returns nothing. `reference` reads around it show if the list changed. Probes of one list
 * take turns, because the reads of one may decide for the others.
 */
export function readUntilDecided(
  call: Call,
  reference: ReadListOptions,
  undecided: (history: History) => ListComparison<unknown>[],
  readAgain = ({ size, filters, pages }: ListRead): Promise<unknown> =>
    readList(call, { size, query: filters, mostPages: Math.max(pages.length, 2), again: true }),
): Promise<void> {
  const { target, operation, version } = call;
  return target.withWriteLock(`undecided reads of ${operation.id} ${version}`, async () => {
    const drifting = await target.memoize("lists that drift", async () => new Set<string>());
    const most = drifting.has(operation.id) ? FEWER_ATTEMPTS : MOST_ATTEMPTS;
    for (let attempt = 1; ; attempt++) {
      const open = undecided(target.history()).find(({ pair: { read } }) => {
        const entry = read.pages[0]?.entry;
        return entry?.version === version && isInSpace(entry, target.settings.space);
      });
      if (!open) return;
      if (attempt > most) break;
      if (attempt === 1) {
        await waitForCopies(call);
        await readList(call, { ...reference, again: true });
      }
      await readAgain(open.pair.read);
      await readList(call, { ...reference, again: true });
    }
    drifting.add(operation.id);
  });
}

/** Lets all copies of the list show the resources of the run. */
export function waitForCopies({ target, operation }: Call): Promise<void> {
  return target.memoize(`copies of ${operation.id} catch up`, () =>
    target.pause(target.settings.visibilityDelay + MORE_MS),
  );
}

interface SizedRead extends ReadListOptions {
  size: number;
  mostPages: number;
}

/** Pages to read. The same order over five pages is no coincidence. */
const SMALLEST_PAGES = 5;
const FEWER_PAGES = 3;
const SMALLEST_FACTOR = 2;
const MOST_SIZES = 64;

/** Returns the page sizes to follow a list of `known` items in, with the number of pages. */
export function sizesFollowed(call: Call, known: number): SizedRead[] {
  const { operation } = call;
  const minimum = Number(smallestSize(operation));
  const largest = largestSize(operation);
  const byDefault = defaultSize(operation);
  if (!call.isDefaultVersion) {
    const small = minimum + SMALLEST_FACTOR + call.versions.indexOf(call.version);
    return sizedReads(call, [small, ...halfOf(call, known)], () => FEWER_PAGES);
  }
  const reaching = Math.ceil(known / MOST_PAGES);
  const most = Math.max(minimum + 1, Math.min(byDefault - 1, Math.floor((known - 1) / 2)));
  const small = sampledBetween(call, "small", Math.max(minimum + 1, reaching), most);
  const mid = sampledBetween(call, "mid", byDefault + 1, largest - 1);
  const sizes = [byDefault, small, mid, ...(call.sendsAll ? edgeSizes(call) : []), minimum];
  return sizedReads(call, sizes, (size) => (size === minimum ? SMALLEST_PAGES : pagesWorth(size, known)));
}

function halfOf(call: Call, known: number): number[] {
  if (!call.sendsAll || known < 2) return [];
  const half = Math.min(Math.ceil(known / 2), largestSize(call.operation) - 1);
  return allowedSizes(call.operation, [half]);
}

function pagesWorth(size: number, known: number): number {
  return known <= size * MOST_PAGES ? MOST_PAGES : FEWER_PAGES;
}

function sampledBetween(call: Call, purpose: string, least: number, most: number): number {
  return least >= most ? most : least + sampledIndex(call, purpose, most - least + 1);
}

function edgeSizes({ operation }: Call): number[] {
  const byDefault = defaultSize(operation);
  const largest = largestSize(operation);
  const middle = Math.floor(largest / 2);
  return [byDefault - 1, byDefault + 1, middle, middle + 1, largest - 1, Number(smallestSize(operation)) + 1];
}

function sizedReads({ operation }: Call, sizes: number[], pagesOf: (size: number) => number): SizedRead[] {
  const largest = largestSize(operation);
  const allowed = new Set(allowedSizes(operation, sizes));
  const wanted = [...new Set(sizes)].filter((size) => allowed.has(size) && size < largest);
  const some = wanted.length > 0 ? wanted : [largest];
  return some.map((size) => ({ size, mostPages: pagesOf(size) }));
}

/** Returns the page sizes to read a first page in. */
export function sizesAsked(call: Call, known: number): number[] {
  const { operation, version, versions } = call;
  const largest = largestSize(operation);
  const followed = [largest, ...sizesFollowed(call, known).map(({ size }) => size)];
  if (!call.sendsAll) return [...new Set(followed)];
  const { maximum } = operation.list?.limit?.schema ?? {};
  const minimum = Number(smallestSize(operation));
  const isCountable = maximum !== undefined && maximum - minimum < MOST_SIZES;
  const every = isCountable ? Array.from({ length: maximum - minimum }, (_, index) => minimum + index) : [];
  const own = every.filter((size) => versions[size % versions.length] === version);
  return [
    ...new Set([
      ...followed,
      ...allowedSizes(operation, [minimum, defaultSize(operation), ...edgeSizes(call), ...own]),
    ]),
  ];
}
