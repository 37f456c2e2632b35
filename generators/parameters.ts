import { isRounded } from "../spec/identity.ts";
import { isObject } from "../spec/json.ts";
import type { Parameter, Schema } from "../spec/model/spec.ts";
import { parameterFaults } from "../spec/schema/parameter-value.ts";
import { typesOf } from "../spec/schema.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";
import { TOO_LARGE } from "./cursors.ts";
import type { Constraint } from "./keyword-faults.ts";
import { type ValueSource, validValue } from "./values.ts";
import { formatNearMisses, formatViolations } from "./wrong-formats.ts";
import {
  numbersOutside,
  otherSpellings,
  otherThan,
  textJustOutside,
  textOutside,
  textsAround,
} from "./wrong-values.ts";

export interface ParameterProbe {
  constraint: Constraint;
  text: string;
}

/** Returns texts that break one rule of the parameter. */
export function parameterViolations(parameter: Parameter, schemas: SchemaIndex): ParameterProbe[] {
  const schema = schemas.flatten(parameter.schema);
  const probes: ParameterProbe[] = [];
  const add = (constraint: Constraint, ...texts: string[]) => {
    for (const text of texts)
      if (breaksOnly(schema, schemas, constraint, text)) probes.push({ constraint, text });
  };
  const { minimum, maximum, minLength = 0, maxLength, enum: options, format, pattern } = schema;
  const types = typesOf(schema);
  if (types.includes("integer")) add("type", "abc", "1.5");
  if (types.includes("number")) add("type", "abc");
  if (types.includes("boolean")) add("type", "maybe");
  for (const { constraint, value } of numbersOutside(schema)) add(constraint, String(value));
  if (minimum !== undefined) add("minimum", "-1");
  if (maximum !== undefined) add("maximum", String(maximum * 1000), TOO_LARGE);
  if (maxLength !== undefined) add("maxLength", "A".repeat(maxLength + 1));
  // A service may treat an empty parameter as missing, which is a fault only if it is required.
  if (minLength > 1) add("minLength", "A".repeat(minLength - 1));
  if (minLength > 0 && parameter.required) add("minLength", "");
  const words = (options ?? []).filter((option) => typeof option === "string");
  const numbers = (options ?? []).filter((option) => typeof option === "number");
  add("enum", ...numbers.slice(0, 2).map((number) => String(number + 1)));
  if (options)
    add("enum", "unheard-of", ...words.slice(0, 1).flatMap((word) => [`${word}x`, ...otherSpellings(word)]));
  if (format !== undefined) {
    const { example, made } = formatNearMisses(schemas, format);
    add("format", ...formatViolations(schemas, format), ...made.map((near) => near(example)));
  }
  if (pattern !== undefined)
    add(
      "pattern",
      "!",
      "other text",
      textOutside(schema) ?? "!",
      textJustOutside(schema) ?? "!",
      ...textsAround(schema),
    );
  if (schema.const !== undefined) add("const", ...otherThan(schema.const).map(String));
  return probes.filter(
    (probe, index) =>
      (parameter.in !== "header" || isHeaderText(probe.text)) &&
      probes.findIndex((other) => other.text === probe.text) === index,
  );
}

/** True if HTTP sends the text as it is. */
function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && text.trim() === text;
}

/** True if the text breaks this constraint of a parameter and none but the ones that go with it. */
function breaksOnly(schema: Schema, schemas: SchemaIndex, constraint: Constraint, text: string): boolean {
  const faults = parameterFaults(schemas, schema, text);
  // A value outside of an enumeration may also break a limit or the format, and any other fault the format.
  const also: string[] = constraint === "enum" ? ["minimum", "maximum", "format"] : ["format"];
  return (
    faults.some((fault) => fault.keyword === constraint) &&
    faults.every(({ keyword }) => keyword === constraint || also.includes(keyword))
  );
}

/** Returns valid texts: numbers at the limits, and all values of an enumeration. */
export function parameterEdges(parameter: Parameter, schemas: SchemaIndex): ParameterProbe[] {
  const schema = schemas.flatten(parameter.schema);
  const edges: ParameterProbe[] = [];
  for (const constraint of ["minimum", "maximum"] as const) {
    const limit = schema[constraint];
    if (limit !== undefined && !isRounded(limit)) edges.push({ constraint, text: String(limit) });
  }
  for (const option of schema.enum ?? []) {
    if (option !== null && !isObject(option)) edges.push({ constraint: "enum", text: String(option) });
  }
  return edges.filter(
    ({ text }, index) =>
      edges.findIndex((edge) => edge.text === text) === index &&
      parameterFaults(schemas, schema, text).length === 0,
  );
}

const VARIATIONS = 4;

/** Returns a valid text. A list has one element, because every style spells such a list alike. */
export function parameterText(schema: Schema, source: ValueSource): string | undefined {
  const { schemas } = source;
  for (let variation = -1; variation < VARIATIONS; variation++) {
    const value = variation < 0 ? schemas.flatten(schema).default : validValue(schema, source, variation);
    if (value === undefined || schemas.validate(schema, value).length > 0) continue;
    const [only, ...others] = Array.isArray(value) ? value : [value];
    const isPlain = !["undefined", "object"].includes(typeof only) && others.length === 0;
    if (isPlain && parameterFaults(schemas, schema, String(only)).length === 0) return String(only);
  }
  return undefined;
}
