import {
  type Entry,
  endOf,
  hasSameCaller,
  header,
  isChoosingHeader,
  isWrite,
  mayShareIds,
  pathId,
  resourceIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { recordDifferences } from "../../history/lists/same-record.ts";
import { idWithParents } from "../../history/resource-kinds.ts";
import type { Difference } from "../../history/values/differences.ts";
import { addTo, groupedBy } from "../../spec/grouped.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { ComparedField, Operation, SameRecord } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";

export interface RecordRead {
  operation: Operation & { sameRecord: SameRecord };
  field: string;
}

/** True for a read whose records a list shows, too. */
export function isOfRecord(operation: Operation): operation is RecordRead["operation"] {
  return operation.kind === "read" && operation.sameRecord !== undefined;
}

interface Listed {
  item: JsonObject;
  entry: Entry;
}

export interface RecordComparison {
  path: string;
  read: Entry;
  listed: Listed;
  differences: Difference[];
  /** `open`: more reads or time are needed. `another`: the read shows another record. */
  verdict: "agrees" | "differs" | "another" | "list-changed" | "open";
}

/** Returns the listed items by the field, in the order of the lists. */
export function listedBy(history: History, { operation, field }: RecordRead): Map<string, Listed[]> {
  const list = operationById(history.spec, operation.sameRecord.list);
  const answers = history.answersOfRound(list).filter(({ entry }) => history.isOrdinary(entry));
  const listed = answers.flatMap(({ entry, page }) => (page?.items ?? []).map((item) => ({ item, entry })));
  return groupedBy(listed, ({ item }) => String(item[field]));
}

/** Compares reads with the list items before and after them. */
export function comparedRecords(history: History, at: RecordRead, requirement: string): RecordComparison[] {
  const { operation } = at;
  const listed = listedBy(history, at);
  const settledAt = settledTimes(history);
  const isSettled = (entry: Entry, path: string) => entry.startedAt >= (settledAt.get(path) ?? 0);
  const groups = new Map<string, RecordComparison[]>();
  for (const entry of history.entries) {
    const path = entry.operation === operation && history.isOrdinary(entry) ? pathId(entry) : undefined;
    const single = path !== undefined && resourceIn(entry);
    // Soon after a write, either answer may be late.
    if (!single || !isSettled(entry, path)) continue;
    const looks = (listed.get(path) ?? []).filter((look) => isSettled(look.entry, path));
    const found = comparedRead(history, at, entry, single, looks, requirement);
    const key = `${idWithParents(entry, path)} ${entry.version}`;
    if (found) addTo(groups, key, { ...found, path });
  }
  return [...groups.values()].flatMap((group) =>
    settledComparisons(group, history.head.consistencyTimeoutMs),
  );
}

/** Returns when reads must show the last write to each record. */
const settledTimes = memoized(({ context, head }: History): ReadonlyMap<string, number> => {
  const times = context
    .filter(isWrite)
    .map((write) => [pathId(write) ?? "", endOf(write) + head.consistencyTimeoutMs] as const);
  return new Map(times);
});

/** Returns the read compared with the nearest list, or `undefined` if no list shows the record around it. */
function comparedRead(
  { spec }: History,
  { operation, field }: RecordRead,
  read: Entry,
  single: JsonObject,
  all: readonly Listed[],
  requirement: string,
): Omit<RecordComparison, "path"> | undefined {
  const looks = all.filter(({ entry }) => isComparable(entry, read));
  const before = looks.findLast(({ entry }) => entry.ended < read.begun);
  const after = looks.find(({ entry }) => entry.begun > read.ended);
  const listed = after ?? before;
  if (!listed) return undefined;
  const differences = recordDifferences(spec, operation, listed.item, single, requirement);
  // No outdated copy and no other client can make a read show another record.
  const name = nameInRead(operation.sameRecord, field);
  const names = (by: string) => String(single[nameInRead(operation.sameRecord, by) ?? ""]) === pathId(read);
  // The id of one record may be the code of another.
  if (!names(field) && operation.sameRecord.by.some(names)) return undefined;
  if (differences.length > 0 && name !== undefined && isOther(single[name], listed.item[field]))
    return { read, listed, differences, verdict: "another" };
  const verdict = differences.length === 0 ? "agrees" : verdictOnDifference(before, after);
  return { read, listed, differences, verdict };
}

function verdictOnDifference(
  before: Listed | undefined,
  after: Listed | undefined,
): "differs" | "list-changed" | "open" {
  if (!after) return "open";
  return before && sameJson(before.item, after.item) ? "differs" : "list-changed";
}

/** Returns the field of the read that shows this field of the list. */
export function nameInRead({ fields }: SameRecord, field: string): string | undefined {
  if (fields === "all") return field;
  const equal = ({ field: listed, compare }: ComparedField) => listed === field && compare === "equal";
  return Object.entries(fields).find(([, compared]) => equal(compared))?.[0];
}

function isOther(shown: unknown, named: unknown): boolean {
  const isId = typeof shown === "string" || typeof shown === "number";
  return isId && String(shown).toLowerCase() !== String(named).toLowerCase();
}

function isComparable(one: Entry, other: Entry): boolean {
  const isSameVersion = !one.operation?.version || !other.operation?.version || one.version === other.version;
  return isSameVersion && hasSameCaller(one, other) && mayShareIds(one, other) && asksForSameForm(one, other);
}

/** True if both requests have the same optional parameters, which may choose a language or a unit. */
function asksForSameForm(one: Entry, other: Entry): boolean {
  const [form, otherForm] = [formAsked(one), formAsked(other)];
  return [...new Set([...form.keys(), ...otherForm.keys()])].every(
    (name) => (form.get(name) ?? null) === (otherForm.get(name) ?? null),
  );
}

/** The values of optional parameters that are no filters and no cursors, or null. */
function formAsked({ operation, request }: Entry): Map<string, string | null> {
  const optional = operation?.parameters.filter(({ required }) => !required) ?? [];
  return new Map(
    optional.flatMap((parameter): [string, string | null][] => {
      const { in: place, role, name } = parameter;
      if (isChoosingHeader(parameter)) return [[name, header(request.headers, name) ?? null]];
      const sent = request.query.find(([each]) => each === name)?.[1];
      return place === "query" && role === "other" ? [[name, sent ?? null]] : [];
    }),
  );
}

/** Returns the comparison that decides: a difference is `open` until it lasts for the consistency timeout. */
function settledComparisons(group: readonly RecordComparison[], timeout: number): RecordComparison[] {
  const another = group.find(({ verdict }) => verdict === "another");
  if (another) return [another];
  const last = group.findLast(({ verdict }) => verdict !== "open") ?? group.at(-1);
  if (last?.verdict !== "differs") return last ? [last] : [];
  const begin = group.findLastIndex(({ verdict }) => verdict !== "differs" && verdict !== "open") + 1;
  const since = group.slice(begin).find(({ verdict }) => verdict === "differs")?.read.startedAt ?? 0;
  return [last.read.startedAt - since < timeout ? { ...last, verdict: "open" } : last];
}
