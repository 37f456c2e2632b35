import { idText } from "../../spec/identity.ts";
import { isObject, type JsonObject, jsonType, sameJson } from "../../spec/json.ts";
import type { OfKind } from "../../spec/model/difference.ts";

export interface Difference extends OfKind {
  expected: string;
  actual: string;
}

/** Ignores new items, even if they push others off the page. */
export function differenceOf(first: unknown, second: unknown): Difference | undefined {
  const [before, after] = [idsIn(first), idsIn(second)];
  const known = after.filter((id) => before.includes(id));
  const isGrown = after.length >= before.length && known.length > after.length / 2;
  if (!sameJson(before.slice(0, isGrown ? known.length : undefined), isGrown ? known : after))
    return {
      difference: "answers-differ",
      expected: `the same items: ${before.join(", ")}`,
      actual: after.join(", ") || "none",
    };
  const lost = lostPlaces(first, second);
  return lost.length === 0
    ? undefined
    : {
        difference: "answers-differ",
        expected: "the same fields again",
        actual: `another type or nothing in ${lost.join(", ")}`,
      };
}

function resultsIn(json: unknown): JsonObject[] {
  const result = isObject(json) ? json.result : undefined;
  return (Array.isArray(result) ? result : [result]).filter(isObject);
}

export function idsIn(json: unknown): string[] {
  return resultsIn(json).flatMap(({ id }) => idText(id) ?? []);
}

function lostPlaces(before: unknown, after: unknown): string[] {
  const others = resultsIn(after);
  const isList = isObject(before) && Array.isArray(before.result);
  const lost = resultsIn(before).flatMap((record) => {
    const id = idText(record.id);
    // Items without ids may change places.
    const other =
      id === undefined ? (isList ? undefined : others[0]) : others.find((each) => idText(each.id) === id);
    return other ? lostFields(record, other, "") : [];
  });
  return [...new Set(lost)];
}

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
