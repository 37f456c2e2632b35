import type { Probe } from "../../client/target.ts";
import { type RequestPlan, requestTo, withQuery } from "../../generators/request.ts";
import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists.ts";
import { memoized } from "../../history/memoized.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { allowedSizes, largestSize } from "../../spec/page-sizes.ts";
import { readInSizes } from "../cursors/probes.ts";
import { firstPages } from "../shared/first-pages.ts";
import { historyRule } from "../shared/history-rule.ts";
import { operationsOf } from "../shared/suite.ts";
import { plainRecord } from "./read-parts.ts";
import { repeatedReads } from "./repeated-reads.ts";

/** One record on one page. `place` is its position there, counted from 0. */
interface ShownRecord {
  entry: Entry;
  value: unknown;
  place: number;
}

/** A page whose record at `place` differs on a page of another size. */
interface Doubt {
  page: Entry;
  place: number;
}

const TIMES = 4;
/** Reads of one turn: the page twice, then once in another size. The page is read once more after the last turn. */
const TURN = 3;
const READS = TIMES * TURN + 1;
const isOtherSizeAt = (at: number) => at % TURN === TURN - 1;

export const sameInEachSize = historyRule({
  requirement: "READ-STABLE",
  targets: (spec) =>
    operationsOf(spec, "list")
      .filter(({ list }) => list?.limit)
      .map((operation) => ({ operation, detail: "in pages of each size" })),
  title: ({ operation }) => `${operation.key} shows a record the same in pages of each size`,
  writes: false,
  probes: ({ operation }) => [repeatedReads(operation), readInSizes(operation)],
  check(history, { operation }) {
    const records = shownRecords(history, operation).map((shown) =>
      shown.filter(({ entry }) => history.isOfRound(entry)),
    );
    const agreeing = records.flatMap((shown) =>
      shown.slice(1).filter((record, at) => agrees(record, shown[at])),
    );
    return judged(
      records.flatMap((shown) => sizeViolation(history, shown) ?? []).slice(0, 1),
      agreeing.map(({ entry }) => entry),
      notExercised("no-data", "no record was shown in pages of two sizes"),
    );
  },
  followUp(_, { operation }, history) {
    const [doubt] = shownRecords(history, operation).flatMap((shown) => doubtIn(history, shown) ?? []);
    return doubt && alternately(operation, doubt);
  },
});

const shownRecords = memoized((history: History, list: Operation): ShownRecord[][] => {
  const pages = firstPages(history, list).filter(({ answer }) => answer === "shown");
  const shown = pages.flatMap(({ entry, listKey, ids, items }) =>
    items.map((item, place) => {
      const value = plainRecord(history, list, item);
      return { entry, value, place, record: `${listKey} ${ids[place]}` };
    }),
  );
  return [...groupedBy(shown, ({ record }) => record).values()];
});

function agrees(record: ShownRecord, before: ShownRecord | undefined): boolean {
  return before !== undefined && !isOfSameSize(record, before) && isOfValue(record, before);
}

function isOfSameSize(one: ShownRecord, other: ShownRecord): boolean {
  return one.entry.request.url === other.entry.request.url;
}

function sinceLastWrite({ context }: History, shown: readonly ShownRecord[]): ShownRecord[] {
  const last = shown.at(-1)?.entry;
  const write = context.findLast(
    ({ request, begun }) => request.method !== "GET" && last !== undefined && begun < last.ended,
  );
  return shown.filter(({ entry }) => write === undefined || entry.begun > write.ended);
}

/**
 * Returns a page whose record differs in another size. Time is not the reason if the page showed the other value
 * before, or its own value again later.
 */
function doubtIn({ context }: History, shown: readonly ShownRecord[]): Doubt | undefined {
  const isWrite = ({ request }: Entry) => request.method !== "GET";
  const isQuiet = (one: ShownRecord, other: ShownRecord) =>
    !context.some(
      (entry) => isWrite(entry) && entry.ended > one.entry.begun && entry.begun < other.entry.ended,
    );
  for (const [at, other] of shown.entries()) {
    const page = shown.slice(0, at).findLast((record) => !isOfSameSize(record, other));
    if (!page || isOfValue(page, other)) continue;
    const own = shown.filter((record) => isOfSameSize(record, page));
    const before = own.find((record) => record.entry.ended < page.entry.begun && isOfValue(record, other));
    const after = own.find((record) => record.entry.begun > other.entry.ended && isOfValue(record, page));
    if (before && isQuiet(before, other)) return { page: page.entry, place: page.place };
    if (after && isQuiet(page, after)) return { page: page.entry, place: page.place };
  }
  return undefined;
}

function isOfValue(one: ShownRecord, other: ShownRecord): boolean {
  return sameJson(one.value, other.value);
}

function alternately(operation: Operation, { page, place }: Doubt): Probe {
  return {
    id: `pages by turns ${operation.id}`,
    stage: "read",
    async run(target) {
      const { limit } = operation.list ?? {};
      const asked = new Set(
        target
          .history()
          .lists.pages(operation)
          .map(({ size }: ListPage) => size),
      );
      const all = Array.from({ length: largestSize(operation) - place }, (_, index) => place + 1 + index);
      const fresh = allowedSizes(operation, all).filter((size) => size > place && !asked.has(size));
      const plan: RequestPlan = { ...requestTo(operation, page.version), query: page.request.query };
      const read = (query = {}) => target.send(withQuery(plan, query), { role: "again", valid: true });
      if (!limit || fresh.length < TIMES) return;
      for (const size of fresh.slice(-TIMES)) {
        await read();
        await read();
        await read({ [limit.name]: String(size) });
        await target.pause(target.settings.visibilityDelay / TIMES);
      }
      await read();
    },
  };
}

function sizeViolation(history: History, all: readonly ShownRecord[]): Violation | undefined {
  const shown = sinceLastWrite(history, all).slice(-READS);
  const [first, last] = [shown[0], shown.at(-1)];
  const others = shown.filter((_, at) => isOtherSizeAt(at));
  const [other] = others;
  if (!first || !last || !other || shown.length < READS || isOfValue(other, last)) return undefined;
  const isInTurn = shown.every((record, at) => isOfSameSize(record, last) !== isOtherSizeAt(at));
  const isSteady = shown.every((record, at) => isOfValue(record, isOtherSizeAt(at) ? other : last));
  const sizes = new Set(others.map(({ entry }) => entry.request.url));
  const lasted = last.entry.startedAt - first.entry.startedAt;
  if (!isInTurn || !isSteady || sizes.size < TIMES || lasted < history.head.consistencyTimeoutMs)
    return undefined;
  return {
    certainty: "suspected",
    difference: "answers-differ",
    expected: "the same record in pages of each size",
    actual: "another one on each page of a new size",
    shownBy: shown.slice(-5).map(({ entry }) => ({ entry })),
  };
}
