/** Probes: bodies at the inside edge of a rule, and bodies that break exactly one rule. Confirmed before they are sent. */

import { allCountryCodes, isCurrencyCode } from "../spec/formats.ts";
import { appendPointer, isObject, type JsonObject, jsonType, pointerTokens } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import {
  arrayOfLength,
  freshNumber,
  isWithinItself,
  patternOf,
  type Supply,
  suppliedWithin,
  textOfLength,
  validValue,
} from "./values.ts";

/** The rules that a probe can break or touch; `null` is type broken by null. */
export type Constraint =
  | "required"
  | "type"
  | "null"
  | "enum"
  | "const"
  | "format"
  | "pattern"
  | "minLength"
  | "maxLength"
  | "oneOf"
  | "anyOf"
  | "minItems"
  | "maxItems"
  | "uniqueItems"
  | "minimum"
  | "maximum"
  | "exclusiveMinimum"
  | "exclusiveMaximum"
  | "multipleOf"
  | "minProperties"
  | "maxProperties"
  | "additionalProperties";

/** A body that breaks one rule at one place. */
export interface Violation {
  /** JSON pointer of the broken place in the body. */
  pointer: string;
  constraint: Constraint;
  /** What the value is, for people. */
  what: string;
  /** Makes the broken body from a valid one. */
  breaking(body: JsonObject): JsonObject;
  /** The nearest valid body, where the valid body itself is not near enough. */
  neighbour?(body: JsonObject): JsonObject;
}

/** Sets the value at a pointer of a copy of `body`; makes the objects on the way. */
export function withValue(body: JsonObject, pointer: string, value: unknown): JsonObject {
  return setAt(body, pointerTokens(pointer), value) as JsonObject;
}

function setAt(holder: unknown, [token, ...rest]: string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (Array.isArray(holder)) {
    const copy: unknown[] = [...holder];
    copy[Number(token)] = setAt(copy[Number(token)], rest, value);
    return copy;
  }
  const object = isObject(holder) ? holder : {};
  return { ...object, [token]: setAt(object[token], rest, value) };
}

/** A copy of `body` without the property at a pointer. */
export function withoutValue(body: JsonObject, pointer: string): JsonObject {
  return removeAt(body, pointerTokens(pointer)) as JsonObject;
}

function removeAt(holder: unknown, [token = "", ...rest]: string[]): unknown {
  if (Array.isArray(holder))
    return holder.map((item, index) => (index === Number(token) ? removeAt(item, rest) : item));
  if (!isObject(holder)) return holder;
  if (rest.length > 0 && Object.hasOwn(holder, token))
    return { ...holder, [token]: removeAt(holder[token], rest) };
  const { [token]: _, ...others } = holder;
  return rest.length === 0 ? others : holder;
}

/**
 * What stands for values of other types: first what a careless reader takes for a value of the type (the value as
 * text, the number of it, the element without its list), then something of another structure.
 */
const LOOK_ALIKES: Record<string, unknown[]> = {
  string: [7, true, { key: "value" }, ["text"]],
  boolean: ["true", 1, ["text"], { key: "value" }],
  integer: ["7", 1.5, { key: "value" }, true],
  number: ["1.5", true, { key: "value" }],
  array: ["text", { key: "value" }, 7],
  object: ["text", ["text"], 7],
};

const MOST_TYPES = 3;

/** Values of types that `schema` does not allow, those that a careless reader takes for allowed ones first; null apart. */
export function valuesOfOtherTypes(schema: Schema): unknown[] {
  const allowed = typesOf(schema);
  return allowed
    .flatMap((type) => LOOK_ALIKES[type] ?? [])
    .filter((value) => {
      const type = jsonType(value);
      if (allowed.includes(type)) return false;
      return !(type === "integer" && allowed.includes("number"));
    })
    .slice(0, MOST_TYPES);
}

