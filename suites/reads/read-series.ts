/** Splits answers into records, and pairs successive reads of each. */

import type { Answer } from "../../history/answers/answers.ts";
import {
  type Body,
  type Entry,
  endOf,
  isBetween,
  isWrite,
  otherHeaders,
  resultIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { plainText } from "../../spec/formats.ts";
import { identityOf } from "../../spec/identity.ts";
import { canonicalJson, isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";

export interface ShownValue {
  entry: Entry;
  value: unknown;
}

/** If the reads differ, this run wrote nothing between them. */
export interface ReadPair {
  one: ShownValue;
  other: ShownValue;
  /** Milliseconds between the reads, negative if they overlap. */
  gapMs: number;
  isChanged: boolean;
}

/** A record, or a page without ids, in all answers to equal requests. */
export interface ReadSeries {
  name: string;
  shown: readonly ShownValue[];
  last: ShownValue;
  pairs: readonly ReadPair[];
}

export const recordSeries = memoized((history: History, operation: Operation) =>
  seriesOf(history, operation, (_, answer) => {
    const { response } = answer.entry;
    return "body" in response ? recordsInBody(response.body, { history, answer }) : new Map();
  }),
);

type PartsIn = (history: History, answer: Answer) => ReadonlyMap<string, unknown>;

/** Returns the values of each part in all answers to equal requests. */
export function seriesOf(history: History, operation: Operation, partsIn: PartsIn): ReadSeries[] {
  const answers = history
    .ownAnswers(operation)
    .filter(({ isJudged }) => isJudged)
    .sort((a, b) => a.entry.begun - b.entry.begun);
  const parts = new Map<string, { name: string; shown: ShownValue[]; last: ShownValue }>();
  for (const answer of answers) {
    const { request, version, credential } = answer.entry;
    for (const [name, value] of partsIn(history, answer)) {
      const key = JSON.stringify([request.url, version, credential.token, otherHeaders(answer.entry), name]);
      const last = { entry: answer.entry, value };
      const shown = parts.get(key)?.shown ?? [];
      shown.push(last);
      parts.set(key, { name, shown, last });
    }
  }
  const writes = history.context.filter(isWrite);
  return [...parts.values()].map((part) => ({ ...part, pairs: pairsOf(part.shown, writes) }));
}

/** Returns neighbouring reads of one part, without those that differ and have a write between them. */
function pairsOf(shown: readonly ShownValue[], writes: readonly Entry[]): ReadPair[] {
  const pairs: ReadPair[] = [];
  for (const [index, other] of shown.entries()) {
    const one = shown[index - 1];
    if (!one) continue;
    const isChanged = !sameJson(one.value, other.value);
    if (isChanged && writes.some((write) => isBetween(write, one.entry, other.entry))) continue;
    pairs.push({ one, other, gapMs: other.entry.startedAt - endOf(one.entry), isChanged });
  }
  return pairs;
}

const recordsInBody = memoized(
  (_: Body, { history, answer }: { history: History; answer: Answer }): ReadonlyMap<string, unknown> => {
    const { entry, operation, page } = answer;
    if (page) return recordsOnPage(history, operation, page.items);
    const result = resultIn(entry);
    return new Map(isObject(result) ? [["the record", plainRecord(history, operation, result)]] : []);
  },
  ({ answer }) => answer.operation,
);

/** Returns the records of the page by id, or all of them as one if they have no ids. */
function recordsOnPage(
  history: History,
  operation: Operation,
  items: readonly JsonObject[],
): ReadonlyMap<string, unknown> {
  const identity = identityOf(history.spec, operation);
  const plain = (item: JsonObject) => plainRecord(history, operation, item);
  const named = items.filter((item) => item[identity] !== undefined);
  if (named.length > 0) return new Map(named.map((item) => [String(item[identity]), plain(item)]));
  // Items without ids are sorted, because their order may differ.
  const inOrder = items.map((item) => canonicalJson(plain(item))).sort();
  return new Map(items.length > 0 ? [["the page", inOrder]] : []);
}

/** Returns the documented fields of the record: an undocumented one may be a clock. */
export function plainRecord(history: History, operation: Operation, record: JsonObject): unknown {
  return plainRecordIn(history, { operation, record });
}

const plainRecordIn = memoized(
  ({ spec }: History, { operation, record }: { operation: Operation; record: JsonObject }) =>
    plainValue(spec.schemas.documented(operation.resource ?? {}, record)),
  ({ operation, record }) => `${operation.key} ${JSON.stringify(record)}`,
);

/** Returns the value itself if nothing changes. */
function plainValue(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) {
    const plain = value.map(plainValue);
    return plain.every((part, index) => part === value[index]) ? value : plain;
  }
  if (!isObject(value)) return value;
  const plain = Object.entries(value).map(([name, part]) => [name, plainValue(part)] as const);
  return plain.every(([name, part]) => part === value[name]) ? value : Object.fromEntries(plain);
}
