import { identityOf, idText } from "../../spec/identity.ts";
import { isObject, type JsonObject, jsonType, sameJson } from "../../spec/json.ts";
import type { OfKind } from "../../spec/model/difference.ts";
import type { Spec } from "../../spec/model/spec.ts";

export interface Difference extends OfKind {
  expected: string;
  actual: string;
}

/** Returns how the second answer differs, or `undefined`. New items, and those that they push off, don't count. */
export function differenceOf(spec: Spec, first: unknown, second: unknown): Difference | undefined {
  const [before, after] = [idsIn(spec, first), idsIn(spec, second)];
  const known = after.filter((id) => before.includes(id));
  const isGrown = after.length >= before.length && known.length > after.length / 2;
  const [kept, shown] = isGrown ? [before.slice(0, known.length), known] : [before, after];
  if (!sameJson(kept, shown))
    return {
      difference: "answers-differ",
      expected: `the same items: ${before.join(", ")}`,
      actual: after.join(", ") || "none",
    };
  const lost = lostPlaces(commonIdentity(spec), first, second);
  if (lost.length === 0) return undefined;
  return {
    difference: "answers-differ",
    expected: "the same fields again",
    actual: `another type or nothing in ${lost.join(", ")}`,
  };
}

function resultsIn(json: unknown): JsonObject[] {
  const result = isObject(json) ? json.result : undefined;
  return (Array.isArray(result) ? result : [result]).filter(isObject);
}

/** Returns the ids in the answer, and none if documented resources have ids of several names. */
export function idsIn(spec: Spec, json: unknown): string[] {
  const identity = commonIdentity(spec);
  return identity === undefined ? [] : resultsIn(json).flatMap((record) => idText(record[identity]) ?? []);
}

function commonIdentity(spec: Spec): string | undefined {
  const documented = spec.operations.filter(({ resource }) => resource);
  const [first, ...others] = new Set(documented.map((operation) => identityOf(spec, operation)));
  return others.length === 0 ? first : undefined;
}

/** Returns JSON pointers to the records and fields that the later answer no longer shows. */
function lostPlaces(identity: string | undefined, before: unknown, after: unknown): string[] {
  const idOf = (record: JsonObject) => (identity === undefined ? undefined : idText(record[identity]));
  const others = resultsIn(after);
  const isList = isObject(before) && Array.isArray(before.result);
  const lost = resultsIn(before).flatMap((record) => {
    const id = idOf(record);
    // Items without ids may change places.
    const other =
      id === undefined ? (isList ? undefined : others[0]) : others.find((other) => idOf(other) === id);
    return other ? lostFields(record, other, "") : [];
  });
  return [...new Set(lost)];
}

/** Returns JSON pointers to the fields that are gone or have another type. */
function lostFields(before: JsonObject, after: JsonObject, path: string): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const other = after[name];
    if (isObject(value) && isObject(other)) return lostFields(value, other, `${path}/${name}`);
    // One null says nothing about the type.
    const same =
      other !== undefined && (value === null || other === null || jsonType(value) === jsonType(other));
    return same ? [] : [`${path}/${name}`];
  });
}
