/** Spaces may share ids: each may count its resources, or let its callers choose ids. */

import { type Entry, objectSent, resourceIn, resultIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { tagsIn } from "../../history/values/tags.ts";
import { isDateTime } from "../../spec/formats.ts";
import { fixedFields, identityOf, isCounter } from "../../spec/identity.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import { keptIn, memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";

export interface ShownRecord {
  id: string;
  /** Differs for resources with the same id. */
  key: string;
  record: JsonObject;
  entry: Entry;
  pointer: string;
}

/** True if both operations show the same kind of resource. */
export function isOneKind({ schemas }: Spec, one: Operation, other: Operation): boolean {
  const [name, named] = [one, other].map(({ resource }) => resource && schemas.componentName(resource));
  return name !== undefined && name === named;
}

/** True if the fixed fields (`x-fixed`) are equal, and two resources with this id are unlikely. */
export function isSameResource(
  history: History,
  operation: Operation,
  original: ShownRecord,
  shown: ShownRecord,
): boolean {
  const isShown = (name: string) => name in original.record || name in shown.record;
  const fixed = fixedFields(history.spec, operation).filter(isShown);
  const isFixedSame = (name: string) => sameJson(original.record[name], shown.record[name]);
  const isWholeSame = sameJson(original.record, shown.record);
  if (fixed.length < 2 ? !isWholeSame : !fixed.every(isFixedSame)) return false;
  const compared = fixed.length < 2 ? Object.keys(shown.record) : fixed;
  if (compared.some((name) => isTimeOfOne(history, operation, name, shown.record[name]))) return true;
  if (showsTextOf(history, original.entry.space, shown.record)) return true;
  if (isMadeIn(history, operation, shown) || isChosen(history.spec, operation)) return false;
  if (!isCounter(shown.id)) return true;
  // Two spaces may make resource 1 in one second, or begin with equal resources. Resources of the run differ.
  const mayBegin =
    tagsIn(history.head, shown.record).length === 0 && makersOf(history.spec, operation).length > 0;
  return isWholeSame && !mayBegin && !eachSpaceCounts(history, operation);
}

/** True for a time in milliseconds that no resource with another id shows: spaces may be filled in one moment. */
function isTimeOfOne(history: History, operation: Operation, name: string, value: unknown): boolean {
  if (typeof value !== "string" || !isDateTime(value) || !/\.\d*[1-9]/.test(value)) return false;
  return (idsByValue(history, operation).get(`${name} ${value}`)?.size ?? 0) <= 1;
}

const idsByValue = memoized((history: History, operation: Operation): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const entry of history.entries) {
    if (!entry.operation || !isOneKind(history.spec, entry.operation, operation)) continue;
    const identity = identityOf(history.spec, entry.operation);
    for (const record of [resultIn(entry)].flat().filter(isObject))
      for (const [name, value] of Object.entries(record)) {
        if (typeof value !== "string") continue;
        keptIn(found, `${name} ${value}`, () => new Set<string>()).add(String(record[identity]));
      }
  }
  return found;
});

/** True if callers choose the ids. Then each space may have a resource with the same id. */
function isChosen(spec: Spec, operation: Operation): boolean {
  return makersOf(spec, operation).some((create) =>
    spec.schemas.fields(create.body).some(([name]) => name === identityOf(spec, create)),
  );
}

/** Returns the creates of resources that the operation shows. Items of a list may have a schema of their own. */
function makersOf(spec: Spec, operation: Operation): Operation[] {
  const readers = spec.operations.filter(({ sameRecord }) => sameRecord?.list === operation.id);
  return spec.operations.filter(
    (create) =>
      create.kind === "create" && [operation, ...readers].some((shower) => isOneKind(spec, create, shower)),
  );
}

/** True if the record shows a text that only requests in that space sent. */
function showsTextOf(history: History, space: string | null, record: JsonObject): boolean {
  return tagsIn(history.head, record).some((tag) => isOnlySentIn(history, space, tag));
}

function isOnlySentIn(history: History, space: string | null, tag: string): boolean {
  const senders = history.senders(tag);
  return senders.length > 0 && senders.every((sender) => sender.space === space);
}

/** True if the space has an own resource with this id: a create there sent the id, or a text that its answer shows. */
function isMadeIn(history: History, operation: Operation, { id, entry: { space } }: ShownRecord): boolean {
  return createsOf(history, operation).some(({ entry, identity, made }) => {
    if (entry.space !== space || String(made[identity]) !== id) return false;
    const sent = objectSent(entry);
    return (sent && String(sent[identity]) === id) || showsTextOf(history, space, made);
  });
}

/** True if two spaces made different resources with one id. Equal resources may be different ones then, too. */
const eachSpaceCounts = memoized((history: History, operation: Operation): boolean => {
  const spaces = new Map<string, string | null>();
  return createsOf(history, operation).some(({ entry: { space }, identity, made }) => {
    if (!showsTextOf(history, space, made)) return false;
    const id = String(made[identity]);
    const first = spaces.get(id) ?? space;
    spaces.set(id, first);
    return first !== space;
  });
});

function createsOf({ spec, entries }: History, operation: Operation) {
  const makers = new Set(makersOf(spec, operation));
  return entries.flatMap((entry) => {
    const made = resourceIn(entry);
    if (made === undefined || !entry.operation || !makers.has(entry.operation)) return [];
    return [{ entry, made, identity: identityOf(spec, entry.operation) }];
  });
}
