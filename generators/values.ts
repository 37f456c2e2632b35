import { createHash } from "node:crypto";
import { distinct, isObject, type JsonObject } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { rotated } from "../spec/ordered.ts";
import {
  allowsNull,
  containedCount,
  elementSchema,
  isEncoded,
  leastElements,
  memberSchema,
  mergeSchemas,
  mostElements,
  typesOf,
} from "../spec/schema.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";
import { requiredByOthers } from "./conditions.ts";
import { textOfFormat } from "./formats.ts";
import { namesOf } from "./map-names.ts";
import { freshNumber, validNumber } from "./numbers.ts";
import { matchingText, patternOf, uniqueMatchingText } from "./pattern-texts.ts";
import { isFreeText } from "./text.ts";
import { asciiText } from "./texts-of-length.ts";

export interface ValueSource {
  schemas: SchemaIndex;
  unique(): string;
  known(fixture: string): string[];
  references(schema: Schema): string[];
  seed: number;
  within?: readonly Schema[];
}

/** Returns the source for values inside of the schema, which may refer to itself. */
export function sourceWithin(source: ValueSource, schema: Schema): ValueSource {
  return { ...source, within: [...(source.within ?? []), schema] };
}

/** True if the value would never end, because the schema contains itself. */
export function isWithinItself(source: ValueSource, schema: Schema): boolean {
  const { schemas, within = [] } = source;
  const flat = schemas.flatten(schema);
  return within.includes(flat) || (flat.items !== undefined && within.includes(schemas.flatten(flat.items)));
}

/** Returns a valid value, or `undefined` if only the service knows one. */
export function validValue(schema: Schema, source: ValueSource, requestedVariation = 0): unknown {
  const flat = source.schemas.chosen(schema, requestedVariation);
  const variation = flat["x-unique"]?.scope === "space" ? freshNumber(source) : requestedVariation;
  const from = flat["x-values-from"];
  const known = from ? source.known(from.fixture) : [];
  if (typesOf(flat).includes("array")) return validArray(flat, known, source, variation);
  if (known.length > 0) {
    const value = known[variation % known.length];
    return typesOf(flat).includes("string") ? value : Number(value);
  }
  if (from && !canBeInvented(flat)) return allowsNull(flat) ? null : undefined;
  if (flat["x-send"]) return narrowerValue(flat, source, variation);
  const example = flat.examples?.[variation % (flat.examples.length || 1)];
  if (typeof example === "string" && flat.format === "uri") return `${example}&n=${source.unique()}`;
  if (example !== undefined) return example;
  const options = flat.enum?.filter((option) => option !== null);
  if (options && options.length > 0) return options[variation % options.length];
  if (flat.const !== undefined) return flat.const;
  // If `flat` is a branch, the whole schema is remembered instead, so that a schema inside itself is noticed.
  const own = source.schemas.flatten(schema);
  return valueOfType(flat, own === flat ? source : sourceWithin(source, own), variation);
}

/** Returns the schema with each of its branches chosen. */
export function formsOf(schema: Schema, { schemas }: ValueSource): Schema[] {
  const options = schema.oneOf ?? schema.anyOf ?? [];
  return [...new Set(options.map((_, index) => schemas.chosen(schema, index)))];
}

function canBeInvented({ format, examples, enum: options, const: only, "x-send": narrow }: Schema): boolean {
  const formed = format !== undefined && format !== "uuid";
  return formed || [examples, options, only, narrow].some((each) => each !== undefined);
}

/** Returns a text for a header that fits the schema and differs for each `unique`. */
export function headerText(schema: Schema, unique: string): string {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const digest = createHash("sha256").update(unique).digest("hex");
  if (format === "uuid") return digest.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
  if (pattern !== undefined && !patternOf(pattern).test(unique))
    return matchingText(schema, Number.parseInt(digest.slice(0, 7), 16));
  // Unique texts differ at the end, so the end is kept.
  return unique.slice(-Math.min(maxLength, unique.length)).padEnd(minLength, "x");
}

/** Returns a value of `x-send`, which every service must accept. */
function narrowerValue(schema: Schema, source: ValueSource, variation: number): unknown {
  const narrow = schema["x-send"];
  if (!narrow) return undefined;
  if (typesOf(narrow).includes("object")) return validMap(narrow, source, variation);
  if (narrow.pattern !== undefined || narrow.enum) return validValue(narrow, source, variation);
  const { "x-send": _, ...wide } = schema;
  return validValue({ ...wide, ...narrow }, source, variation);
}

