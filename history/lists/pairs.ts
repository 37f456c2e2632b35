import { groupedBy } from "../../spec/grouped.ts";
import { sameJson } from "../../spec/json.ts";
import { type Entry, endOf } from "../entry.ts";
import { canBeCompared, type ListPage, type ListRead, placeOfCursor } from "./lists.ts";

/** `unknown` means that nothing shows if the list changed. */
type ListState = "unchanged" | "changed" | "unknown";

export interface ListPair {
  before: ListRead;
  read: ListRead;
  after: ListRead | null;
  listState: ListState;
}

export interface ListComparison<D> {
  pair: ListPair;
  difference: D | null;
  /** `list-changed` and `open` mean that a change of the list may explain the difference. */
  verdict: "agrees" | "differs" | "list-changed" | "open";
}

interface Pairing {
  isReference(read: ListRead): boolean;
  isCompared(read: ListRead): boolean;
  isSame?(one: ListRead, other: ListRead): boolean;
  /** True if the reference shows as much as the read needs. */
  reaches?(reference: ListRead, read: ListRead): boolean;
  /** Returns a value that changes whenever the list does. Default: the ids. */
  state?(read: ListRead): unknown;
}

/** Pairs each read with references before and after, which show if the list changed. */
export function pairedWithReferences(
  reads: readonly ListRead[],
  {
    isReference,
    isCompared,
    isSame = (one, other) => one.listKey === other.listKey,
    reaches = (reference, { ids }) => hasEnd(reference) || reference.ids.length >= ids.length,
    state = ({ ids }) => ids,
  }: Pairing,
): ListPair[] {
  const references = reads.filter(isReference);
  const pairs: ListPair[] = [];
  for (const read of reads.filter(isCompared)) {
    const same = references.filter((reference) => reference !== read && isSame(reference, read));
    const earlier = same.filter((each) => lastEnded(each) < firstBegun(read));
    const latest = earlier.findLast((each) => reaches(each, read)) ?? earlier.at(-1);
    const before = isReference(read) ? read : latest;
    if (!before) continue;
    const after =
      same.find((each) => firstBegun(each) > lastEnded(read) && reachesAsFar(each, before)) ?? null;
    pairs.push({ before, read, after, listState: listStateBetween(before, after, state) });
  }
  return pairs;
}

function listStateBetween(
  before: ListRead,
  after: ListRead | null,
  state: (read: ListRead) => unknown,
): ListState {
  if (after === null) return "unknown";
  return before.end === after.end && sameJson(state(before), state(after)) ? "unchanged" : "changed";
}

/** True if the list was read until its last page, a loop or a rejection. */
export function hasEnd({ end }: ListRead): boolean {
  return end !== "not-followed";
}

function reachesAsFar(one: ListRead, other: ListRead): boolean {
  return hasEnd(one) || one.pages.length >= other.pages.length;
}

/** Returns when the first page was asked for, as a position in the history. */
export function firstBegun({ pages }: ListRead): number {
  return pages[0]?.entry.begun ?? 0;
}

function lastEnded({ pages, rejected }: ListRead): number {
  return (rejected ?? pages.at(-1)?.entry)?.ended ?? 0;
}

/** A list may change and change back, or a replica may lag, so one difference proves nothing. */
export const MIN_DIFFERENCES = 2;

/** Returns a verdict for each list, filters and size: two differences at rest, unless a later read agrees. */
export function comparedLists<D>(
  pairs: readonly ListPair[],
  differenceOf: (pair: ListPair) => D | null,
  agreesInMotion: (pair: ListPair) => boolean = () => false,
): ListComparison<D>[] {
  const groups = groupedBy(pairs, ({ read }) => `${read.listKey} ${read.size}`);
  return [...groups.values()]
    .map((group) => latestComparison(group, differenceOf, agreesInMotion))
    .filter((comparison) => comparison !== undefined);
}

/** True if further reads may decide. */
export function isUndecided({ verdict }: { verdict: string }): boolean {
  return verdict === "open" || verdict === "list-changed";
}

