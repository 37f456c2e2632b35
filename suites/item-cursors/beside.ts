import { statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { canBeCompared, type ListPage, type ListRead } from "../../history/lists/lists.ts";
import {
  comparedLists,
  firstBegun,
  hasEnd,
  type ListComparison,
  type ListPair,
  pairedWithReferences,
} from "../../history/lists/pairs.ts";
import type { Described } from "../../history/result.ts";
import { sameJson } from "../../spec/json.ts";
import type { OfKind } from "../../spec/model/difference.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { wholeSize } from "../../spec/page-sizes.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";

export interface Position {
  name: string;
  index(length: number, isComplete: boolean): number | undefined;
}

export const POSITIONS: readonly Position[] = [
  { name: "head", index: (length) => (length > 1 ? 0 : undefined) },
  { name: "second", index: (length) => (length > 3 ? 1 : undefined) },
  { name: "middle", index: (length) => (length > 2 ? Math.floor(length / 2) : undefined) },
  {
    name: "last but one",
    index: (length, isComplete) => (isComplete && length > 2 ? length - 2 : undefined),
  },
  { name: "tail", index: (length, isComplete) => (isComplete && length > 1 ? length - 1 : undefined) },
];

export interface BesideRead extends ListRead {
  page: ListPage;
}

/** Compares pages beside an item with whole lists before and after them. */
export function comparedBeside(
  history: History,
  list: Operation,
  isWanted: (page: ListPage) => boolean,
  differenceOf: (whole: ListRead, page: ListPage) => Described | null,
  isMeant: (pair: ListPair) => boolean = () => true,
): ListComparison<Described>[] {
  const { lists } = history;
  const pages = lists.pagesWithCursor(list).filter((page) => lists.isOfRound(page) && canBeCompared(page));
  const beside = pages.filter((page) => isWanted(page) && isUnfiltered(list, page)).map(asRead);
  const known = new Map<ListRead, ListPage>(beside.map((read) => [read, read.page]));
  const reads = [...lists.reads(list), ...beside].sort((a, b) => firstBegun(a) - firstBegun(b));
  const pairs = pairedWithReferences(reads, {
    isReference: (read) => !known.has(read) && read.size === wholeSize(list) && isUnfiltered(list, read),
    isCompared: (read) => known.has(read),
    isSame: (one, other) => one.scope === other.scope && sameJson(one.filters, other.filters),
    reaches: (whole, read) =>
      (hasEnd(whole) || whole.pages.length > 1) && whole.ids.includes(itemOf(known.get(read))),
  });
  const pageIn = ({ read }: ListPair) => known.get(read);
  const placed = pairs.filter((pair) => pair.before.ids.includes(itemOf(pageIn(pair))));
  // An item may move later, so all its pages count.
  const meant = new Set(placed.filter(isMeant).map(({ read }) => read.listKey));
  const some = placed.filter(({ read }) => meant.has(read.listKey));
  return comparedLists(some, (pair) => {
    const page = pageIn(pair);
    return page ? differenceOf(pair.before, page) : null;
  });
}

/** Returns the id of the item that the page is after or, without `after`, before. */
export function itemOf(page: ListPage | undefined): string {
  return page?.cursor ?? page?.before ?? "";
}

/** True if the cursor is the item at this position of the list. */
export function isAt(position: Position) {
  return ({ before: whole, read }: ListPair): boolean => {
    const index = position.index(whole.ids.length, whole.end === "last-page");
    return index !== undefined && whole.ids[index] === itemOf(read.pages[0]);
  };
}

function asRead(page: ListPage): BesideRead {
  const { scope, filters, size, items, ids, cursor, before } = page;
  const listKey = JSON.stringify([page.listKey, cursor, before]);
  return { page, scope, listKey, filters, size, pages: [page], items, ids, end: "not-followed" };
}

/** Returns how the page is wrong, or null if it begins after its cursor and keeps the order of the list. */
function wrongAfterItem({ ids: all, end }: ListRead, page: ListPage): Described | null {
  const rejected = rejectedPage(page);
  if (rejected) return rejected;
  const { ids } = page;
  const index = all.indexOf(itemOf(page));
  const expected = all.slice(index + 1, index + 1 + Math.max(ids.length, 1));
  const isBeyond = end === "not-followed" && index + 1 + ids.length > all.length;
  const isRight =
    expected.every((id, place) => ids[place] === id) && (isBeyond || ids.length <= expected.length);
  if (isRight) return null;
  return {
    ...noneOf(ids),
    expected: `after ${all[index]}: ${idsInWords(expected)}`,
    actual: idsInWords(ids),
  };
}

/** Returns how the page is wrong, or null if it shows only items before its cursor, and one if any are there. */
function wrongBeforeItem({ ids: all }: ListRead, page: ListPage): Described | null {
  const rejected = rejectedPage(page);
  if (rejected) return rejected;
  const index = all.indexOf(itemOf(page));
  const before = new Set(all.slice(0, index));
  const wrong = page.ids.filter((id) => !before.has(id));
  if (wrong.length > 0) return { expected: `only items before ${all[index]}`, actual: idsInWords(wrong) };
  if (page.ids.length > 0 || index === 0) return null;
  return { ...noneOf([]), expected: `items before ${all[index]}`, actual: "no items" };
}

export type Side = "after" | "before";

export const WRONG_BESIDE = { after: wrongAfterItem, before: wrongBeforeItem };

function noneOf(ids: readonly string[]): OfKind {
  return ids.length === 0 ? { difference: "missing" } : {};
}

function rejectedPage(page: ListPage): Described | null {
  if (page.answer !== "rejected") return null;
  return {
    expected: `the item ${itemOf(page)} to be accepted as a cursor`,
    actual: `status ${statusOf(page.entry)}`,
  };
}

function idsInWords(ids: readonly string[]): string {
  return ids.length === 0 ? "no items" : ids.join(", ");
}

/** Returns the latest earlier page with the same `after` alone, to compare with the page that has both cursors. */
function aloneBefore(history: History, list: Operation, both: ListPage): ListPage | undefined {
  return history.lists
    .pagesWithCursor(list)
    .findLast(
      (page) =>
        page.before === null &&
        page.answer === "shown" &&
        page.cursor === both.cursor &&
        page.size === both.size &&
        page.listKey === both.listKey &&
        page.entry.ended < both.entry.begun,
    );
}

/** Returns the comparison that a page with both cursors equals that of `after` alone. */
export function unlikeAfterAlone(
  history: History,
  list: Operation,
): (whole: ListRead, page: ListPage) => Described | null {
  return (_, page) => {
    const alone = aloneBefore(history, list, page);
    if (!alone) return null;
    const rejected = rejectedPage(page);
    if (rejected) return rejected;
    if (sameJson(alone.ids, page.ids)) return null;
    return {
      difference: "answers-differ",
      expected: `as with the one cursor alone: ${idsInWords(alone.ids)}`,
      actual: idsInWords(page.ids),
    };
  };
}
