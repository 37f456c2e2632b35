import type { Answer } from "../../history/answers/answers.ts";
import { type Entry, isAccepted, isRejected, pathId, requestJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById, operationsOf } from "../../spec/operations.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

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
  const known = knownValues(history, at);
  const readers = readersOf(history.spec, at);
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

function knownValues({ spec, answers }: History, { lists, fields }: Referring): Set<string> {
  const items = lists.flatMap((id) => answers.to(operationById(spec, id)).flatMap(resourcesIn));
  return new Set(items.flatMap((item) => fields.map((field) => String(item[field] ?? ""))));
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
