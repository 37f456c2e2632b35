import type { Answer } from "../../history/answers.ts";
import { ByBody } from "../../history/body.ts";
import { type Entry, endOf, header } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { memoized } from "../../history/memoized.ts";
import { pathId } from "../../history/resource-kinds.ts";
import type { Violation } from "../../history/result.ts";
import { inUtc, isDateTime } from "../../spec/formats.ts";
import { identityOf } from "../../spec/identity.ts";
import { canonicalJson, isObject, sameJson } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation } from "../../spec/model/spec.ts";

export interface Look {
  entry: Entry;
  value: unknown;
}

/** Two successive reads. If they differ, this run wrote nothing in between. */
interface Pair {
  one: Look;
  other: Look;
  /** Milliseconds from the end of the first read to the beginning of the second; negative if they overlap. */
  gap: number;
  isChanged: boolean;
}

/** One record (or a page without ids) in all answers to equal requests. */
export interface Part {
  name: string;
  looks: readonly Look[];
  pairs: readonly Pair[];
}

/** Reads that would decide a rule: `again` is sent several times, each time after `after` if this is given. */
export interface Need {
  again: Entry;
  times: number;
  /** `together`: a few milliseconds apart. `soon`: after a short pause. `slowly`: in another second. */
  way: "together" | "soon" | "slowly";
  after?: Entry;
}

export interface Decision {
  violation?: Violation;
  needs?: Need[];
}

const NEAR = 10;
const SLOW = 1_000;
const SPACED_PAIRS = 3;
const NEAR_PAIRS = 9;
const PAIRS_AFTER_FIRST = 10;

export const partsOf = memoized((history: History, operation: Operation) =>
  partsOfAnswers(history, operation, recordsIn),
);

type PartsIn = (history: History, answer: Answer) => ReadonlyMap<string, unknown>;

export function partsOfAnswers(history: History, operation: Operation, partsIn: PartsIn): Part[] {
  const own = history
    .ownAnswers(operation)
    .filter(({ isJudged }) => isJudged)
    .sort((a, b) => a.entry.begun - b.entry.begun);
  const parts = new Map<string, { name: string; looks: Look[] }>();
  for (const answer of own) {
    const { request, version, credential } = answer.entry;
    for (const [name, value] of partsIn(history, answer)) {
      const key = `${request.url} ${version} ${credential.token} ${name}`;
      const part = parts.get(key) ?? { name, looks: [] };
      parts.set(key, part);
      part.looks.push({ entry: answer.entry, value });
    }
  }
  const writes = history.context.filter(({ request }) => request.method !== "GET");
  return [...parts.values()].map((part) => ({ ...part, pairs: pairsOf(part.looks, writes) }));
}

function pairsOf(looks: readonly Look[], writes: readonly Entry[]): Pair[] {
  return looks.slice(1).flatMap((other, index) => {
    const one = looks[index] ?? other;
    const differs = !sameJson(one.value, other.value);
    const isBetween = (write: Entry) => write.ended > one.entry.begun && write.begun < other.entry.ended;
    if (differs && writes.some(isBetween)) return [];
    return [{ one, other, gap: other.entry.startedAt - endOf(one.entry), isChanged: differs }];
  });
}

const known = new ByBody<ReadonlyMap<string, unknown>>();

function recordsIn(history: History, { entry, operation, json, page }: Answer): ReadonlyMap<string, unknown> {
  return known.of(operation, entry, () => {
    const documented = (value: unknown) => plainRecord(history, operation, value);
    const identity = identityOf(history.spec, operation);
    if (page) {
      const named = page.items.filter((item) => item[identity] !== undefined);
      if (named.length > 0) return new Map(named.map((item) => [String(item[identity]), documented(item)]));
      // Items without ids can't be recognized on another page, and their order may differ, so they are sorted.
      const inOrder = page.items.map((item) => canonicalJson(documented(item))).sort();
      return new Map(page.items.length > 0 ? [["the page", inOrder]] : []);
    }
    const result = isObject(json) ? json.result : undefined;
    return new Map(isObject(result) ? [["the record", documented(result)]] : []);
  });
}

