import { type Entry, isBetween, isWrite } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { judged, type Violation, violationBy } from "../../history/result.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { readInSizes } from "../cursors/probes.ts";
import { firstPages, isUnfiltered } from "../shared/followed-lists.ts";
import { historyRule, targetsAt } from "../shared/history-rule.ts";
import { pagesByTurns, TURNS } from "./probes.ts";
import { plainRecord } from "./read-series.ts";
import { repeatedReads } from "./repeated-reads.ts";

interface ShownRecord {
  page: ListPage;
  entry: Entry;
  value: unknown;
  /** The place on the page, from 0. */
  place: number;
  pagesBefore: number;
}

/** First pages with more than `place` items show the record. */
interface Doubt {
  record: ShownRecord;
  place: number;
}

/** A limit, because each comparison reads all pages before the record again. */
const MOST_PAGES_BEFORE = 2;

/** Each turn of the follow-up reads the page twice, then another size. */
const READS_IN_TURN = 3;
const READS_IN_ALL = TURNS * READS_IN_TURN + 1;
const isOtherSizeAt = (at: number) => at % READS_IN_TURN === READS_IN_TURN - 1;

export const sameInEachSize = historyRule({
  requirement: "READ-STABLE",
  targets: (spec) =>
    targetsAt(
      operationsOf(spec, "list").filter(({ list }) => list?.limit),
      "in pages of each size",
    ),
  title: ({ operation }) =>
    `${operation.key} shows a record the same on pages of each size, and behind a cursor`,
  probes: ({ operation }) => [repeatedReads(operation), readInSizes(operation)],
  check(history, { operation }) {
    const records = shownRecords(history, operation).map((shown) =>
      shown.filter(({ entry }) => history.isOfRound(entry)),
    );
    const agreeing = records.flatMap((shown) =>
      shown.slice(1).filter((record, at) => {
        const before = shown[at];
        return before && !isOfSamePage(record, before) && isOfValue(record, before);
      }),
    );
    return judged(
      records.flatMap((shown) => sizeViolation(history, shown) ?? []).slice(0, 1),
      agreeing.map(({ entry }) => entry),
      "no record was shown in pages of two sizes",
    );
  },
  followUp(_, { operation }, history) {
    const [doubt] = shownRecords(history, operation).flatMap((shown) => doubtIn(history, shown) ?? []);
    return doubt && pagesByTurns(operation, { ...doubt.record, place: doubt.place });
  },
});

const shownRecords = memoized((history: History, list: Operation): ShownRecord[][] => {
  const first = firstPages(history, list).filter(({ answer }) => answer === "shown");
  const later = history.lists
    .reads(list)
    .filter((read) => isUnfiltered(list, read))
    .flatMap(({ pages }) => pages.map((page, pagesBefore) => ({ page, pagesBefore })))
    .filter(({ pagesBefore }) => pagesBefore > 0 && pagesBefore <= MOST_PAGES_BEFORE);
  const shown = [...first.map((page) => ({ page, pagesBefore: 0 })), ...later].flatMap((at) =>
    at.page.items.map((item, place) => {
      const value = plainRecord(history, list, item);
      const record = `${at.page.listKey} ${at.page.ids[place]}`;
      return { ...at, entry: at.page.entry, value, place, record };
    }),
  );
  const inOrder = shown.sort((a, b) => a.entry.ended - b.entry.ended);
  return [...groupedBy(inOrder, ({ record }) => record).values()];
});

/** True for pages of one size and place. A service may spell equal cursors differently. */
function isOfSamePage(one: ShownRecord, other: ShownRecord): boolean {
  return one.page.size === other.page.size && one.pagesBefore === other.pagesBefore;
}

/**
 * Returns two records that differ between page sizes, or `undefined`. Time may explain a difference between
 * first pages, unless one page repeats a value.
 */
function doubtIn({ context }: History, shown: readonly ShownRecord[]): Doubt | undefined {
  const isQuiet = (one: ShownRecord, other: ShownRecord) =>
    !context.some((entry) => isWrite(entry) && isBetween(entry, one.entry, other.entry));
  for (const [at, other] of shown.entries()) {
    const record = shown.slice(0, at).findLast((earlier) => !isOfSamePage(earlier, other));
    if (!record || isOfValue(record, other)) continue;
    if (record.pagesBefore + other.pagesBefore > 0) {
      if (!isQuiet(record, other)) continue;
      // Only first pages are read in other sizes, so one of the two must be on one.
      if (other.pagesBefore === 0) return { record, place: other.place };
      if (record.pagesBefore === 0) return { record: other, place: record.place };
      continue;
    }
    const own = shown.filter((each) => isOfSamePage(each, record));
    const before = own.find((each) => each.entry.ended < record.entry.begun && isOfValue(each, other));
    const after = own.find((each) => each.entry.begun > other.entry.ended && isOfValue(each, record));
    if ((before && isQuiet(before, other)) || (after && isQuiet(record, after)))
      return { record, place: record.place };
  }
  return undefined;
}

function isOfValue(one: ShownRecord, other: ShownRecord): boolean {
  return sameJson(one.value, other.value);
}

/** Returns the violation if the record differs on each page of another size for the consistency timeout. */
function sizeViolation(history: History, all: readonly ShownRecord[]): Violation | undefined {
  const end = all.at(-1)?.entry.ended ?? 0;
  const write = history.context.findLast((entry) => isWrite(entry) && entry.begun < end);
  const sinceWrite = all.filter(({ entry }) => write === undefined || entry.begun > write.ended);
  const shown = sinceWrite.slice(-READS_IN_ALL);
  const [first, last] = [shown[0], shown.at(-1)];
  const others = shown.filter((_, at) => isOtherSizeAt(at));
  const [other] = others;
  if (!first || !last || !other || shown.length < READS_IN_ALL || isOfValue(other, last)) return undefined;
  const isInTurn = shown.every((record, at) => isOfSamePage(record, last) !== isOtherSizeAt(at));
  const isSteady = shown.every((record, at) => isOfValue(record, isOtherSizeAt(at) ? other : last));
  const sizes = new Set(others.map(({ page }) => page.size));
  const lasted = last.entry.startedAt - first.entry.startedAt;
  if (!isInTurn || !isSteady || sizes.size < TURNS || lasted < history.head.consistencyTimeoutMs)
    return undefined;
  const expected = "the same record in pages of each size";
  const actual = "another one on each page of another size";
  const facts = { difference: "answers-differ", expected, actual } as const;
  return violationBy("suspected", facts, ...shown.slice(-5).map(({ entry }) => entry));
}