function valueOfType(schema: Schema, source: ValueSource, variation: number): unknown {
  const type = typesOf(schema).find((name) => name !== "null");
  switch (type) {
    case "string":
      return validText(schema, source, variation);
    case "integer":
    case "number":
      return validNumber(schema, type === "integer", variation);
    case "boolean":
      return typeof schema.default === "boolean" ? schema.default : variation % 2 === 1;
    case "object":
      return schema.properties
        ? validObject(schema, source, "full", variation)
        : validMap(schema, source, variation);
    default:
      return allowsNull(schema) ? null : source.unique();
  }
}

function validText(schema: Schema, source: ValueSource, variation: number): string | undefined {
  const formed = textOfFormat(schema.format, variation, schema["x-unique"] !== undefined);
  if (formed !== undefined) return formed;
  if (isEncoded(schema))
    return /^base64$/i.test(schema.contentEncoding ?? "") ? textOfFormat("byte", variation) : undefined;
  if (schema.pattern !== undefined) {
    const textFor = schema["x-unique"] ? uniqueMatchingText : matchingText;
    const text = textFor(schema, variation);
    return patternOf(schema.pattern).test(text) ? text : undefined;
  }
  const unique = source.unique();
  const { maxLength = unique.length } = schema;
  // Other probes send texts of the greatest length, so this one is shorter.
  const text = unique.length > maxLength ? asciiText(source, Math.max(maxLength - 1, 1)) : unique;
  return text.length < (schema.minLength ?? 0) ? asciiText(source, schema.minLength ?? 0) : text;
}

/** Returns a list of known references or values if the schema names them, and else of generated ones. */
function validArray(schema: Schema, known: string[], source: ValueSource, variation: number): unknown {
  const { maxItems = Math.max(4, schema.prefixItems?.length ?? 0) } = schema;
  const minItems = leastElements(schema);
  // Two lists of all known values could not differ, so one value is left out.
  const most = Math.max(Math.min(maxItems - 1, 3), Math.min(maxItems, 1));
  if (schema["x-references"]) {
    const references = membersOfType(source.references(schema), schema, source);
    if (references.length < Math.max(minItems, 1)) return allowsNull(schema) ? null : undefined;
    // A service may ignore the order, so every second list has one of two references.
    const some = references.length === 2 && variation % 2 === 1 ? 1 : 2;
    return rotated(references, variation).slice(0, Math.max(minItems, Math.min(most, some)));
  }
  if (schema["x-values-from"]) {
    // If no names are known, only null is surely valid.
    const names = membersOfType(known, schema, source);
    if (names.length < Math.max(minItems, 1)) return allowsNull(schema) ? null : undefined;
    return rotated(names, variation).slice(0, Math.max(minItems, most));
  }
  const narrow = schema["x-send"];
  if (schema.prefixItems && !narrow?.items) {
    const tuple = Math.min(Math.max(schema.prefixItems.length, minItems), maxItems);
    return arrayOfLength(schema, tuple, source, variation);
  }
  const items = narrow?.items ?? schema.items ?? {};
  if (isWithinItself(source, items)) return minItems === 0 ? [] : undefined;
  const length = Math.max(minItems, Math.min(most, 1 + (variation % 2)));
  const values = Array.from({ length }, (_, index) => validValue(items, source, variation + index));
  return withContained(schema.uniqueItems ? distinctIfEnough(values, minItems) : values, schema, source);
}

/** Returns whole numbers if the list takes no texts. */
function membersOfType(
  texts: readonly string[],
  { items = {} }: Schema,
  { schemas }: ValueSource,
): unknown[] {
  const types = typesOf(schemas.flatten(items));
  if (types.length === 0 || types.includes("string")) return [...texts];
  return texts.map(Number).filter(Number.isSafeInteger);
}

