import type { History } from "../../history/history.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { comparedLists, type ListComparison, pairedWithReferences } from "../../history/lists/pairs.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";

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
