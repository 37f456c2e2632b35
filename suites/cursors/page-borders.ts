import type { History } from "../../history/history.ts";
import { type ListPage, pageBefore } from "../../history/lists/lists.ts";
import type { Violation } from "../../history/result.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** A page and the one behind its `next`. */
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
      const expected = "each item once";
      const actual = `${repeated} twice, at the end of a page and on the next`;
      return [violationOf("repeated", expected, actual, [page, following, again], following)];
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
      return [violationOf("missing", expected, actual, [before, page, following, after], following)];
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

function violationOf(
  difference: "repeated" | "missing",
  expected: string,
  actual: string,
  pages: readonly ListPage[],
  offending: ListPage,
): Violation {
  const shownBy = pages.map((page) =>
    page === offending ? { entry: page.entry, offending: "/result" } : { entry: page.entry },
  );
  return { certainty: "suspected", difference, expected, actual, shownBy };
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
