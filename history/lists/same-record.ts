import { describeApart } from "../../spec/apart.ts";
import { appendPointer, isObject, type JsonObject, valueAt } from "../../spec/json.ts";
import type { ComparedField, Operation, SameRecord, Schema, Spec } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import type { Entry } from "../entry.ts";
import type { Violation } from "../result.ts";
import { isSameInAnyCasing } from "../values/casing.ts";
import {
  type Difference,
  describeDifferences,
  isSameBehindMasks,
  sameFieldValue,
} from "../values/differences.ts";

type Name = (value: string) => string;

/** Returns the requirements that compare a read with its list. */
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
  const views = { schemas: spec.schemas, ofList: list.resource ?? {}, ofRead: operation.resource ?? {} };
  if (same.fields === "all") return sameNames(views, listed, read);
  return mappedDifferences(views, same, listed, read, requirement);
}

/** Returns the violation that a read shows other values than the list. */
export function differsFromList(list: Entry, read: Entry, differences: Difference[]): Violation {
  const { expected, actual } = describeDifferences(differences);
  return {
    certainty: "suspected",
    difference: "list-differs",
    expected: `as in the list: ${expected}`,
    actual,
    shownBy: [{ entry: list }, { entry: read, offending: `/result${differences[0]?.pointer ?? ""}` }],
  };
}

function documentedFields(spec: Spec, schema: Schema | undefined, value: JsonObject, name: Name): JsonObject {
  const documented = schema ? spec.schemas.documented(schema, value) : value;
  const fields = Object.entries(isObject(documented) ? documented : value);
  return Object.fromEntries(fields.map(([field, shown]) => [field, withNames(shown, name)]));
}

function withNames(value: unknown, name: Name): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((element: unknown) => (typeof element === "string" ? name(element) : element));
}

interface Views {
  schemas: Spec["schemas"];
  ofList: Schema;
  ofRead: Schema;
}

/** Returns the fields that the list and the read both document and show with different values. */
function sameNames({ schemas, ofList, ofRead }: Views, listed: JsonObject, single: JsonObject): Difference[] {
  const [inList, inRead] = [schemas.properties(ofList), schemas.properties(ofRead)];
  // A list may document fewer fields than the read.
  return Object.entries(inRead).flatMap(([name, ofOne]) => {
    const other = inList[name];
    const isSame = !other || isSameValue(schemas, [ofOne, other], listed[name], single[name]);
    return isSame ? [] : [differenceAt(appendPointer("", name), listed[name], single[name])];
  });
}

/** True if both values are equal, but for secrets and masks. `documented` has the schemas of both. */
function isSameValue(
  schemas: Views["schemas"],
  documented: readonly Schema[],
  a: unknown,
  b: unknown,
): boolean {
  if (isNothing(a) && isNothing(b)) return true;
  const flat = documented.map((schema) => schemas.flatten(schema));
  if (flat.some((schema) => schema["x-secret"])) return true;
  if (flat.some((schema) => schema["x-maskable"])) return isSameBehindMasks(a, b);
  if (isObject(a) && isObject(b)) {
    const properties = flat.map((schema) => schemas.properties(schema));
    return Object.keys({ ...a, ...b }).every((name) => {
      const below = properties.flatMap((fields) => fields[name] ?? []);
      const isOfOne = below.length < properties.length && properties.every((fields) => !isEmpty(fields));
      return isOfOne || isSameValue(schemas, below, a[name], b[name]);
    });
  }
  const items = flat.flatMap((schema) => schema.items ?? []);
  const isInOrder =
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((item, index) => isSameValue(schemas, items, item, b[index]));
  return isInOrder || sameFieldValue(a, b);
}

function mappedDifferences(
  { schemas, ofList, ofRead }: Views,
  same: SameRecord,
  listed: JsonObject,
  single: JsonObject,
  requirement = same.requirement,
): Difference[] {
  return Object.entries(same.fields).flatMap(([own, compared]: [string, ComparedField]) => {
    if ((compared.requirement ?? same.requirement) !== requirement) return [];
    const inList = valueAt(listed, `/${compared.field}`);
    const inSingle = valueAt(single, `/${own}`);
    const documented = [schemas.at(ofList, `/${compared.field}`), schemas.at(ofRead, `/${own}`)];
    const known = documented.filter((schema) => schema !== undefined);
    const isSame = (one: unknown, other: unknown) => isSameValue(schemas, known, one, other);
    return isSameField(compared, inList, inSingle, isSame) ? [] : [differenceAt(`/${own}`, inList, inSingle)];
  });
}

function isSameField(
  { compare }: ComparedField,
  inList: unknown,
  inSingle: unknown,
  isSame: (one: unknown, other: unknown) => boolean,
): boolean {
  if (isNothing(inList) && isNothing(inSingle)) return true;
  switch (compare) {
    case "any-casing":
      return isSameInAnyCasing(inList, inSingle);
    case "masked":
      return isSameBehindMasks(inList, inSingle);
    default:
      return isSame(inList, inSingle);
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (isObject(value) && isEmpty(value));
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

function differenceAt(pointer: string, expected: unknown, actual: unknown): Difference {
  return { pointer, ...describeApart(expected, actual) };
}
