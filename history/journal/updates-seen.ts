import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { type Entry, haveSameIds, isAccepted, isRejected, objectSent, overlaps, pathId } from "../entry.ts";
import { kindOfUpdate, placeOf, type ResourceKind, shownBy } from "../resource-kinds.ts";

const MOST_READS = 100;

export interface SeenUpdate {
  entry: Entry;
  sent: JsonObject;
  accepted: boolean;
  answer: JsonObject | undefined;
  before: JsonObject | undefined;
  after: JsonObject | undefined;
  /** Reads until the next write, by the same operation and version as `before`. */
  reads: JsonObject[];
}

interface SinceRead {
  read: Entry;
  shown: JsonObject;
  writes: SeenUpdate[];
  last: LastUpdate | undefined;
}

interface LastUpdate {
  update: SeenUpdate;
  readBefore: Entry;
}

/** True if another update of the resource ran at the same time: not both need to succeed. */
export function overlapsAnother(updates: readonly SeenUpdate[], entry: Entry): boolean {
  return updates.some(
    ({ entry: other }) =>
      other !== entry && other.request.url === entry.request.url && overlaps(other, entry),
  );
}

/** True if other updates of the resource were accepted between the first and the last sending of this one. */
export function isKeptBusy(entries: readonly Entry[], entry: Entry): boolean {
  const first = entries.find(({ index }) => index === entry.repeats);
  // Another operation may update the same resource.
  const isOfResource = (other: Entry) =>
    other.operation?.kind === "update" &&
    other.operation.pathParameter?.madeBy === entry.operation?.pathParameter?.madeBy &&
    haveSameIds(other, entry);
  return (
    first !== undefined &&
    entries.some(
      (other) =>
        isAccepted(other) && isOfResource(other) && other.begun > first.begun && other.ended < entry.begun,
    )
  );
}

/** Returns updates with their answers, and the reads before and after each. */
export function updatesSeen(spec: Spec, update: Operation, entries: readonly Entry[]): SeenUpdate[] {
  const kind = kindOfUpdate(spec, update);
  if (!kind) return [];
  const seen: SeenUpdate[] = [];
  const sinceRead = new Map<string, SinceRead>();
  for (const entry of entries) {
    if (entry.credential.kind !== "token") continue;
    const { operation } = entry;
    if (operation !== null && kind.updates.includes(operation)) {
      const id = pathId(entry) ?? "";
      const one = seenUpdate(spec, kind, entry, id);
      if (operation === update) seen.push(one);
      if (!isRejected(entry)) sinceRead.get(placeOf(kind, entry, id) ?? "")?.writes.push(one);
      continue;
    }
    for (const { id, fields } of shownBy(spec, kind, entry)) {
      const place = placeOf(kind, entry, id);
      if (place === undefined) continue;
      const last = lastUpdate(sinceRead.get(place), entry, fields);
      if (last && last.update.reads.length < MOST_READS && isLike(last.readBefore, entry))
        last.update.reads.push(fields);
      sinceRead.set(place, { read: entry, shown: fields, writes: [], last });
    }
  }
  return seen;
}

/** Returns the update between two reads, if exactly one write happened there. */
function lastUpdate(
  previous: SinceRead | undefined,
  read: Entry,
  fields: JsonObject,
): LastUpdate | undefined {
  if (!previous) return undefined;
  const [update, ...others] = previous.writes;
  if (!update) return previous.last;
  const { begun, ended } = update.entry;
  if (others.length > 0 || begun < previous.read.ended || ended > read.begun) return undefined;
  update.before = previous.shown;
  update.after = fields;
  return { update, readBefore: previous.read };
}

function seenUpdate(spec: Spec, kind: ResourceKind, entry: Entry, id: string): SeenUpdate {
  return {
    entry,
    sent: objectSent(entry) ?? {},
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
