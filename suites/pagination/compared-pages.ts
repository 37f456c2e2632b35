import type { History } from "../../history/history.ts";
import type { ListPage, ListRead } from "../../history/lists/lists.ts";
import {
  comparedLists,
  hasEnd,
  type ListComparison,
  type ListPair,
  pairedWithReferences,
} from "../../history/lists/pairs.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { wholeSize } from "../../spec/page-sizes.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";

export interface WrongTotal {
  total: number;
  reached: number;
  isComplete: boolean;
}

/** Compares totals with the number of items that `next` leads to. */
export function comparedTotals(history: History, list: Operation): ListComparison<WrongTotal>[] {
  const whole = wholeSize(list);
  const reads = history.lists.reads(list).filter((read) => isUnfiltered(list, read) && showsEachOnce(read));
  const pairs = pairedWithReferences(reads, {
    isReference: ({ size }) => size === whole,
    isCompared: (read) => typeof totalOf(read) === "number",
    reaches: hasEnd,
  });
  const wrong = ({ before, read }: ListPair) => {
    const [total, reached] = [Number(totalOf(read)), before.ids.length];
    const isComplete = before.end === "last-page";
    return total < reached || (isComplete && total !== reached) ? { total, reached, isComplete } : null;
  };
  return comparedLists(pairs, wrong);
}

/**
 * Finds filtered lists of one page whose total is not the number of their items. Each read must show it, because a
 * service may count while the list changes.
 */
export function wrongFilteredTotals(history: History, list: Operation): ListRead[] {
  const whole = history.lists
    .reads(list)
    .filter((read) => read.pages.length === 1 && read.pages.every((page) => isWholeUnderFilter(list, page)));
  const isRight = (read: ListRead) => totalOf(read) === read.ids.length;
  const right = new Set(whole.filter(isRight).map(({ listKey }) => listKey));
  return whole.filter(({ listKey }) => !right.has(listKey));
}

/** True if the page is a whole filtered list with a total. */
export function isWholeUnderFilter(list: Operation, page: ListPage): boolean {
  const { cursor, next, answer, total } = page;
  return (
    !isUnfiltered(list, page) &&
    answer === "shown" &&
    cursor === null &&
    next === null &&
    typeof total === "number" &&
    showsEachOnce(page)
  );
}

export function totalOf({ pages: [first] }: ListRead): unknown {
  return first?.total;
}

function showsEachOnce({ ids }: Pick<ListPage, "ids">): boolean {
  return new Set(ids).size === ids.length;
}

/** Compares pages without a size with pages of the default size. */
export function defaultPages(
  history: History,
  list: Operation,
  defaultSize: number,
): ListComparison<ListRead>[] {
  const reads = history.lists.reads(list).map(firstPage);
  const pairs = pairedWithReferences(reads, {
    isReference: ({ size }) => size === defaultSize,
    isCompared: ({ size }) => size === null,
  });
  return comparedLists(pairs, ({ before, read }) => (sameJson(before.ids, read.ids) ? null : read));
}

/** Reads without a size that equal the beginning of a longer page. */
export function beginningsOfLonger(history: History, list: Operation, defaultSize: number): ListRead[] {
  const reads = history.lists.reads(list).map(firstPage);
  const pairs = pairedWithReferences(reads, {
    isReference: ({ ids }) => ids.length > defaultSize,
    isCompared: ({ size }) => size === null,
  });
  return pairs.flatMap(({ before, read }) =>
    sameJson(before.ids.slice(0, defaultSize), read.ids) && before !== read ? [read] : [],
  );
}

function firstPage(read: ListRead): ListRead {
  const [first] = read.pages;
  if (!first || read.pages.length === 1) return read;
  const { items, ids } = first;
  const { rejected: _, ...rest } = read;
  return { ...rest, pages: [first], items, ids, end: "not-followed" };
}
