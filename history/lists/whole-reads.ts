import type { Operation } from "../../spec/model/spec.ts";
import type { Use } from "../creates/keys.ts";
import { type Entry, endOf } from "../entry.ts";
import type { History } from "../history.ts";
import type { Violation } from "../result.ts";
import type { ListRead } from "./lists.ts";

/** Returns the reads that show the list from its first to its last item. */
export function wholeReads({ lists }: History, list: Operation): ListRead[] {
  return lists.reads(list).filter((read) => isWhole(list, read));
}

/** False for a full page without cursors, because more items may follow. */
function isWhole({ list }: Operation, { end, filters, ids, size }: ListRead): boolean {
  const isCut = list?.after === undefined && size !== null && ids.length >= size;
  return end === "last-page" && filters.length === 0 && !isCut;
}

/** Returns the reads that began later than `delayMs` after the create, and may show its resource. */
export function readsAfter(reads: readonly ListRead[], use: Use, delayMs: number): ListRead[] {
  const due = endOf(use.entry) + delayMs;
  const isBeside = (page: Entry) => page.space === use.entry.space && isBelow(page, use);
  return reads.filter(({ pages: [page] }) => page && isBeside(page.entry) && page.entry.startedAt > due);
}

/** True if the list has no other parents than the resource. */
export function isBelow({ path }: Entry, { entry }: Use): boolean {
  return Object.entries(path).every(([name, value]) => entry.path[name] === value);
}

/**
 * Returns the violation that these reads lack an item. A list may change while its pages are read, so only
 * reads of one page prove the violation.
 */
export function lackingViolation(
  lacking: readonly ListRead[],
  expected: string,
  before: readonly Entry[],
): Violation {
  const pages = lacking.flatMap((read) => read.pages.slice(-1));
  return {
    certainty: lacking.every((read) => read.pages.length === 1) ? "proven" : "suspected",
    difference: "missing",
    expected,
    actual: "two complete reads of the list without it",
    needsOlderResource: true,
    shownBy: [...before, ...pages.map((page) => page.entry)].map((entry) => ({ entry })),
  };
}