/** The same value, different at every call: of what must be unique a second one is rejected for that alone. */
function madeUnique(value: unknown, supply: Supply): unknown {
  if (typeof value === "number")
    return Number.isInteger(value) ? freshNumber(supply) : freshNumber(supply) + 0.5;
  if (isObject(value)) return { key: supply.unique() };
  return Array.isArray(value) ? [supply.unique()] : value;
}

/** Values that break `format`, one way each; none where the format has no sure violation. */
export function formatViolations(format: string): string[] {
  switch (format) {
    case "currency-code":
      return ["ZZZ", "US", "USDX", "U$D", "840"].filter((code) => !isCurrencyCode(code));
    case "date-time":
      return ["tomorrow", "2031-13-01T00:00:00Z", "2031-01-01", "2031-02-30T10:00:00Z"];
    case "uri":
      return ["not a url", "example", "://example.com"];
    case "email":
      return ["not an address"];
    case "date":
      return ["tomorrow", "2031-13-01", "2031-01-01T00:00:00Z"];
    case "uuid":
      return ["not-a-uuid"];
    case "country-code":
      return [["ZZ", "QQ"].find((code) => !allCountryCodes().includes(code)) ?? "ZZ"];
    default:
      return [];
  }
}

/** Every single-fault violation of an object schema's properties, in the order of the schema. */
export function bodyViolations(schema: Schema, supply: Supply, pointer = ""): Violation[] {
  const flat = supply.schemas.flatten(schema);
  const found: Violation[] = [];
  const inner = suppliedWithin(supply, flat);
  for (const [name, child] of Object.entries(flat.properties ?? {})) {
    const below = appendPointer(pointer, name);
    if (isWithinItself(inner, child)) continue;
    if (flat.required?.includes(name)) {
      found.push({
        pointer: below,
        constraint: "required",
        what: "left out",
        breaking: (body) => withoutValue(body, below),
      });
    }
    found.push(...valueViolations(supply.schemas.flatten(child), below, inner));
  }
  if (flat.additionalProperties === false) {
    found.push({
      pointer,
      constraint: "additionalProperties",
      what: "a field that is not documented",
      breaking: (body) => withValue(body, appendPointer(pointer, "conformanceUnknown"), "value"),
    });
  }
  return found;
}

function valueViolations(schema: Schema, pointer: string, supply: Supply): Violation[] {
  const found: Violation[] = [];
  const add = (constraint: Constraint, what: string, value: unknown) => {
    found.push({ pointer, constraint, what, breaking: (body) => withValue(body, pointer, value) });
  };
  for (const value of valuesOfOtherTypes(schema)) {
    const sent = schema["x-unique"] ? madeUnique(value, supply) : value;
    add("type", `${jsonType(value)} ${JSON.stringify(value)}`, sent);
  }
  if (!allowsNull(schema)) add("null", "null", null);
  if (schema.enum) {
    for (const value of unlistedValues(schema)) add("enum", JSON.stringify(value), value);
  }
  for (const choice of ["oneOf", "anyOf"] as const) {
    if (!schema[choice]) continue;
    const neither = [{ conformanceUnknown: "value" }, "text", 7.5, true, []].find((value) =>
      supply.schemas.validate(schema, value).some(({ keyword }) => keyword === choice),
    );
    if (neither !== undefined) add(choice, `none of what it can be: ${JSON.stringify(neither)}`, neither);
  }
  if (schema.const !== undefined) {
    for (const value of otherThan(schema.const)) add("const", JSON.stringify(value), value);
  }
  if (schema.pattern !== undefined) {
    const broken = textsOutside(schema);
    if (broken !== undefined) add("pattern", JSON.stringify(broken), broken);
  }
  for (const value of schema.format ? formatViolations(schema.format) : [])
    add("format", JSON.stringify(value), value);
  const addLength = (constraint: "minLength" | "maxLength", length: number) => {
    const text = textOfLength(schema, length, supply);
    if (text !== undefined) add(constraint, `${length} characters`, text);
  };
  if (schema.maxLength !== undefined) {
    addLength("maxLength", schema.maxLength + 1);
    addLength("maxLength", schema.maxLength * 4);
  }
  if (schema.minLength !== undefined && schema.minLength > 0) addLength("minLength", schema.minLength - 1);
  for (const { constraint, value } of numbersOutside(schema)) add(constraint, String(value), value);
  if (typesOf(schema).includes("array")) found.push(...arrayViolations(schema, pointer, supply));
  found.push(...mapViolations(schema, pointer, supply));
  if (schema.properties) found.push(...bodyViolations(schema, supply, pointer));
  return found;
}