/** Returns the pair that decides: the latest that agrees, or one of enough differences in unchanged lists. */
function latestComparison<D>(
  pairs: readonly ListPair[],
  differenceOf: (pair: ListPair) => D | null,
  agreesInMotion: (pair: ListPair) => boolean,
): ListComparison<D> | undefined {
  let latest: ListComparison<D> | undefined;
  let differencesAtRest = 0;
  for (const pair of pairs) {
    const difference = differenceOf(pair);
    const isChanged = pair.listState === "changed";
    if (difference === null || (isChanged && agreesInMotion(pair))) {
      // A shorter read may end before the difference, and proves less than a longer one.
      if (latest && !goesAsFar(pair.read, latest.pair.read)) continue;
      differencesAtRest = 0;
      latest = { pair, difference: null, verdict: "agrees" };
      continue;
    }
    if (pair.listState === "unchanged" && !mayBeLate(pair)) differencesAtRest++;
    if (differencesAtRest >= MIN_DIFFERENCES) latest = { pair, difference, verdict: "differs" };
    else if (latest?.verdict !== "agrees" || !goesAsFar(latest.pair.read, pair.read))
      latest = { pair, difference, verdict: isChanged ? "list-changed" : "open" };
  }
  return latest;
}

/** True if a page soon after a create is among them. Copies may lag differently, so they may differ then. */
function mayBeLate({ before, read }: ListPair): boolean {
  return [before, read].some(({ pages }) => pages.some((page) => page.mayBeLate));
}

function goesAsFar(one: ListRead, other: ListRead): boolean {
  return one.end === "last-page" || one.ids.length >= other.ids.length;
}

/** Two pages that were read with the same cursor. */
export interface PagePair {
  first: ListPage;
  again: ListPage;
  listState: ListState;
  /** Milliseconds from the receipt of the cursor, if known, to its second use. */
  cursorAgeMs: number | undefined;
}

/** Pairs each page with the latest earlier one of its cursor. */
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
    if (first && canBeCompared(again) && first.entry.ended < again.entry.begun) {
      const giver = pages.findLast((page) => returnedCursorOf(page, again));
      const uses = giver ? [giver, first, again] : [first, again];
      const cursorAgeMs = giver && again.entry.startedAt - endOf(giver.entry);
      pairs.push({ first, again, listState: listStateAround(references, uses), cursorAgeMs });
    }
    if (again.answer === "shown") shown.set(place, again);
  }
  return pairs;
}

function returnedCursorOf({ next, listKey, entry }: ListPage, used: ListPage): boolean {
  return next !== null && next === used.cursor && listKey === used.listKey && entry.ended < used.entry.begun;
}

/** Tells from reads before and after whether the list stayed the same during these uses. */
function listStateAround(references: readonly ListPage[], uses: readonly ListPage[]): ListState {
  if (uses.some((page) => page.mayBeLate)) return "unknown";
  const same = references.filter(({ listKey }) => listKey === uses[0]?.listKey);
  const entries = uses.map(({ entry }) => entry);
  const begun = Math.min(...entries.map((entry) => entry.begun));
  const ended = Math.max(...entries.map((entry) => entry.ended));
  const before = same.findLast(({ entry }) => entry.ended < begun);
  const after = same.find(({ entry }) => entry.begun > ended);
  if (!before || !after) return "unknown";
  // Equal references say nothing about items beyond their ends, or about undone changes.
  const known = new Set(before.ids);
  const hasOtherItems = uses.some(({ ids }) => ids.some((id) => !known.has(id)));
  if (hasOtherItems || idleMsBetween(before.entry, entries, after.entry) > SHORT_MS) return "unknown";
  return sameJson(before.ids, after.ids) ? "unchanged" : "changed";
}

/** In less time, a list hardly changes and changes back. */
const SHORT_MS = 1_000;

function idleMsBetween(one: Entry, between: readonly Entry[], other: Entry): number {
  const busyMs = between.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return other.startedAt - endOf(one) - busyMs;
}
