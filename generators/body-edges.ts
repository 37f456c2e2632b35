import { isRounded } from "../spec/identity.ts";
import { appendPointer, isObject, valueAt, withValue } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import type { Constraint } from "./keyword-faults.ts";
import { validNumber } from "./numbers.ts";
import { partsOf } from "./parts.ts";
import { textOfLength } from "./texts-of-length.ts";
import {
  arrayOfLength,
  isWithinItself,
  mapOfNames,
  mapOfSize,
  sourceWithin,
  type ValueSource,
  validObject,
} from "./values.ts";

export interface Edge {
  pointer: string;
  constraint: Constraint;
  what: string;
  value: unknown;
  isIn(value: unknown): boolean;
  /** True if a rejection proves nothing, because the value may be taken or repeated. */
  doubtful: boolean;
}

const MOST_VALUES = 4;
const MOST_MAPS = 8;
const LONGEST_MAIL_ADDRESS = 254;

/** Returns values at the limits of each field, or of the given one, such as the longest text. */
export function bodyEdges(schema: Schema, source: ValueSource, field?: string): Edge[] {
  return propertyEdges(schema, source, "", field);
}

function propertyEdges(schema: Schema, source: ValueSource, pointer: string, field?: string): Edge[] {
  const flat = source.schemas.flatten(schema);
  const inner = sourceWithin(source, flat);
  // Another value of a tag belongs to another branch.
  const tags = new Set(
    (flat.oneOf ?? flat.anyOf ?? []).flatMap((branch) =>
      source.schemas.fields(branch).flatMap(([name, { const: only }]) => (only === undefined ? [] : [name])),
    ),
  );
  return Object.entries(flat.properties ?? {})
    .filter(([name]) => (field === undefined || name === field) && !tags.has(name))
    .filter(([, child]) => !isWithinItself(inner, child))
    .flatMap(([name, child]) =>
      valueEdges(source.schemas.flatten(child), appendPointer(pointer, name), inner),
    );
}

type AddEdge = (
  constraint: Constraint,
  what: string,
  value: unknown,
  isIn: Edge["isIn"],
  doubtful?: boolean,
) => void;

function valueEdges(schema: Schema, pointer: string, source: ValueSource): Edge[] {
  const edges: Edge[] = [];
  const add: AddEdge = (constraint, what, value, isIn, doubtful = false) => {
    if (source.schemas.validate(schema, value).length === 0)
      edges.push({ pointer, constraint, what, value, isIn, doubtful });
  };
  addTextLengths(schema, source, add);
  addNumbers(schema, add);
  addListLengths(schema, source, add);
  addMapSizes(schema, source, add);
  if ((source.within ?? []).length > 1) addValuesInside(schema, add);
  addListedNames(schema, source, add);
  addRequiredAlone(schema, source, add);
  for (const { part, edge, value, partsIn } of partEdges(schema, source)) {
    const isIn = (whole: unknown) => partsIn(whole).some((each) => edge.isIn(valueAt(each, edge.pointer)));
    add(edge.constraint, `${edge.what} of ${part}${edge.pointer}`, value, isIn, edge.doubtful);
  }
  if (schema.properties) edges.push(...propertyEdges(schema, source, pointer));
  return edges;
}

function addTextLengths(schema: Schema, source: ValueSource, add: AddEdge): void {
  const known = knownValues(schema, source);
  for (const [constraint, length = 0] of [
    ["maxLength", schema.maxLength],
    ["minLength", schema.minLength],
  ] as const) {
    const isAsLong = (value: unknown) => typeof value === "string" && value.length === length;
    // No mail is delivered to a longer address (RFC 5321 section 4.5.3.1.3).
    if (schema.format === "email" && length > LONGEST_MAIL_ADDRESS) continue;
    const isFromService = schema["x-values-from"] !== undefined;
    const made = () => (isFromService ? known?.find(isAsLong) : textOfLength(schema, length, source));
    const text = length > 0 ? made() : undefined;
    if (text !== undefined) add(constraint, `${length} characters`, text, isAsLong);
  }
}

function addNumbers(schema: Schema, add: AddEdge): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // The service may not know the number at the limit.
  if (schema["x-values-from"]) return;
  // An earlier run may have used the value at the limit of a unique field.
  const isUnique = schema["x-unique"] !== undefined;
  const addNumber = (constraint: Constraint, exact: number) => {
    // The sum of 0.2 and 0.1 is 0.30000000000000004.
    const number = Number.isInteger(exact) ? exact : Number(exact.toPrecision(12));
    // The limit itself may be another number, which no double can hold.
    if (!isRounded(number)) add(constraint, String(number), number, (value) => value === number, isUnique);
  };
  const step = multipleOf ?? 1;
  const whole = typesOf(schema).includes("integer") || multipleOf !== undefined;
  if (minimum !== undefined) addNumber("minimum", minimum);
  if (exclusiveMinimum !== undefined && whole) addNumber("exclusiveMinimum", exclusiveMinimum + step);
  if (exclusiveMaximum !== undefined && whole) addNumber("exclusiveMaximum", exclusiveMaximum - step);
  if (maximum !== undefined) addNumber("maximum", maximum);
  const isFraction = (value: unknown) => typeof value === "number" && !Number.isInteger(value);
  const fraction = typesOf(schema).includes("number") && !whole ? validNumber(schema, false, 1) : undefined;
  // A faulty service may drop fractions.
  if (isFraction(fraction)) add("type", "a fraction", fraction, isFraction, isUnique);
}

