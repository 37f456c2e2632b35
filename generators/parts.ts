import { isObject } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { containedCount, leastElements, memberSchema } from "../spec/schema.ts";
import { firstOfEachSchema } from "./map-names.ts";
import { arrayOfLength, formsOf, mapOfEachKind, mapOfSize, type ValueSource, validValue } from "./values.ts";

/** A part of a value: a name, an element, a member of a map, or one form of the whole. */
interface Part {
  name: string;
  schema: Schema;
  valid: unknown;
  /** Returns a whole value with this part. */
  put(part: unknown): unknown;
  partsIn(value: unknown): unknown[];
}

/**
 * Returns the parts whose own limits are tried: an element of the list, a value of the map and each form of a
 * union.
 */
export function partsOf(schema: Schema, source: ValueSource): Part[] {
  const { propertyNames, minProperties = 0 } = schema;
  const map = propertyNames ? mapOfSize(schema, Math.max(minProperties, 1), source) : {};
  const [key = ""] = Object.keys(map);
  const { [key]: named, ...unnamed } = map;
  const name: Part = {
    name: "a name",
    schema: { type: "string", ...propertyNames },
    valid: key,
    put: (text) => ({ [String(text)]: named, ...unnamed }),
    partsIn: (value) => (isObject(value) ? Object.keys(value) : []),
  };
  return [
    ...(propertyNames ? [name] : []),
    ...tupleParts(schema, source),
    ...elementParts(schema, source),
    ...memberParts(schema, source),
    ...formsOf(schema, source).map((form, index) =>
      formPart(form, validValue(schema, source, index), index, source),
    ),
  ];
}

/** Returns each element that has a schema of its own (`prefixItems`) as a part. */
function tupleParts(schema: Schema, source: ValueSource): Part[] {
  const { prefixItems = [] } = schema;
  const list = arrayOfLength(schema, Math.max(leastElements(schema), prefixItems.length), source) ?? [];
  return prefixItems.map((own, index) => ({
    name: `element ${index + 1}`,
    schema: own,
    valid: list[index],
    put: (element) => list.with(index, element),
    partsIn: (value) => (Array.isArray(value) ? value.slice(index, index + 1) : []),
  }));
}

/** Returns the first element without a schema of its own as a part, with a way to put another in its place. */
function elementParts(schema: Schema, source: ValueSource): Part[] {
  const { prefixItems: { length: at } = [], items } = schema;
  if (!isObject(items)) return [];
  // The list ends with the elements that `contains` asks for.
  const length = Math.max(leastElements(schema), at + 1 + containedCount(schema));
  const list = arrayOfLength(schema, length, source) ?? [];
  return [
    {
      name: "an element",
      schema: items,
      valid: list[at],
      put: (element) => list.with(at, element),
      partsIn: (value) => (Array.isArray(value) ? value.slice(at) : []),
    },
  ];
}

/** Returns a value of a map as a part, and one under each of its patterns. */
function memberParts(schema: Schema, source: ValueSource): Part[] {
  const map = mapOfEachKind(schema, source);
  return firstOfEachSchema(schema, map).map(([key, member]) => ({
    name: member === schema.additionalProperties ? "a value" : `a value of ${key}`,
    schema: member,
    valid: map[key],
    put: (value) => ({ ...map, [key]: value }),
    partsIn: (value) =>
      isObject(value)
        ? Object.keys(value)
            .filter((name) => memberSchema(schema, name) === member)
            .map((name) => value[name])
        : [],
  }));
}

/** Returns one form of a union as a part, which is the whole value. */
function formPart(schema: Schema, valid: unknown, index: number, { schemas }: ValueSource): Part {
  const isOf = (value: unknown) => schemas.validate(schema, value).length === 0;
  return {
    name: `form ${index + 1}`,
    schema,
    valid,
    put: (form) => form,
    partsIn: (value) => [value].filter(isOf),
  };
}
