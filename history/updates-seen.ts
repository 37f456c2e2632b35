import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Entry, isAccepted, isRejected, overlaps, requestJson } from "./entry.ts";
import { kindOfUpdate, pathId, placeOf, type ResourceKind, shownBy } from "./resource-kinds.ts";

const MOST_READS = 100;

export interface SeenUpdate {
  entry: Entry;
  sent: JsonObject;
  accepted: boolean;
  answer: JsonObject | undefined;
  before: JsonObject | undefined;
  after: JsonObject | undefined;
  /**
   * These reads come before the next write, and use the operation and version of the read before the update.
   */
  reads: JsonObject[];
}

interface Interval {
  read: Entry;
  shown: JsonObject;
  writes: SeenUpdate[];
  last?: { update: SeenUpdate; before: Entry };
}

/** Nothing promises that two overlapping updates of one resource both succeed. */
export function overlapsAnother(updates: readonly SeenUpdate[], entry: Entry): boolean {
  return updates.some(
    ({ entry: other }) =>
      other !== entry && other.request.url === entry.request.url && overlaps(other, entry),
  );
}

export function updatesSeen(spec: Spec, update: Operation, entries: readonly Entry[]): SeenUpdate[] {
  const kind = kindOfUpdate(spec, update);
  if (!kind) return [];
  const seen: SeenUpdate[] = [];
  const intervals = new Map<string, Interval>();
  for (const entry of entries) {
    if (entry.credential.kind !== "token") continue;
    const { operation } = entry;
    if (operation !== null && kind.updates.includes(operation)) {
      const id = pathId(entry) ?? "";
      const place = placeOf(entry, id);
      const one = seenUpdate(spec, kind, entry, id);
      if (operation === update) seen.push(one);
      if (!isRejected(entry)) intervals.get(place)?.writes.push(one);
      continue;
    }
    for (const { id, fields } of shownBy(spec, kind, entry)) {
      const place = placeOf(entry, id);
      const last = intervals.get(place);
      const [only, ...others] = last?.writes ?? [];
      let write = last?.writes.length === 0 ? last.last : undefined;
      if (last && only && others.length === 0 && isBetween(only.entry, last.read, entry)) {
        only.before = last.shown;
        only.after = fields;
        write = { update: only, before: last.read };
      }
      if (write && write.update.reads.length < MOST_READS && isLike(write.before, entry))
        write.update.reads.push(fields);
      intervals.set(place, { read: entry, shown: fields, writes: [], ...(write ? { last: write } : {}) });
    }
  }
  return seen;
}

function seenUpdate(spec: Spec, kind: ResourceKind, entry: Entry, id: string): SeenUpdate {
  const body = requestJson(entry);
  return {
    entry,
    sent: isObject(body) ? body : {},
    accepted: isAccepted(entry),
    answer: shownBy(spec, kind, entry).find((shown) => shown.id === id)?.fields,
    before: undefined,
    after: undefined,
    reads: [],
  };
}

function isLike(one: Entry, other: Entry): boolean {
  return one.operation === other.operation && one.version === other.version;
}

function isBetween(write: Entry, before: Entry, after: Entry): boolean {
  return before.ended < write.begun && write.ended < after.begun;
}
