/** Spaces may share ids: each may count its resources, or let its callers choose ids. */

import { type Entry, isAccepted, requestJson, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { tagsIn } from "../../history/tags.ts";
import { identityOf } from "../../spec/identity.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";

export interface ShownRecord {
  id: string;
  /** Tells resources with the same id apart. */
  key: string;
  record: JsonObject;
  entry: Entry;
  pointer: string;
}

export function isOneKind({ schemas }: Spec, one: Operation, other: Operation): boolean {
  const [name, named] = [one, other].map(({ resource }) => resource && schemas.componentName(resource));
  return name !== undefined && name === named;
}

/** True if fields that never change (`x-fixed`) are equal, and the id alone tells resources apart. */
export function isSameResource(
  history: History,
  operation: Operation,
  original: ShownRecord,
  shown: ShownRecord,
): boolean {
  const { resource } = operation;
  const fixed = (resource && history.spec.schemas.flatten(resource)["x-fixed"]) ?? [];
  const isFixedSame = (name: string) =>
    name in original.record && sameJson(original.record[name], shown.record[name]);
  const isWholeSame = sameJson(original.record, shown.record);
  if (fixed.length < 2 ? !isWholeSame : !fixed.every(isFixedSame)) return false;
  if (showsTextOf(history, original.entry.space, shown.record)) return true;
  return !isMadeIn(history, operation, shown) && (isWholeSame || !isCounter(shown.id));
}

/** Two spaces may make resource 1 in one second. */
function isCounter(id: string): boolean {
  return /^\d{1,9}$/.test(id);
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
  const { spec, entries } = history;
  return entries.some((entry) => {
    if (entry.space !== space || entry.operation?.kind !== "create" || !isAccepted(entry)) return false;
    if (!isOneKind(spec, entry.operation, operation)) return false;
    const identity = identityOf(spec, entry.operation);
    const sent = requestJson(entry);
    const made = resourceIn(entry);
    if (made === undefined || String(made[identity]) !== id) return false;
    return (isObject(sent) && String(sent[identity]) === id) || showsTextOf(history, space, made);
  });
}