/** Adds lists of the least and the greatest length, and counts a missing `minItems` as 0. */
function addListLengths(schema: Schema, source: ValueSource, add: AddEdge): void {
  if (!typesOf(schema).includes("array")) return;
  const known = knownValues(schema, source);
  for (const [constraint, length] of [
    ["minItems", schema.minItems ?? 0],
    ["maxItems", schema.maxItems],
  ] as const) {
    if (length === undefined) continue;
    const exact = arrayOfLength(schema, length, source);
    const isAsLong = (value: unknown) => Array.isArray(value) && value.length === length;
    const repeatsKnown = known !== undefined && length > known.length;
    if (exact) add(constraint, `${length} elements`, exact, isAsLong, repeatsKnown);
  }
}

function addMapSizes(schema: Schema, source: ValueSource, add: AddEdge): void {
  for (const [constraint, size] of [
    ["maxProperties", schema.maxProperties],
    ["minProperties", schema.minProperties],
  ] as const)
    if (size !== undefined && !schema.properties)
      add(constraint, `${size} properties`, mapOfSize(schema, size, source), hasSize(size));
  const isMap = typesOf(schema).includes("object") && schema.minItems === undefined;
  if (isMap && schema["x-send"] && !schema.required)
    add("additionalProperties", "an empty object", {}, hasSize(0));
}

function addValuesInside(schema: Schema, add: AddEdge): void {
  const addValue = (constraint: Constraint, only: unknown) =>
    add(constraint, String(only), only, (value) => value === only);
  if (allowsNull(schema)) addValue("type", null);
  if (typesOf(schema).includes("boolean")) for (const value of [true, false]) addValue("type", value);
  for (const value of (schema.enum ?? []).filter((each) => each !== null).slice(0, MOST_VALUES))
    addValue("enum", value);
}

/** Adds maps that together have each listed name, in as few maps as `maxProperties` allows. */
function addListedNames(schema: Schema, source: ValueSource, add: AddEdge): void {
  const listed = (schema.propertyNames?.enum ?? []).map(String);
  const size = Math.min(schema.maxProperties ?? listed.length, listed.length);
  if (size === 0) return;
  for (let at = 0; at < Math.min(listed.length, size * MOST_MAPS); at += size) {
    // The last map has some names of the one before, because a map may need more names than remain.
    const names = listed.slice(Math.max(0, Math.min(at, listed.length - size))).slice(0, size);
    const hasEach = (value: unknown) => isObject(value) && names.every((name) => Object.hasOwn(value, name));
    const what = size === listed.length ? "each listed name" : `listed names from ${at + 1}`;
    add("propertyNames", what, mapOfNames(schema, names, source), hasEach);
  }
}

/** Adds an object with its required fields only. Whole bodies are left out, because other probes send them. */
function addRequiredAlone(schema: Schema, source: ValueSource, add: AddEdge): void {
  const { properties = {}, required = [] } = schema;
  const isPart = required.length > 0 && (source.within ?? []).length > 0;
  if (isPart && Object.keys(properties).some((name) => !required.includes(name)))
    add(
      "required",
      "the required fields alone",
      validObject(schema, source, "minimal"),
      (value) => isObject(value) && Object.keys(value).every((name) => required.includes(name)),
    );
}

function hasSize(size: number): Edge["isIn"] {
  return (value) => isObject(value) && Object.keys(value).length === size;
}

function partEdges(schema: Schema, source: ValueSource) {
  const inner = sourceWithin(source, schema);
  return partsOf(schema, source)
    .filter((part) => part.valid !== undefined && !isWithinItself(source, part.schema))
    .flatMap(({ name, schema: own, valid, put, partsIn }) =>
      valueEdges(source.schemas.flatten(own), "", inner).map((edge) => {
        const { pointer, value } = edge;
        const around = isObject(valid) ? withValue(valid, pointer, value) : valid;
        return { part: name, edge, partsIn, value: put(pointer === "" ? value : around) };
      }),
    );
}

/** Returns the values that the service knows, or `undefined` if it must accept all valid values. */
function knownValues(schema: Schema, source: ValueSource): string[] | undefined {
  if (schema["x-references"]) return source.references(schema);
  const from = schema["x-values-from"];
  return from && source.known(from.fixture);
}
