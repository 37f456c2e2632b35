import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { type Entry, fixtureIds, type Head, isRejected, objectSent, pathId } from "../entry.ts";
import { type ResourceKind, shownBy } from "../resource-kinds.ts";
import { hasFreeMembers } from "../values/value-schemas.ts";

/** Names a member of a field that is a map. */
export const memberOf = (field: string, name: string) => `${field} ${name}`;

/**
 * Finds members of maps in fixtures that got a value which the run never sent, between two reads without an update:
 * another client writes them. The entries are in the order of their ends.
 */
export function movingMembers(
  spec: Spec,
  head: Head,
  kind: ResourceKind,
  entries: readonly Entry[],
): ReadonlySet<string> {
  const moving = new Set<string>();
  const maps = mapsOf(spec, kind);
  if (maps.length === 0) return moving;
  const fixtures = new Set(fixtureIds(head));
  const ofFixtures = entries.filter((entry) => fixtures.has(pathId(entry) ?? ""));
  const pairs = readsWithoutUpdates(spec, kind, ofFixtures);
  for (const field of maps) {
    const changes = pairs.flatMap(([before, now]) => changedMembers(before[field], now[field]));
    if (changes.length === 0) continue;
    const sent = entries.flatMap((entry) => objectSent(entry)?.[field] ?? []);
    for (const [name, value] of changes)
      if (!sent.some((map) => isObject(map) && sameJson(map[name], value))) moving.add(memberOf(field, name));
  }
  return moving;
}

/** Returns the fields of the resource whose members have free names. */
function mapsOf({ schemas }: Spec, { updates }: ResourceKind): string[] {
  return schemas
    .fields(updates[0]?.resource)
    .filter(([, field]) => typesOf(field).includes("object") && hasFreeMembers(field))
    .map(([name]) => name);
}

/** Returns what successive reads of a resource show if no update was accepted between them. */
function readsWithoutUpdates(
  spec: Spec,
  kind: ResourceKind,
  entries: readonly Entry[],
): [before: JsonObject, now: JsonObject][] {
  const lastRead = new Map<string, JsonObject>();
  const pairs: [JsonObject, JsonObject][] = [];
  for (const entry of entries) {
    const { operation, path, space, version } = entry;
    if (!operation) continue;
    if (kind.updates.includes(operation) && !isRejected(entry)) lastRead.clear();
    if (kind.views.get(operation.id)?.shows !== "read") continue;
    const place = JSON.stringify([path, space, version]);
    const before = lastRead.get(place);
    const [now] = shownBy(spec, kind, entry);
    if (before && now) pairs.push([before, now.fields]);
    if (now) lastRead.set(place, now.fields);
  }
  return pairs;
}

function changedMembers(before: unknown, now: unknown): [name: string, value: unknown][] {
  const former = isObject(before) ? before : {};
  return Object.entries(isObject(now) ? now : {}).filter(([name, value]) => !sameJson(former[name], value));
}
