/** Bodies that break exactly one rule, confirmed before they are sent. */

import { appendPointer, distinct, type JsonObject, jsonType } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import type { Keyword } from "../spec/schema/keywords.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { withoutValue, withValue } from "./at-pointer.ts";
import { patternOf } from "./pattern-texts.ts";
import {
  arrayOfLength,
  isWithinItself,
  type Supply,
  suppliedWithin,
  textOfLength,
  validValue,
} from "./values.ts";
import {
  type Constraint,
  formatViolations,
  madeUnique,
  mapOfSize,
  numbersOutside,
  otherThan,
  textsOutside,
  unlistedValues,
  valuesOfOtherTypes,
} from "./wrong-values.ts";

/** A body that breaks one rule at one place. */
export interface BodyFault {
  /** JSON pointer of the broken place in the body. */
  pointer: string;
  constraint: Constraint;
  /** What the value is, for people. */
  what: string;
  /** Whether a value of a wrong type stands inside of one of the right type. */
  inside?: true;
  /** Makes the broken body from a valid one. */
  breaking(body: JsonObject): JsonObject;
  /** The nearest valid body, where the valid body itself is not near enough. */
  neighbour?(body: JsonObject): JsonObject;
}

/** Every single-fault violation of an object schema's properties, in the order of the schema. */
export function bodyViolations(schema: Schema, supply: Supply, pointer = ""): BodyFault[] {
  const flat = supply.schemas.flatten(schema);
  const found: BodyFault[] = [];
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
  const { minProperties = 0, required = [] } = flat;
  if (pointer === "" && minProperties > 0 && required.length === 0)
    found.push({ pointer, constraint: "minProperties", what: "no field at all", breaking: () => ({}) });
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

function valueViolations(schema: Schema, pointer: string, supply: Supply): BodyFault[] {
  const found: BodyFault[] = [];
  const add = (constraint: Constraint, what: string, value: unknown) => {
    found.push({ pointer, constraint, what, breaking: (body) => withValue(body, pointer, value) });
  };
  for (const value of valuesOfOtherTypes(schema)) {
    const sent = schema["x-unique"] ? madeUnique(value, supply) : value;
    found.push({
      pointer,
      constraint: "type",
      what: `${jsonType(value)} ${JSON.stringify(value)}`,
      breaking: (body) => withValue(body, pointer, sent),
    });
  }
  if (!allowsNull(schema)) add("null", "null", null);
  if (schema.enum) {
    const formed = formedStranger(schema, supply);
    for (const value of [...formed, ...unlistedValues(schema).slice(0, formed.length > 0 ? 1 : undefined)])
      add("enum", JSON.stringify(value), value);
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
  // What is one of a few values keeps the other rules by that, and can break none of them alone.
  if (schema.enum || schema.const !== undefined) return found;
  if (schema.pattern !== undefined) {
    const broken = textsOutside(schema);
    const sent = schema["x-unique"] ? (ownTextOutside(schema, supply) ?? broken) : broken;
    if (sent !== undefined) add("pattern", JSON.stringify(broken ?? sent), sent);
  }
  for (const value of schema.format ? formatViolations(schema.format) : [])
    add("format", JSON.stringify(value), schema["x-unique"] ? `${value} ${supply.unique()}` : value);
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

/** A text outside of a pattern that no other call sends: of what must be unique a second one would be refused for that. */
function ownTextOutside(schema: Schema, supply: Supply): string | undefined {
  const { pattern = "", minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const mark = supply.unique();
  const text = mark.slice(-Math.min(maxLength, mark.length)).padEnd(minLength, "-");
  return patternOf(pattern).test(text) ? undefined : text;
}

/** A value of the format that an enumeration has, and that is not among its own. */
function formedStranger({ enum: options = [], ...rest }: Schema, supply: Supply): unknown[] {
  if (rest.format === undefined) return [];
  const made = [0, 1, 2].map((salt) => validValue(rest, supply, salt));
  return made.filter((value) => value !== undefined && !options.includes(value)).slice(0, 1);
}

/** Violations of the rules for objects whose property names are free. */
function mapViolations(schema: Schema, pointer: string, supply: Supply): BodyFault[] {
  const { minProperties = 0, maxProperties, additionalProperties } = schema;
  const found: BodyFault[] = [];
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
      found.push({
        pointer,
        constraint: "type",
        what: `a value ${JSON.stringify(value)}`,
        inside: true,
        breaking: (body) => withValue(body, pointer, { key: value }),
      });
    const { maxLength } = flat;
    if (maxLength !== undefined)
      add("maxLength", `a value of ${maxLength + 1} characters`, { key: "x".repeat(maxLength + 1) });
  }
  return found;
}

function arrayViolations(schema: Schema, pointer: string, supply: Supply): BodyFault[] {
  const found: BodyFault[] = [];
  const { minItems = 0, maxItems, items } = schema;
  if (maxItems !== undefined) {
    const tooMany = arrayOfLength(schema, maxItems + 1, supply);
    const most = arrayOfLength(schema, maxItems, supply);
    // Of a few values that may stand once there are not too many.
    if (tooMany && most && !(schema.uniqueItems && distinct(tooMany).length < tooMany.length)) {
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
function elementViolations(schema: Schema, items: Schema, pointer: string, supply: Supply): BodyFault[] {
  const flat = supply.schemas.flatten(items);
  const others = arrayOfLength(schema, Math.max(schema.minItems ?? 0, 1), supply) ?? [undefined];
  const withFirst = (first: unknown) => (body: JsonObject) =>
    withValue(body, pointer, [first, ...others.slice(1)]);
  const found = [...valuesOfOtherTypes(flat), ...(allowsNull(flat) ? [] : [null])].map(
    (value): BodyFault => ({
      pointer,
      constraint: "type",
      what: `an element ${JSON.stringify(value)}`,
      inside: true,
      breaking: withFirst(value),
    }),
  );
  for (const inner of valueViolations(flat, "/element", supply)) {
    const below = inner.pointer.slice("/element".length);
    if (below === "" && (inner.constraint === "type" || inner.constraint === "null")) continue;
    const { element } = inner.breaking({ element: others[0] });
    const { constraint, what, inside } = inner;
    const kept = { constraint, what, ...(inside === undefined ? {} : { inside }) };
    found.push({ ...kept, pointer: `${pointer}/0${below}`, breaking: withFirst(element) });
  }
  return found;
}

/**
 * Whether a broken body breaks what it is meant to break and nothing else: the valid body validates, the broken one
 * fails at that place, on that rule.
 */
export function isConfirmed(violation: BodyFault, body: JsonObject, schema: Schema, supply: Supply): boolean {
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
  const keyword = violation.constraint;
  // An element that is null is a fault of its list's types.
  const expected = new Set<Keyword>(keyword === "type" ? ["type", "null"] : [keyword]);
  // What is not one of a few values may break the rules that these keep, too.
  if (keyword === "enum" || keyword === "const")
    for (const other of ["format", "pattern", "minLength", "maxLength"] as const) expected.add(other);
  return faults.length > 0 && faults.every((fault) => expected.has(fault.keyword) && within(fault.pointer));
}
