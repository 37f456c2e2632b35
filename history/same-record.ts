import { describeApart } from "../spec/apart.ts";
import { appendPointer, isObject, type JsonObject, valueAt } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { ComparedField, Operation, SameRecord, Schema, Spec } from "../spec/model/spec.ts";
import { type Difference, isSameBehindMasks, isSameInAnyCasing, sameFieldValue } from "./differences.ts";

type Name = (value: string) => string;

export function requirementsOf({ requirement, fields }: SameRecord): string[] {
  const own = fields === "all" ? [] : Object.values(fields).map((field) => field.requirement);
  return [...new Set([requirement, ...own.filter((id) => id !== undefined)])];
}

/** Returns how a listed item differs from its single read. `name` maps ids and codes to one name. */
export function recordDifferences(
  spec: Spec,
  operation: Operation,
  item: JsonObject,
  single: JsonObject,
  requirement?: string,
  name: Name = (value) => value,
): Difference[] {
  const { sameRecord: same } = operation;
  if (!same) return [];
  const list = operationById(spec, same.list);
  const listed = documentedFields(spec, list.resource, item, name);
  const read = documentedFields(spec, operation.resource, single, name);
  if (same.fields === "all") return sameNames(spec, operation.resource ?? {}, listed, read);
  return mapped(same, listed, read, requirement);
}

function documentedFields(spec: Spec, schema: Schema | undefined, value: JsonObject, name: Name): JsonObject {
  const documented = schema ? spec.schemas.documented(schema, value) : value;
  const fields = Object.entries(isObject(documented) ? documented : value);
  return Object.fromEntries(fields.map(([field, shown]) => [field, renamed(shown, name)]));
}

function renamed(value: unknown, name: Name): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((element: unknown) => (typeof element === "string" ? name(element) : element));
}

function sameNames(spec: Spec, schema: Schema, listed: JsonObject, single: JsonObject): Difference[] {
  const names = Object.keys(spec.schemas.flatten(schema).properties ?? {});
  return names
    .filter((name) => !sameFieldValue(listed[name], single[name]))
    .map((name) => difference(appendPointer("", name), listed[name], single[name]));
}

function mapped(
  same: SameRecord,
  listed: JsonObject,
  single: JsonObject,
  requirement = same.requirement,
): Difference[] {
  return Object.entries(same.fields).flatMap(([own, compared]: [string, ComparedField]) => {
    if ((compared.requirement ?? same.requirement) !== requirement) return [];
    const inList = valueAt(listed, `/${compared.field}`);
    const inSingle = valueAt(single, `/${own}`);
    return agrees(compared, inList, inSingle) ? [] : [difference(`/${own}`, inList, inSingle)];
  });
}

function agrees({ compare }: ComparedField, inList: unknown, inSingle: unknown): boolean {
  if (isNothing(inList) && isNothing(inSingle)) return true;
  switch (compare) {
    case "any-casing":
      return isSameInAnyCasing(inList, inSingle);
    case "masked":
      return isSameBehindMasks(inList, inSingle);
    default:
      return sameFieldValue(inList, inSingle);
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}

function difference(pointer: string, expected: unknown, actual: unknown): Difference {
  return { pointer, ...describeApart(expected, actual) };
}
