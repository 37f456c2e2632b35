import { type Entry, endOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { OneWayChange } from "../../history/journal/sightings.ts";
import type { TrackedResource } from "../../history/journal/tracked-resource.ts";
import { kindOfUpdate, mayShareParents } from "../../history/resource-kinds.ts";
import type { OneWay } from "./targets.ts";

export interface Changed extends TrackedResource {
  oneWay: OneWayChange;
}

/** Returns the resources that the one-way change has reached. */
export function changedBy(history: History, { operation, name }: OneWay): Changed[] {
  const isChanged = (own: TrackedResource): own is Changed =>
    own.oneWay?.entry.operation === operation && own.oneWay.field === name;
  return history.journal.resources.filter(isChanged);
}

/** False if the path names another parent, below which a resource may have the same id. */
export function mayBeOf({ spec }: History, { oneWay }: Changed, entry: Entry): boolean {
  const kind = oneWay.entry.operation ? kindOfUpdate(spec, oneWay.entry.operation) : undefined;
  return kind === undefined || mayShareParents(kind, oneWay.entry, entry);
}

/** Returns the position of the next write to the resource, or infinity. */
export function nextWrite({ oneWay, writes }: Changed): number {
  return writes.find(({ entry }) => entry.begun > oneWay.entry.ended)?.entry.begun ?? Infinity;
}

/** True if the answer came before the consistency timeout after the change. */
export function mayShowEarlierState({ head }: History, { oneWay }: Changed, entry: Entry): boolean {
  return entry.startedAt - endOf(oneWay.entry) < head.consistencyTimeoutMs;
}