/** Numbers that break one limit of a schema each. */
export function numbersOutside(schema: Schema): { constraint: Constraint; value: number }[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = multipleOf ?? 1;
  const found: { constraint: Constraint; value: number }[] = [];
  const add = (constraint: Constraint, value: number) =>
    found.push({ constraint, value: Number(value.toPrecision(12)) });
  if (minimum !== undefined) add("minimum", (Math.ceil(minimum / step) - 1) * step);
  if (maximum !== undefined) add("maximum", (Math.floor(maximum / step) + 1) * step);
  if (exclusiveMinimum !== undefined) add("exclusiveMinimum", Math.floor(exclusiveMinimum / step) * step);
  if (exclusiveMaximum !== undefined) add("exclusiveMaximum", Math.ceil(exclusiveMaximum / step) * step);
  if (multipleOf !== undefined) {
    const within =
      (minimum ?? exclusiveMinimum ?? Math.min(maximum ?? exclusiveMaximum ?? 0, 0) - step) + step;
    const whole = Math.ceil(within / step) * step;
    const integer = typesOf(schema).includes("integer");
    if (!integer || step > 1) add("multipleOf", whole + (integer ? 1 : step / 2));
  }
  return found;
}

/** Values of the type of `value` that differ from it. */
function otherThan(value: unknown): unknown[] {
  if (typeof value === "string") return ["another value"].filter((other) => other !== value);
  if (typeof value === "number") return [value + 1];
  return typeof value === "boolean" ? [!value] : [];
}