const plainRecords = memoized((_: History, __: Operation) => new Map<string, unknown>());

/** Keeps only documented fields, with times in UTC: a clock in an undocumented field is no violation. */
export function plainRecord(history: History, operation: Operation, record: unknown): unknown {
  const { resource } = operation;
  if (!resource) return withPlainTimes(record);
  const text = JSON.stringify(record);
  const records = plainRecords(history, operation);
  const plain = records.get(text) ?? withPlainTimes(history.spec.schemas.documented(resource, record));
  records.set(text, plain);
  return plain;
}

function withPlainTimes(value: unknown): unknown {
  if (typeof value === "string") return isDateTime(value) ? inUtc(value) : value;
  if (Array.isArray(value)) {
    const plain = value.map(withPlainTimes);
    return plain.every((part, index) => part === value[index]) ? value : plain;
  }
  if (!isObject(value)) return value;
  const changed = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const plain = withPlainTimes(part);
    return plain === part ? [] : [[name, plain]];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

/**
 * Violated if the record differs in each read, also in reads a few milliseconds apart. Other clients are then an
 * unlikely reason.
 */
function changesEachTime({ name, looks, pairs }: Part): Decision {
  const spaced = pairs.filter(({ gap }) => gap >= NEAR);
  const [last] = looks.slice(-1);
  if (!last || spaced.length === 0 || spaced.some(isSame)) return {};
  const near = pairs.filter(({ gap }) => gap < NEAR);
  if (spaced.length < SPACED_PAIRS)
    return { needs: [{ again: last.entry, way: "soon", times: SPACED_PAIRS - spaced.length }] };
  if (near.length < NEAR_PAIRS) return { needs: [{ again: last.entry, way: "together", times: NEAR_PAIRS }] };
  return near.filter(isSame).length < near.length / 3 ? { violation: differsEachTime(name, looks) } : {};
}

function showsClock({ name, looks, pairs }: Part): Decision {
  const [last] = looks.slice(-1);
  const slow = pairs.filter(({ gap }) => gap >= SLOW);
  if (!last || pairs.length === 0 || !isClock(last) || slow.some(isSame)) return {};
  if (slow.length < SPACED_PAIRS)
    return { needs: [{ again: last.entry, way: "slowly", times: SPACED_PAIRS - slow.length }] };
  const [first, ...others] = slow.flatMap(({ one, other }) => [one, other]).map(withoutClock);
  return others.every((other) => sameJson(first, other)) ? { violation: differsEachTime(name, looks) } : {};
}

function differsEachTime(name: string, looks: readonly Look[]): Violation {
  return changed("suspected", "answers-differ", SAME, `${name} differs each time`, looks.slice(0, 2));
}

/**
 * Violated if records change after their first read, and never again. This is proven at once, because a confirmation
 * can't repeat a first read.
 */
function changeAtFirst(parts: readonly Part[]): Decision {
  const found = parts.filter(
    ({ looks, pairs: [first] }) => first?.isChanged && first.one === looks[0] && first.one.entry.round === 1,
  );
  const [one] = found;
  if (!one || found.length < 2 || parts.some(({ pairs }) => pairs.slice(1).some(isChanged))) return {};
  const needs = found.flatMap(({ looks, pairs }): Need[] => {
    const times = PAIRS_AFTER_FIRST + 1 - pairs.length;
    return looks.slice(-1).flatMap(({ entry }) => (times > 0 ? [{ again: entry, way: "soon", times }] : []));
  });
  if (needs.length > 0) return { needs };
  const actual = `${found.length} of ${parts.length} records changed at their first reading, and not again`;
  return { violation: changed("proven", "answers-differ", SAME, actual, one.looks.slice(0, 2)) };
}

/** Violated if the list changes after each read of the record, and never without one. */
function changesWhenRead({ looks, pairs }: Part, reads: readonly Entry[], list: Operation): Decision {
  const [last] = looks.slice(-1);
  const isTicking = last !== undefined && isClock(last);
  const readIn = ({ one, other }: Pair) =>
    reads.findLast((read) => read.begun > one.entry.ended && read.ended < other.entry.begun);
  const long = pairs.filter(({ gap }) => gap >= (isTicking ? SLOW : NEAR));
  const after = long.filter(readIn);
  const alone = long.filter((pair) => !readIn(pair));
  const read = pairs.map(readIn).findLast((each) => each !== undefined);
  if (!last || !read || after.some(isSame) || alone.some(isChanged)) return {};
  if (after.length === 0 && !isTicking) return {};
  const need = { again: last.entry, way: isTicking ? "slowly" : "soon" } as const;
  if (after.length < SPACED_PAIRS)
    return { needs: [{ ...need, after: read, times: SPACED_PAIRS - after.length }] };
  if (alone.length < SPACED_PAIRS) return { needs: [{ ...need, times: SPACED_PAIRS - alone.length }] };
  const shown = after.slice(-1).flatMap(({ one, other }) => [one, { entry: read }, other]);
  const actual = `after each read ${list.key} shows something else`;
  return { violation: changed("suspected", "changed", "a read that changes nothing", actual, shown) };
}

export const SAME = "the same answer to the same read";

export function changed(
  certainty: Violation["certainty"],
  difference: "answers-differ" | "changed",
  expected: string,
  actual: string,
  shown: readonly Pick<Look, "entry">[],
): Violation {
  return { certainty, difference, expected, actual, shownBy: shown.map(({ entry }) => ({ entry })) };
}

export function decisions(history: History, operation: Operation): Decision[] {
  // In recorded traffic, other clients may have changed the records, and nobody can read them again.
  if (history.head.runTag === null) return [];
  const parts = partsOf(history, operation);
  const versionOf = ({ looks }: Part) => looks[0]?.entry.version;
  const versions = [...new Set(parts.map(versionOf))];
  const { sameRecord } = operation;
  const list = sameRecord && operationById(history.spec, sameRecord.list);
  return [
    ...parts.flatMap((part) => [changesEachTime(part), showsClock(part)]),
    ...(operation.list ? [] : versions).map((version) =>
      changeAtFirst(parts.filter((part) => versionOf(part) === version)),
    ),
    ...(list ? partsOf(history, list) : []).map((part) =>
      changesWhenRead(part, readsOf(history, operation, part), list ?? operation),
    ),
  ];
}

function readsOf(history: History, operation: Operation, { looks: [first] }: Part): Entry[] {
  const [field = "id"] = operation.sameRecord?.by ?? [];
  const path = isObject(first?.value) ? String(first.value[field]) : undefined;
  return history.answers
    .to(operation)
    .filter(({ entry, isJudged }) => isJudged && history.isOfRound(entry) && pathId(entry) === path)
    .map(({ entry }) => entry);
}

function isChanged(pair: Pair): boolean {
  return pair.isChanged;
}

function isSame(pair: Pair): boolean {
  return !pair.isChanged;
}

/** Milliseconds by which a time may differ from the service's clock and still count as now. */
const JUST_NOW = 2_500;

/** True if the record shows the time of the answer, and so differs in each answer. */
function isClock({ value, entry }: Look): boolean {
  const isNow = isTimeOfAnswer(entry);
  const holdsNow = (part: unknown): boolean =>
    typeof part === "object" && part !== null ? Object.values(part).some(holdsNow) : isNow(part);
  return holdsNow(value);
}

function withoutClock({ value, entry }: Look): unknown {
  const isNow = isTimeOfAnswer(entry);
  const text = JSON.stringify(value, (_, part: unknown) => (isNow(part) ? "now" : part));
  return text === undefined ? undefined : JSON.parse(text);
}

function isTimeOfAnswer(entry: Entry): (part: unknown) => boolean {
  const { response } = entry;
  const date = "status" in response ? header(response.headers, "date") : undefined;
  const now = Date.parse(date ?? "") || endOf(entry);
  return (part) => {
    const time = typeof part === "string" && isDateTime(part) ? Date.parse(part) : Number.NaN;
    return time % 1000 === 0 && Math.abs(time - now) < JUST_NOW;
  };
}
