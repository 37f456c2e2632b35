import { createsById } from "../../history/creates/keys.ts";
import { type Entry, isWrite, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type ListPage, pageBefore } from "../../history/lists/lists.ts";
import { type Violation, violationBy } from "../../history/result.ts";
import { addTo, groupedBy } from "../../spec/grouped.ts";
import { sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";

/** Fewer reads of the first page may agree by chance. */
const LEAST_FIRST_PAGES = 3;
/** Fewer items beside the skipped one may be in the same order by chance. */
const FEWEST_IN_ORDER_BESIDE = 4;

/** Returns pages that repeat an item of the page before, though the list never changed. */
export function repeatedOverBorders(history: History, list: Operation): Violation[] {
  return unchangedLists(history, list).flatMap(({ pages, borders }) =>
    borders.flatMap(({ page, following }) => {
      const repeated = following.ids.find((id) => page.ids.includes(id));
      const again = repeated === undefined ? undefined : shownAgain(pages, page, following);
      if (!again) return [];
      const actual = `${repeated} twice, at the end of a page and on the next`;
      const facts = { difference: "repeated", expected: "each item once", actual } as const;
      const wrong = { entry: following.entry, offending: "/result" };
      return [violationBy("suspected", facts, page.entry, wrong, again.entry)];
    }),
  );
}

/** Returns pages that skip an item of larger pages between them and the page before, in the same order. */
export function leftOutOverBorders(history: History, list: Operation): Violation[] {
  return unchangedLists(history, list).flatMap(({ pages, borders }) =>
    borders.flatMap(({ page, following }) => {
      if (page.ids.length + following.ids.length < FEWEST_IN_ORDER_BESIDE) return [];
      const skippedIn = ({ ids }: ListPage) => between(ids, page.ids, following.ids)[0];
      const larger = pages.filter((other) => skippedIn(other) !== undefined);
      const before = larger.findLast(({ entry }) => entry.ended < page.entry.begun);
      const after = larger.find(({ entry }) => entry.begun > following.entry.ended);
      if (!before || !after || skippedIn(after) !== skippedIn(before)) return [];
      const expected = `${skippedIn(before)} behind ${page.ids.at(-1)}`;
      const actual = `${following.ids[0]} on the next page`;
      const wrong = { entry: following.entry, offending: "/result" };
      const facts = { difference: "missing", expected, actual } as const;
      return [violationBy("suspected", facts, before.entry, page.entry, wrong, after.entry)];
    }),
  );
}

/** Returns the ids of `whole` between two unbroken parts of it. */
function between(whole: string[], first: string[], second: string[]): string[] {
  const begin = whole.indexOf(first[0] ?? "");
  const end = whole.indexOf(second[0] ?? "");
  const isPart = (part: string[], at: number) => at >= 0 && sameJson(whole.slice(at, at + part.length), part);
  return isPart(first, begin) && isPart(second, end) ? whole.slice(begin + first.length, end) : [];
}

/** Returns the page as it was read after the following one, if it never showed anything else. */
function shownAgain(
  pages: readonly ListPage[],
  { size, cursor, ids }: ListPage,
  following: ListPage,
): ListPage | undefined {
  const reads = pages.filter((other) => other.size === size && other.cursor === cursor);
  if (!reads.every((read) => sameJson(read.ids, ids))) return undefined;
  return reads.find(({ entry }) => entry.begun > following.entry.ended);
}

/**
 * Returns the lists whose beginning was the same in the whole history, under any version. Changes by others or late
 * copies may explain differences of other lists.
 */
const unchangedLists = memoized(({ lists }: History, list: Operation) => {
  const shown = lists.pages(list).filter(({ answer, mayBeLate }) => answer === "shown" && !mayBeLate);
  const byView = groupedBy(shown, ({ entry, filters }) => JSON.stringify([entry.space, entry.path, filters]));
  return [...byView.values()].filter(isUnchanged).map((pages) => ({
    pages,
    borders: pages.filter(lists.isOfRound).flatMap((following) => {
      const page = pageBefore(pages, following);
      return page ? [{ page, following }] : [];
    }),
  }));
});

function isUnchanged(pages: readonly ListPage[]): boolean {
  const first = pages.filter(({ cursor }) => cursor === null);
  const isAlike = (reads: ListPage[]) => reads.every(({ ids }) => sameJson(ids, reads[0]?.ids));
  return (
    first.length >= LEAST_FIRST_PAGES && [...groupedBy(first, ({ size }) => size).values()].every(isAlike)
  );
}

interface EarlyEnd {
  before: ListPage;
  ended: ListPage;
  /** A later page that shows others behind the last item. */
  after: ListPage | undefined;
}

/** Returns the violations that a page had no next, although others followed its last item before and after. */
export function earlyEnds(history: History, list: Operation): Violation[] {
  const expected = "a next, because others followed the last item before and after";
  const facts = { difference: "too-few", expected, actual: "next null" } as const;
  return endsOf(history, list).flatMap(({ before, ended, after }): Violation[] => {
    const end = { entry: ended.entry, offending: "/pagination/next" };
    return after ? [violationBy("proven", facts, before.entry, end, after.entry)] : [];
  });
}

/** Returns the pages without a next that no later read judges. */
export function endsInDoubt(history: History, list: Operation): Entry[] {
  return endsOf(history, list).flatMap(({ ended, after }) => (after ? [] : [ended.entry]));
}

/**
 * Returns the pages without a next whose last item was followed by others before. Resources that the run made or wrote
 * may leave the list, so they do not count.
 */
const endsOf = memoized((history: History, list: Operation): EarlyEnd[] => {
  const pages = history.lists
    .pages(list)
    .filter((page) => page.answer === "shown" && isUnfiltered(list, page))
    .sort((one, other) => one.entry.begun - other.entry.begun);
  const made = createsById(history);
  const written = new Set(history.context.filter(isWrite).map(pathId));
  const isOther = (id: string) => !made.has(id) && !written.has(id);
  const goingOn = pagesGoingOn(pages, isOther);
  return pages.flatMap((ended): EarlyEnd[] => {
    const place = placeOf(ended, ended.ids.length - 1);
    const going = (ended.next === null && place !== undefined && goingOn.get(place)) || [];
    const [first] = going;
    // A cursor may show the list as it was when its walk began.
    const begun = first && walkBegun(pages, ended);
    if (!first || begun === undefined || first.entry.ended > begun) return [];
    // An item in both pages was there between them. Of different items, each may be a new one or removed since.
    const followers = (page: ListPage) => idsBehind(pages, page, ended.ids.at(-1) ?? "").filter(isOther);
    const earlier = going.filter(({ entry }) => entry.ended <= begun);
    for (const after of going.filter(({ entry }) => entry.begun > ended.entry.begun)) {
      const behind = followers(after);
      const before = earlier.find((page) => followers(page).some((id) => behind.includes(id)));
      if (before) return [{ before, ended, after }];
    }
    return [{ before: first, ended, after: undefined }];
  });
});

/** Returns the ids behind an item on its page, and all ids of the pages that follow. */
function idsBehind(pages: readonly ListPage[], { listKey, ids, next }: ListPage, id: string): string[] {
  const following = pages.filter((page) => page.listKey === listKey && next !== null && page.cursor === next);
  return [...ids.slice(ids.indexOf(id) + 1), ...following.flatMap((page) => page.ids)];
}

/** Returns when the walk began that led to this page, or `undefined` if its first page is not known. */
function walkBegun(pages: readonly ListPage[], page: ListPage | undefined): number | undefined {
  if (page === undefined || page.cursor === null) return page?.entry.begun;
  return walkBegun(pages, pageBefore(pages, page));
}

/** Returns the pages that show other items behind the item of each place. */
function pagesGoingOn(
  pages: readonly ListPage[],
  isOther: (id: string) => boolean,
): ReadonlyMap<string, ListPage[]> {
  const nextPages = pages.filter(({ cursor, ids }) => cursor !== null && ids.some(isOther));
  const leadsToOthers = new Set(nextPages.map(({ listKey, cursor }) => `${listKey} ${cursor}`));
  const found = new Map<string, ListPage[]>();
  for (const page of pages) {
    const last = page.ids.findLastIndex(isOther);
    const goesOn = page.next !== null && leadsToOthers.has(`${page.listKey} ${page.next}`);
    for (const index of page.ids.keys()) {
      const place = index < last || goesOn ? placeOf(page, index) : undefined;
      if (place !== undefined) addTo(found, place, page);
    }
  }
  return found;
}

/**
 * Returns equal texts for an item behind the same one. An item that is alone on its page is compared with the same page,
 * and the first of several with none.
 */
function placeOf({ listKey, ids, size, cursor }: ListPage, index: number): string | undefined {
  if (ids.length === 1) return JSON.stringify([listKey, size, cursor, ids[0]]);
  return index < 1 ? undefined : JSON.stringify([listKey, ids[index - 1], ids[index]]);
}
