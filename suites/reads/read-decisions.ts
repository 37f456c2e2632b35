/** Decides if reads that change nothing get the same answer (READ-STABLE, section 4). */

import { dateOf, type Entry, endOf, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type Violation, violationBy } from "../../history/result.ts";
import { isDateTime } from "../../spec/formats.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { isObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { type ReadPair, type ReadSeries, recordSeries, type ShownValue } from "./read-series.ts";

/** Reads to send: `after`, if given, and then `again`. */
export interface NeededReads {
  again: Entry;
  times: number;
  /** `together`: milliseconds apart. `soon`: after a short pause. `slowly`: in another second. */
  way: "together" | "soon" | "slowly";
  after?: Entry;
}

/** The decision about some reads. Without both, they show no violation. */
export interface Decision {
  violation?: Violation;
  needs?: NeededReads[];
}

const NEAR_MS = 10;
const SLOW_MS = 1_000;
const SPACED_PAIRS = 3;
const NEAR_PAIRS = 9;
const PAIRS_AFTER_FIRST = 10;

/** Returns what equal reads of the operation show so far, and which reads would decide the rest. */
export function decisions(history: History, operation: Operation): Decision[] {
  // In recorded traffic, other clients may change records, and nothing can be read again.
  if (history.head.runTag === null) return [];
  const all = recordSeries(history, operation);
  const found = all.flatMap((series) => [ifAlwaysDifferent(series), ifShowsClock(series)]);
  if (!operation.list) {
    const byVersion = groupedBy(all, ({ last }) => last.entry.version);
    found.push(...[...byVersion.values()].map(ifChangedAtFirst));
  }
  if (operation.sameRecord) {
    const list = operationById(history.spec, operation.sameRecord.list);
    for (const series of recordSeries(history, list))
      found.push(ifReadsChangeList(series, readsOf(history, operation, series), list));
  }
  return found;
}

function readsOf(history: History, operation: Operation, { shown: [first] }: ReadSeries): Entry[] {
  const [field = "id"] = operation.sameRecord?.by ?? [];
  const path = isObject(first?.value) ? String(first.value[field]) : undefined;
  return history
    .answersOfRound(operation)
    .filter(({ entry, isJudged }) => isJudged && pathId(entry) === path)
    .map(({ entry }) => entry);
}

/** Differences even after a few milliseconds exclude most changes by other clients. */
function ifAlwaysDifferent({ name, shown, last, pairs }: ReadSeries): Decision {
  const again = last.entry;
  const spaced = pairs.filter(({ gapMs }) => gapMs >= NEAR_MS);
  const near = pairs.filter(({ gapMs }) => gapMs < NEAR_MS);
  if (spaced.length === 0 || spaced.some(isSame)) return {};
  if (spaced.length < SPACED_PAIRS)
    return { needs: [{ again, way: "soon", times: SPACED_PAIRS - spaced.length }] };
  if (near.length < NEAR_PAIRS) return { needs: [{ again, way: "together", times: NEAR_PAIRS }] };
  const isMostlyDifferent = near.filter(isSame).length < near.length / 3;
  return isMostlyDifferent ? { violation: differsEachTime(name, shown) } : {};
}

/** Decides about a field that may show the time of the answer: violated if nothing else differs. */
function ifShowsClock({ name, shown, last, pairs }: ReadSeries): Decision {
  const slow = pairs.filter(({ gapMs }) => gapMs >= SLOW_MS);
  if (pairs.length === 0 || !isClock(last) || slow.some(isSame)) return {};
  if (slow.length < SPACED_PAIRS)
    return { needs: [{ again: last.entry, way: "slowly", times: SPACED_PAIRS - slow.length }] };
  const [first, ...others] = slow.flatMap(({ one, other }) => [one, other]).map(withoutClock);
  return others.every((other) => sameJson(first, other)) ? { violation: differsEachTime(name, shown) } : {};
}

/** Returns the violation that a field has another value at each read. */
function differsEachTime(name: string, shown: readonly ShownValue[]): Violation {
  const facts = {
    difference: "answers-differ",
    expected: SAME,
    actual: `${name} differs each time`,
  } as const;
  return violationBy("suspected", facts, ...entriesOf(shown.slice(0, 2)));
}