/** A text outside of a schema's pattern and within its length limits; undefined where none is found. */
function textsOutside(schema: Schema): string | undefined {
  const { pattern = "", minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  return ["!", "#", "other text", "0", "~"]
    .map((text) => text.padEnd(minLength, text).slice(0, maxLength))
    .find((text) => text !== "" && !patternOf(pattern).test(text));
}

/** Violations of the rules for objects whose property names are free. */
function mapViolations(schema: Schema, pointer: string, supply: Supply): Violation[] {
  const { minProperties = 0, maxProperties, additionalProperties } = schema;
  const found: Violation[] = [];
  const add = (constraint: Constraint, what: string, value: JsonObject) => {
    found.push({ pointer, constraint, what, breaking: (body) => withValue(body, pointer, value) });
  };
  if (maxProperties !== undefined)
    add("maxProperties", `${maxProperties + 1} properties`, mapOfSize(schema, maxProperties + 1, supply));
  if (minProperties > 0)
    add("minProperties", `${minProperties - 1} properties`, mapOfSize(schema, minProperties - 1, supply));
  if (typeof additionalProperties === "object") {
    const flat = supply.schemas.flatten(additionalProperties);
    for (const value of valuesOfOtherTypes(flat))
      add("type", `a value ${JSON.stringify(value)}`, { key: value });
    const { maxLength } = flat;
    if (maxLength !== undefined)
      add("maxLength", `a value of ${maxLength + 1} characters`, { key: "x".repeat(maxLength + 1) });
  }
  return found;
}

/** An object of free names with exactly `size` properties, each of a valid value. */
function mapOfSize(schema: Schema, size: number, supply: Supply): JsonObject {
  const values = isObject(schema.additionalProperties) ? schema.additionalProperties : { type: "string" };
  return Object.fromEntries(
    Array.from({ length: size }, (_, n) => [`key${n}`, validValue(values, supply, n)]),
  );
}

function arrayViolations(schema: Schema, pointer: string, supply: Supply): Violation[] {
  const found: Violation[] = [];
  const { minItems = 0, maxItems, items } = schema;
  if (maxItems !== undefined) {
    const tooMany = arrayOfLength(schema, maxItems + 1, supply);
    const most = arrayOfLength(schema, maxItems, supply);
    if (tooMany && most) {
      found.push({
        pointer,
        constraint: "maxItems",
        what: `${maxItems + 1} elements`,
        breaking: (body) => withValue(body, pointer, tooMany),
        neighbour: (body) => withValue(body, pointer, most),
      });
    }
  }
  if (minItems > 0) {
    const tooFew = arrayOfLength(schema, minItems - 1, supply) ?? (minItems === 1 ? [] : undefined);
    if (tooFew) {
      found.push({
        pointer,
        constraint: "minItems",
        what: `${minItems - 1} elements`,
        breaking: (body) => withValue(body, pointer, tooFew),
      });
    }
  }
  if (schema.uniqueItems && (maxItems ?? 2) >= 2) {
    const [first] = arrayOfLength(schema, Math.max(minItems, 1), supply) ?? [];
    const twice = Array.from({ length: Math.max(minItems, 2) }, () => first);
    if (first !== undefined) {
      found.push({
        pointer,
        constraint: "uniqueItems",
        what: "an element twice",
        breaking: (body) => withValue(body, pointer, twice),
      });
    }
  }
  if (items && !isWithinItself(supply, items))
    found.push(...elementViolations(schema, items, pointer, supply));
  return found;
}

/** Lists whose first element breaks a rule of its own. */
function elementViolations(schema: Schema, items: Schema, pointer: string, supply: Supply): Violation[] {
  const flat = supply.schemas.flatten(items);
  const others = arrayOfLength(schema, Math.max(schema.minItems ?? 0, 1), supply) ?? [undefined];
  const withFirst = (first: unknown) => (body: JsonObject) =>
    withValue(body, pointer, [first, ...others.slice(1)]);
  const found = [...valuesOfOtherTypes(flat), ...(allowsNull(flat) ? [] : [null])].map(
    (value): Violation => ({
      pointer,
      constraint: "type",
      what: `an element ${JSON.stringify(value)}`,
      breaking: withFirst(value),
    }),
  );
  for (const inner of valueViolations(flat, "/element", supply)) {
    const below = inner.pointer.slice("/element".length);
    if (below === "" && (inner.constraint === "type" || inner.constraint === "null")) continue;
    const { element } = inner.breaking({ element: others[0] });
    const { constraint, what } = inner;
    found.push({ pointer: `${pointer}/0${below}`, constraint, what, breaking: withFirst(element) });
  }
  return found;
}

/** A word of an enumeration as others spell it: in capitals, and in camelCase. */
export function otherSpellings(word: string): string[] {
  const camel = word.replace(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [word.toUpperCase(), camel].filter((other) => other !== word);
}

/** Values of an enumeration's own type that it does not list. */
function unlistedValues(schema: Schema): unknown[] {
  const options = schema.enum ?? [];
  const numbers = options.filter((option): option is number => typeof option === "number");
  if (numbers.length > 0) return [Math.max(...numbers) + 1];
  if (options.some((option) => typeof option === "boolean"))
    return [true, false].filter((value) => !options.includes(value));
  const first = options.find((option): option is string => typeof option === "string") ?? "value";
  return [...(schema["x-refused"] ?? []), "unheard-of", `${first}x`, ...otherSpellings(first)].filter(
    (value) => !options.includes(value),
  );
}

/** An inside edge: a value as far as its rule allows. */
export interface Edge {
  pointer: string;
  constraint: Constraint;
  what: string;
  value: unknown;
  /** Whether the value stands on names that the service may not know, so that a rejection proves nothing. */
  doubtful: boolean;
}

/** The inside edges of an object schema's properties. Texts are plain ASCII, so that no way of counting decides. */
export function bodyEdges(schema: Schema, supply: Supply, pointer = ""): Edge[] {
  const flat = supply.schemas.flatten(schema);
  const inner = suppliedWithin(supply, flat);
  return Object.entries(flat.properties ?? {})
    .filter(([, child]) => !isWithinItself(inner, child))
    .flatMap(([name, child]) =>
      valueEdges(supply.schemas.flatten(child), appendPointer(pointer, name), inner),
    );
}

function valueEdges(schema: Schema, pointer: string, supply: Supply): Edge[] {
  const edges: Edge[] = [];
  const add = (constraint: Constraint, what: string, value: unknown, doubtful = false) => {
    // The edge of one rule may be outside of another: a least number that is no multiple.
    const rules = withoutSources(schema);
    if (supply.schemas.validate(rules, value).length === 0)
      edges.push({ pointer, constraint, what, value, doubtful });
  };
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, maxProperties } = schema;
  for (const [constraint, length = 0] of [
    ["maxLength", maxLength],
    ["minLength", minLength],
  ] as const) {
    const text = length > 0 ? textOfLength(schema, length, supply) : undefined;
    if (text !== undefined) add(constraint, `${length} characters`, text);
  }
  // The least number of a field that is unique may be taken: by an earlier run, perhaps.
  const taken = schema["x-unique"] !== undefined;
  if (minimum !== undefined) add("minimum", String(minimum), minimum, taken);
  if (maximum !== undefined) add("maximum", String(maximum), maximum, taken);
  if (typesOf(schema).includes("array")) {
    for (const [constraint, length] of [
      ["minItems", minItems ?? 0],
      ["maxItems", maxItems],
    ] as const) {
      if (length === undefined) continue;
      const exact = arrayOfLength(schema, length, supply);
      const known = knownCount(schema, supply);
      if (exact) add(constraint, `${length} elements`, exact, length > known);
    }
  }
  if (maxProperties !== undefined && !schema.properties && !schema.propertyNames)
    add("maxProperties", `${maxProperties} properties`, mapOfSize(schema, maxProperties, supply));
  if (typesOf(schema).includes("object") && minItems === undefined && schema["x-send"] && !schema.required) {
    add("additionalProperties", "an empty object", {});
  }
  if (schema.properties) edges.push(...bodyEdges(schema, supply, pointer));
  return edges;
}

const rulesAlone = new WeakMap<Schema, Schema>();

/** A schema by itself, compiled once, where that of an element has no place of its own in the document. */
function withoutSources(schema: Schema): Schema {
  const known = rulesAlone.get(schema) ?? { ...schema };
  rulesAlone.set(schema, known);
  return known;
}

/** How many different elements are surely good: all of them, unless names of the service are needed. */
function knownCount(schema: Schema, supply: Supply): number {
  if (schema["x-references"]) return supply.references(schema).length;
  const from = schema["x-values-from"];
  return from ? supply.known(from.fixture).length : Number.POSITIVE_INFINITY;
}

/**
 * Whether a broken body breaks what it is meant to break and nothing else: the valid body validates, the broken one
 * fails at that place, on that rule.
 */
export function isConfirmed(violation: Violation, body: JsonObject, schema: Schema, supply: Supply): boolean {
  const { schemas } = supply;
  if (schemas.validate(schema, body).length > 0) return false;
  const faults = schemas.validate(schema, violation.breaking(body));
  const within = (pointer: string) =>
    pointer === violation.pointer || pointer.startsWith(`${violation.pointer}/`);
  // What fits no branch breaks rules of the branches too.
  if (violation.constraint === "oneOf" || violation.constraint === "anyOf") {
    return (
      faults.every(({ pointer }) => within(pointer)) &&
      faults.some(({ keyword }) => keyword === violation.constraint)
    );
  }
  const keyword = violation.constraint === "null" ? "type" : violation.constraint;
  const expected = new Set(keyword === "type" ? ["type", "enum", "const", "format"] : [keyword]);
  return faults.length > 0 && faults.every((fault) => expected.has(fault.keyword) && within(fault.pointer));
}
