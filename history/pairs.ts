import { groupedBy } from "../spec/grouped.ts";
import { sameJson } from "../spec/json.ts";
import { type Entry, endOf as endOfEntry } from "./entry.ts";
import { type ListPage, type ListRead, placeOfCursor } from "./lists.ts";

export interface ListPair {
  before: ListRead;
  read: ListRead;
  after: ListRead | null;
  /** `still`: the reads before and after are equal. `moved`: they differ. `unknown`: there is no read after. */
  stood: "still" | "moved" | "unknown";
}

export interface Settled<D> {
  pair: ListPair;
  difference: D | null;
  verdict: "agrees" | "differs" | "moved" | "open";
}

export interface Bracketing {
  isReference(read: ListRead): boolean;
  isCompared(read: ListRead): boolean;
  isSame?(one: ListRead, other: ListRead): boolean;
  reaches?(reference: ListRead, read: ListRead): boolean;
  /** A value that changes whenever the list does. Default: the ids in order. */
  state?(read: ListRead): unknown;
}

/** Pairs each compared read with the reference reads before and after it, which show if the list changed. */
export function bracketed(
  reads: readonly ListRead[],
  {
    isReference,
    isCompared,
    isSame = (one, other) => one.question === other.question,
    reaches = (reference, { ids }) => hasEnd(reference) || reference.ids.length >= ids.length,
    state = ({ ids }) => ids,
  }: Bracketing,
): ListPair[] {
  const references = reads.filter(isReference);
  return reads.filter(isCompared).flatMap((read): ListPair[] => {
    const same = references.filter((each) => each !== read && isSame(each, read));
    const earlier = same.filter((each) => lastOf(each) < firstOf(read));
    const latest = earlier.findLast((each) => reaches(each, read)) ?? earlier.at(-1);
    const before = isReference(read) ? read : latest;
    if (!before) return [];
    const after = same.find((each) => firstOf(each) > lastOf(read) && reachesAsFar(each, before)) ?? null;
    const isStill = after && before.end === after.end && sameJson(state(before), state(after));
    return [{ before, read, after, stood: after === null ? "unknown" : isStill ? "still" : "moved" }];
  });
}

export function hasEnd({ end }: ListRead): boolean {
  return end !== "not-followed";
}

function reachesAsFar(one: ListRead, other: ListRead): boolean {
  return hasEnd(one) || one.pages.length >= other.pages.length;
}

function firstOf({ pages }: ListRead): number {
  return pages[0]?.entry.begun ?? 0;
}

function lastOf({ pages, refused }: ListRead): number {
  return (refused ?? pages.at(-1)?.entry)?.ended ?? 0;
}

/** One difference proves nothing: a list may change and change back, or a replica may lag. */
export const MIN_DIFFERENCES = 2;

/**
 * Returns a verdict for each list with its filters and page size. A difference counts if it shows twice while the
 * list does not change, and no later read agrees.
 */
export function settled<D>(
  pairs: readonly ListPair[],
  differenceOf: (pair: ListPair) => D | null,
  agreesInMotion: (pair: ListPair) => boolean = () => false,
): Settled<D>[] {
  const groups = groupedBy(pairs, ({ read }) => `${read.question} ${read.size}`);
  return [...groups.values()].flatMap((group) => settledGroup(group, differenceOf, agreesInMotion));
}

function settledGroup<D>(
  group: readonly ListPair[],
  differenceOf: (pair: ListPair) => D | null,
  agreesInMotion: (pair: ListPair) => boolean,
): Settled<D>[] {
  let last: Settled<D> | undefined;
  let still = 0;
  for (const pair of group) {
    const difference = differenceOf(pair);
    if (difference === null || (pair.stood === "moved" && agreesInMotion(pair))) {
      // A shorter read may end before the place of the difference, so it proves no agreement.
      if (last?.difference && !goesAsFar(pair.read, last.pair.read)) continue;
      still = 0;
      last = { pair, difference: null, verdict: "agrees" };
      continue;
    }
    if (pair.stood === "still") still++;
    if (still >= MIN_DIFFERENCES) last = { pair, difference, verdict: "differs" };
    else if (last?.verdict !== "agrees")
      last = { pair, difference, verdict: pair.stood === "moved" ? "moved" : "open" };
  }
  return last ? [last] : [];
}

function goesAsFar(one: ListRead, other: ListRead): boolean {
  return one.end === "last-page" || one.ids.length >= other.ids.length;
}

export interface PagePair {
  first: ListPage;
  again: ListPage;
  stood: ListPair["stood"];
  age: number | undefined;
}

export function repeatedPages(
  pages: readonly ListPage[],
  isReference: (page: ListPage) => boolean,
): PagePair[] {
  const shown = new Map<string, ListPage>();
  const references = pages.filter((page) => page.answer === "shown" && isReference(page));
  const pairs: PagePair[] = [];
  for (const again of pages) {
    const place = placeOfCursor(again, again.cursor ?? "");
    const first = shown.get(place);
    if (first && again.answer !== "unreadable" && first.entry.ended < again.entry.begun) {
      const given = pages.findLast((page) => returnedCursorOf(page, again));
      const uses = [...(given ? [given] : []), first, again];
      pairs.push({ first, again, stood: stoodAround(references, uses), age: given && ageOf(given, again) });
    }
    if (again.answer === "shown") shown.set(place, again);
  }
  return pairs;
}

function returnedCursorOf({ next, question, entry }: ListPage, used: ListPage): boolean {
  return (
    next !== null && next === used.cursor && question === used.question && entry.ended < used.entry.begun
  );
}

function stoodAround(references: ListPage[], uses: ListPage[]): ListPair["stood"] {
  const same = references.filter(({ question }) => question === uses[0]?.question);
  const begun = Math.min(...uses.map(({ entry }) => entry.begun));
  const ended = Math.max(...uses.map(({ entry }) => entry.ended));
  const before = same.findLast(({ entry }) => entry.ended < begun);
  const after = same.find(({ entry }) => entry.begun > ended);
  if (!before || !after) return "unknown";
  // Equal pages before and after say nothing about items after their ends, or items that others added and removed in
  // between.
  const known = new Set(before.ids);
  const entries = uses.map(({ entry }) => entry);
  const isLong = idleBetween(before.entry, entries, after.entry) > SHORT;
  if (!uses.every(({ ids }) => ids.every((id) => known.has(id))) || isLong) return "unknown";
  return sameJson(before.ids, after.ids) ? "still" : "moved";
}

/** Milliseconds. In less time, other clients hardly change a list and change it back. */
const SHORT = 1_000;

function idleBetween(one: Entry, between: Entry[], other: Entry): number {
  const busy = between.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return other.startedAt - endOfEntry(one) - busy;
}

function ageOf(given: ListPage, { entry }: ListPage): number {
  return entry.startedAt - endOfEntry(given.entry);
}
