import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { type Entry, isRejected, objectSent, pathId } from "../entry.ts";
import { type ResourceKind, shownBy } from "../resource-kinds.ts";
import { hasFreeMembers } from "../values/value-schemas.ts";

/** Names a member of a field that is a map. */
export const memberOf = (field: string, name: string) => `${field} ${name}`;

/**
 * Finds members of maps that the run never sends, and that changed between two reads without an update of the resource:
 * another client writes them. The entries are in the order of their ends.
 */
export function movingMembers(
  spec: Spec,
  kind: ResourceKind,
  entries: readonly Entry[],
): ReadonlySet<string> {
  const moving = new Set<string>();
  const maps = mapsOf(spec, kind);
  if (maps.length === 0) return moving;
  for (const [before, now] of readsWithoutUpdates(spec, kind, entries))
    for (const field of maps)
      for (const name of changedMembers(before[field], now[field])) moving.add(memberOf(field, name));
  for (const entry of moving.size > 0 ? entries : [])
    for (const field of maps)
      for (const name of membersIn(objectSent(entry)?.[field])) moving.delete(memberOf(field, name));
  return moving;
}

/** Returns the fields of the resource whose members have free names. */
function mapsOf({ schemas }: Spec, { updates }: ResourceKind): string[] {
  return schemas
    .fields(updates[0]?.resource)
    .filter(([, field]) => typesOf(field).includes("object") && hasFreeMembers(field))
    .map(([name]) => name);
}

/** Returns what successive reads of a resource show if no update of it was accepted between them. */
function readsWithoutUpdates(
  spec: Spec,
  kind: ResourceKind,
  entries: readonly Entry[],
): [before: JsonObject, now: JsonObject][] {
  const lastUpdates = new Map<string, Entry>();
  const lastReads = new Map<string, { fields: JsonObject; update: Entry | undefined }>();
  const pairs: [JsonObject, JsonObject][] = [];
  for (const entry of entries) {
    const id = pathId(entry);
    if (!entry.operation || id === undefined) continue;
    if (kind.updates.includes(entry.operation) && !isRejected(entry)) lastUpdates.set(id, entry);
    if (kind.views.get(entry.operation.id)?.shows !== "read") continue;
    const [shown] = shownBy(spec, kind, entry);
    if (!shown) continue;
    const key = JSON.stringify([entry.path, entry.space, entry.version]);
    const before = lastReads.get(key);
    const update = lastUpdates.get(id);
    if (before && before.update === update) pairs.push([before.fields, shown.fields]);
    lastReads.set(key, { fields: shown.fields, update });
  }
  return pairs;
}

function changedMembers(before: unknown, now: unknown): string[] {
  if (sameJson(before, now)) return [];
  const valueIn = (map: unknown, name: string) => (isObject(map) ? map[name] : undefined);
  return [...new Set([...membersIn(before), ...membersIn(now)])].filter(
    (name) => !sameJson(valueIn(before, name), valueIn(now, name)),
  );
}

function membersIn(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