/**
 * Decides about fields that changed after the first read only. A change after the first read is proven at
 * once, because no confirmation can repeat a first read.
 */
function ifChangedAtFirst(all: readonly ReadSeries[]): Decision {
  const found = all.filter(
    ({ shown, pairs: [first] }) => first?.isChanged && first.one === shown[0] && first.one.entry.round === 1,
  );
  const isChangedLater = all.some(({ pairs }) => pairs.slice(1).some(isChanged));
  const [one] = found;
  if (!one || found.length < 2 || isChangedLater) return {};
  const needs = found
    .map(({ last, pairs }) => ({ again: last.entry, times: PAIRS_AFTER_FIRST + 1 - pairs.length }))
    .filter(({ times }) => times > 0);
  if (needs.length > 0) return { needs: needs.map((need) => ({ ...need, way: "soon" })) };
  const actual = `${found.length} of ${all.length} records changed at their first reading, and not again`;
  const facts = { difference: "answers-differ", expected: SAME, actual } as const;
  return { violation: violationBy("proven", facts, ...entriesOf(one.shown.slice(0, 2))) };
}

/** Decides if reads of a record change its list: violated if it changes after each, and never without one. */
function ifReadsChangeList({ last, pairs }: ReadSeries, reads: readonly Entry[], list: Operation): Decision {
  const isTicking = isClock(last);
  const readBetween = ({ one, other }: ReadPair) =>
    reads.findLast((read) => read.begun > one.entry.ended && read.ended < other.entry.begun);
  const spaced = pairs.filter(({ gapMs }) => gapMs >= (isTicking ? SLOW_MS : NEAR_MS));
  const withRead = spaced.filter((pair) => readBetween(pair) !== undefined);
  const withoutRead = spaced.filter((pair) => readBetween(pair) === undefined);
  const read = pairs.map(readBetween).findLast((each) => each !== undefined);
  if (!read || withRead.some(isSame) || withoutRead.some(isChanged)) return {};
  const latest = withRead.at(-1);
  if (!latest && !isTicking) return {};
  const again = last.entry;
  const way = isTicking ? "slowly" : "soon";
  if (!latest || withRead.length < SPACED_PAIRS)
    return { needs: [{ again, way, after: read, times: SPACED_PAIRS - withRead.length }] };
  if (withoutRead.length < SPACED_PAIRS)
    return { needs: [{ again, way, times: SPACED_PAIRS - withoutRead.length }] };
  const actual = `after each read ${list.key} shows something else`;
  const facts = { difference: "changed", expected: "a read that changes nothing", actual } as const;
  return { violation: violationBy("suspected", facts, latest.one.entry, read, latest.other.entry) };
}

export const SAME = "the same answer to the same read";

function entriesOf(shown: readonly ShownValue[]): Entry[] {
  return shown.map(({ entry }) => entry);
}

function isChanged(pair: ReadPair): boolean {
  return pair.isChanged;
}

function isSame(pair: ReadPair): boolean {
  return !pair.isChanged;
}

/** Times this close to an answer count as now. */
const JUST_NOW_MS = 2_500;

function isClock({ value, entry }: ShownValue): boolean {
  const isNow = isTimeOfAnswer(entry);
  const holdsNow = (part: unknown): boolean =>
    typeof part === "object" && part !== null ? Object.values(part).some(holdsNow) : isNow(part);
  return holdsNow(value);
}

function withoutClock({ value, entry }: ShownValue): unknown {
  const isNow = isTimeOfAnswer(entry);
  const text = JSON.stringify(value, (_, part: unknown) => (isNow(part) ? "now" : part));
  return text === undefined ? undefined : JSON.parse(text);
}

function isTimeOfAnswer(entry: Entry): (part: unknown) => boolean {
  const now = dateOf(entry) ?? endOf(entry);
  return (part) => {
    const time = typeof part === "string" && isDateTime(part) ? Date.parse(part) : Number.NaN;
    return time % 1000 === 0 && Math.abs(time - now) < JUST_NOW_MS;
  };
}
