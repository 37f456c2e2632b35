import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists.ts";
import type { Violation } from "../../history/result.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** A page and the one behind its `next`. */
interface Border {
  page: ListPage;
  following: ListPage;
}

/** Fewer reads of the first page may agree by chance. */
const LEAST_FIRST_PAGES = 3;
/** Fewer items beside the skipped one may be in the same order by chance. */
const FEWEST_IN_ORDER_BESIDE = 4;

/** Returns pages that repeat an item of the page before, though the list never changed. */
export function repeatedOverBorders(history: History, list: Operation): Violation[] {
  return bordersOf(history, list).flatMap(({ page, following }) => {
    const repeated = following.ids.find((id) => page.ids.includes(id));
    const again = shownAgain(history, list, page, following);
    if (repeated === undefined || !again) return [];
    const shownBy = [page, following, again].map((each) => shownIn(each, following));
    const actual = `${repeated} twice, at the end of a page and on the next`;
    return [{ certainty: "suspected", difference: "repeated", expected: "each item once", actual, shownBy }];
  });
}

/**
 * Returns pages that skip an item which larger pages show between them and the page before. Larger pages of another order prove
 * nothing.
 */
export function leftOutOverBorders(history: History, list: Operation): Violation[] {
  return bordersOf(history, list).flatMap(({ page, following }) => {
    if (page.ids.length + following.ids.length < FEWEST_IN_ORDER_BESIDE) return [];
    const others = unchangedPages(history, list).filter((each) => sameView(each, page));
    const skipped = (other: ListPage | undefined) => other && between(other.ids, page.ids, following.ids)[0];
    const before = others.findLast((each) => skipped(each) && each.entry.ended < page.entry.begun);
    const after = others.find((each) => skipped(each) && each.entry.begun > following.entry.ended);
    const next = skipped(before);
    if (!before || !after || next === undefined || skipped(after) !== next) return [];
    const shownBy = [before, page, following, after].map((each) => shownIn(each, following));
    const expected = `${next} behind ${page.ids.at(-1)}`;
    const actual = `${following.ids[0]} on the next page`;
    return [{ certainty: "suspected", difference: "missing", expected, actual, shownBy }];
  });
}

/** Returns the ids of `whole` between two unbroken parts of it. */
function between(whole: string[], first: string[], second: string[]): string[] {
  const begin = whole.indexOf(first[0] ?? "");
  const end = whole.indexOf(second[0] ?? "");
  const isPart = (part: string[], at: number) => at >= 0 && sameJson(whole.slice(at, at + part.length), part);
  return isPart(first, begin) && isPart(second, end) ? whole.slice(begin + first.length, end) : [];
}

function shownIn(page: ListPage, offending: ListPage): Violation["shownBy"][number] {
  return { entry: page.entry, ...(page === offending ? { offending: "/result" } : {}) };
}

function bordersOf(history: History, list: Operation): Border[] {
  const pages = unchangedPages(history, list);
  return pages.filter(history.lists.isOfRound).flatMap((following) => {
    const page = pages.findLast(
      (each) =>
        each.next !== null &&
        each.next === following.cursor &&
        each.listKey === following.listKey &&
        each.size === following.size &&
        each.entry.ended < following.entry.begun,
    );
    return page ? [{ page, following }] : [];
  });
}

/** Returns the same page as it was read after the following one, if it never showed anything else. */
function shownAgain(
  history: History,
  list: Operation,
  page: ListPage,
  following: ListPage,
): ListPage | undefined {
  const reads = unchangedPages(history, list).filter(
    (each) => sameView(each, page) && each.size === page.size && each.cursor === page.cursor,
  );
  if (!reads.every(({ ids }) => sameJson(ids, page.ids))) return undefined;
  return reads.find(({ entry }) => entry.begun > following.entry.ended);
}

function sameView(one: ListPage, other: ListPage): boolean {
  return viewOf(one) === viewOf(other);
}

function viewOf({ entry, filters }: ListPage): string {
  return JSON.stringify([entry.space, entry.path, filters]);
}

/**
 * Returns the pages of lists whose beginning was the same in the whole history. Changes by others or late copies may explain
 * differences of other lists.
 */
const unchangedPages = memoized((history: History, list: Operation): ListPage[] => {
  const shown = history.lists.pages(list).filter(({ answer, mayBeLate }) => answer === "shown" && !mayBeLate);
  return [...groupedBy(shown, viewOf).values()].filter(isUnchanged).flat();
});

function isUnchanged(pages: readonly ListPage[]): boolean {
  const first = pages.filter(({ cursor }) => cursor === null);
  const isAlike = (size: ListPage[]) => size.every(({ ids }) => sameJson(ids, size[0]?.ids));
  return (
    first.length >= LEAST_FIRST_PAGES && [...groupedBy(first, ({ size }) => size).values()].every(isAlike)
  );
}
