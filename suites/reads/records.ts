import type { Answer } from "../../history/answers/answers.ts";
import {
  changedId,
  type Entry,
  endOf,
  hasSameCaller,
  header,
  isAccepted,
  isChoosingHeader,
  isRejected,
  isWrite,
  mayShareIds,
  pathId,
  requestJson,
  resourceIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { recordDifferences } from "../../history/lists/same-record.ts";
import { idWithParents } from "../../history/resource-kinds.ts";
import type { Difference } from "../../history/values/differences.ts";
import { addTo, groupedBy } from "../../spec/grouped.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { ComparedField, Operation, SameRecord, Spec } from "../../spec/model/spec.ts";
import { operationById, operationsOf } from "../../spec/operations.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

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
    .map((write) => [changedId(write) ?? "", endOf(write) + head.consistencyTimeoutMs] as const);
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
  const shown = name && single[name];
  const isId = typeof shown === "string" || typeof shown === "number";
  const isOther = isId && String(shown).toLowerCase() !== String(listed.item[field]).toLowerCase();
  if (differences.length > 0 && name !== undefined && isOther)
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

function isComparable(one: Entry, other: Entry): boolean {
  const isSameVersion = !one.operation?.version || !other.operation?.version || one.version === other.version;
  // Optional parameters may choose a language or a unit.
  const [form, otherForm] = [formAsked(one), formAsked(other)];
  const isSameForm = [...form.keys(), ...otherForm.keys()].every(
    (name) => (form.get(name) ?? null) === (otherForm.get(name) ?? null),
  );
  return isSameVersion && hasSameCaller(one, other) && mayShareIds(one, other) && isSameForm;
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

export interface Referring extends RuleTarget {
  requirement: string;
  lists: string[];
  fields: string[];
}

/** Returns the operations that show references, by requirement. */
export function referringTargets(spec: Spec): Referring[] {
  const shown = operationsOf(spec, "list", "read");
  return shown.flatMap((operation) => {
    const fields = spec.schemas.fields(operation.resource);
    const stated = fields.flatMap(([, field]) => field["x-references"] ?? []);
    return [...new Set(stated)].flatMap(({ requirement, lists, fields: by }) =>
      requirement === undefined ? [] : [{ operation, requirement, lists, fields: by }],
    );
  });
}

interface Reference {
  value: string;
  shownBy: Entry;
  /** Undefined if reads of the reference are missing, or if the lists show no record. */
  exists: boolean | undefined;
  reads: Entry[];
}

/** Returns the shown references, and if their records exist. */
export function referencesShown(history: History, at: Referring): Reference[] {
  const { spec, answers } = history;
  const items = at.lists.flatMap((id) => answers.to(operationById(spec, id)).flatMap(resourcesIn));
  const known = new Set(items.flatMap((item) => at.fields.map((field) => String(item[field] ?? ""))));
  const readers = readersOf(spec, at);
  const reads = readers.flatMap((reader) => history.ownAnswers(reader).map(({ entry }) => entry));
  const isDecidable = known.size > 0 && at.lists.every((list) => isSearchable(history, list, readers));
  return [...shownValues(history, at)].flatMap(([value, shownBy]): Reference[] => {
    if (known.has(value)) return [{ value, shownBy, exists: true, reads: [] }];
    const own = reads.filter((entry) => pathId(entry) === value);
    const isRejectedBy = (reader: Operation) =>
      own.some((entry) => entry.operation === reader && isRejected(entry));
    const isSought = isDecidable && readers.every(isRejectedBy);
    const exists = own.some(isAccepted) || (isSought ? false : undefined);
    return isSentByRun(history, value) ? [] : [{ value, shownBy, exists, reads: own }];
  });
}

/** Returns the referring values that the answers show, each with the first entry that shows it. */
function shownValues(history: History, { operation, requirement }: Referring): Map<string, Entry> {
  const shown = new Map<string, Entry>();
  // References may hold in one space alone.
  for (const answer of history.ownAnswers(operation))
    for (const resource of resourcesIn(answer))
      history.spec.schemas.walk(operation.resource ?? {}, resource, ({ schema, value }) => {
        if (schema["x-references"]?.requirement !== requirement || !Array.isArray(value)) return;
        for (const part of value) if (!shown.has(String(part))) shown.set(String(part), answer.entry);
      });
  return shown;
}

function resourcesIn({ isJudged, page, json }: Answer): JsonObject[] {
  if (page) return page.items;
  return isJudged && isObject(json) && isObject(json.result) ? [json.result] : [];
}

/** True if the run sent the value: a service may store references to records that it does not know. */
function isSentByRun({ context }: History, value: string): boolean {
  const text = JSON.stringify(value);
  return context.some(
    (entry) => entry.request.body?.text.includes(text) || listsNumber(requestJson(entry), value),
  );
}

function listsNumber(sent: unknown, digits: string): boolean {
  if (Array.isArray(sent)) return sent.some((part) => typeof part === "number" && String(part) === digits);
  return isObject(sent) && Object.values(sent).some((part) => listsNumber(part, digits));
}

/** Returns the reads that find a record by each of the fields. */
export function readersOf(
  { operations }: Spec,
  { lists, fields }: Pick<Referring, "lists" | "fields">,
): Operation[] {
  return operations.filter(
    ({ sameRecord, outer }) =>
      sameRecord !== undefined &&
      outer.length === 0 &&
      lists.includes(sameRecord.list) &&
      fields.every((field) => sameRecord.by.includes(field)),
  );
}

/** True if a read finds each record of the list, or if a whole list was read. */
function isSearchable({ spec, lists }: History, id: string, readers: readonly Operation[]): boolean {
  if (readers.some(({ sameRecord }) => sameRecord?.list === id)) return true;
  const list = operationById(spec, id);
  const isWhole = ({ end, filters }: ListRead) => end === "last-page" && filters.length === 0;
  return list.outer.length === 0 && lists.reads(list).some(isWhole);
}