/** Returns a valid list of that many elements, or `undefined` if none is known. */
export function arrayOfLength(
  schema: Schema,
  length: number,
  source: ValueSource,
  variation = 0,
): unknown[] | undefined {
  const flat = source.schemas.flatten(schema);
  const from = flat["x-values-from"];
  const pool = flat["x-references"] ? source.references(flat) : from ? source.known(from.fixture) : undefined;
  if (pool) {
    const names = membersOfType(pool, flat, source);
    if (names.length === 0) return undefined;
    return Array.from({ length }, (_, index) => names[index % names.length]);
  }
  if (length > mostElements(flat)) return undefined;
  const items = flat["x-send"]?.items;
  const values = Array.from({ length }, (_, index) =>
    validValue(items ?? elementSchema(flat, index) ?? {}, source, variation + index),
  );
  return withContained(values, flat, source);
}

/** Returns the list with the elements that `contains` asks for in its last places. */
function withContained(values: readonly unknown[], schema: Schema, source: ValueSource): unknown[] {
  const { schemas } = source;
  const first = values.length - containedCount(schema);
  return values.map((value, index) => {
    if (index < first || !schema.contains) return value;
    const own = schemas.flatten(elementSchema(schema, index) ?? {});
    return validValue(mergeSchemas(own, schemas.flatten(schema.contains)), source, index);
  });
}

function distinctIfEnough(values: unknown[], least: number): unknown[] {
  const different = distinct(values);
  return different.length >= least ? different : values;
}

function validMap(schema: Schema, source: ValueSource, variation: number): JsonObject {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY, patternProperties = {} } = schema;
  const wanted = Math.max(2, Object.keys(patternProperties).length);
  return mapOfSize(schema, Math.max(Math.min(wanted, maxProperties), minProperties), source, variation);
}

/** Returns a map with that many members. */
export function mapOfSize(schema: Schema, size: number, source: ValueSource, variation = 0): JsonObject {
  return mapOfNames(schema, namesOf(schema, size, variation), source, variation);
}

/** Returns a map with members of these names. */
export function mapOfNames(
  schema: Schema,
  names: readonly string[],
  source: ValueSource,
  variation = 0,
): JsonObject {
  const valuesOf = (name: string) => memberSchema(schema, name) ?? { type: "string" };
  return Object.fromEntries(
    names.map((name, index) => [name, mapValue(valuesOf(name), source, variation + index)]),
  );
}

/** Returns a map with few members, but if possible one under each schema that the map states for its members. */
export function mapOfEachKind(schema: Schema, source: ValueSource): JsonObject {
  const { additionalProperties: others, patternProperties = {}, minProperties = 1 } = schema;
  const kinds = Object.keys(patternProperties).length + (isObject(others) ? 1 : 0);
  if (kinds === 0) return {};
  return mapOfSize(schema, Math.max(minProperties, Math.min(kinds, schema.maxProperties ?? kinds)), source);
}

/** Returns a value of a map, every fourth of digits: a service may guess the type of a text from them. */
function mapValue(schema: Schema, source: ValueSource, variation: number): unknown {
  return variation % DIGITS_EVERY === 0 && isFreeText(source.schemas.flatten(schema))
    ? String(freshNumber(source))
    : validValue(schema, source, variation);
}

const DIGITS_EVERY = 4;

/** Returns a valid object without `x-consumes` and optional properties that have no known values. */
export function validObject(
  schema: Schema,
  source: ValueSource,
  extent: "minimal" | "full",
  variation = 0,
): JsonObject {
  const own = source.schemas.flatten(schema);
  const flat = source.schemas.chosen(schema, variation);
  const inner = sourceWithin(source, own);
  const required = new Set(flat.required ?? []);
  const entries: [string, unknown][] = [];
  let spare = extent === "minimal" ? Math.max(0, (flat.minProperties ?? 0) - required.size) : 0;
  for (const [name, child] of Object.entries(flat.properties ?? {})) {
    const consumes = source.schemas.flatten(child)["x-consumes"] !== undefined;
    const isDue = required.has(name);
    if (!isDue && (consumes || isWithinItself(inner, child) || (extent === "minimal" && spare === 0)))
      continue;
    const value = validValue(child, inner, variation);
    if (value === undefined) continue;
    entries.push([name, value]);
    if (!isDue) spare--;
  }
  const made = Object.fromEntries(entries);
  for (const name of requiredByOthers(flat, made, source.schemas)) {
    const value = Object.hasOwn(made, name)
      ? undefined
      : validValue(flat.properties?.[name] ?? {}, inner, variation);
    if (value !== undefined) entries.push([name, value]);
  }
  // A service may read fields by position, so the order varies.
  return Object.fromEntries(variation % 2 === 1 ? entries.reverse() : entries);
}
