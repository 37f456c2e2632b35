/** Spaces may share ids: each may count its resources, or let its callers choose ids. */

import { type Entry, objectSent, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { tagsIn } from "../../history/tags.ts";
import { isDateTime } from "../../spec/formats.ts";
import { fixedFields, identityOf, isCounter } from "../../spec/identity.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
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
  const fixed = fixedFields(history.spec, operation);
  const isFixedSame = (name: string) =>
    name in original.record && sameJson(original.record[name], shown.record[name]);
  const isWholeSame = sameJson(original.record, shown.record);
  if (fixed.length < 2 ? !isWholeSame : !fixed.every(isFixedSame)) return false;
  const compared = fixed.length < 2 ? Object.keys(shown.record) : fixed;
  if (compared.some((name) => isExactTime(shown.record[name]))) return true;
  if (showsTextOf(history, original.entry.space, shown.record)) return true;
  if (isMadeIn(history, operation, shown)) return false;
  // Two spaces may make resource 1 in one second.
  return !isCounter(shown.id) || (isWholeSame && !eachSpaceCounts(history, operation));
}

/** True for a time with milliseconds, since no two resources are made in one of these. */
function isExactTime(value: unknown): boolean {
  return typeof value === "string" && isDateTime(value) && /\.\d*[1-9]/.test(value);
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
  return entries.flatMap((entry) => {
    const made = resourceIn(entry);
    if (made === undefined || entry.operation?.kind !== "create") return [];
    if (!isOneKind(spec, entry.operation, operation)) return [];
    return [{ entry, made, identity: identityOf(spec, entry.operation) }];
  });
}
