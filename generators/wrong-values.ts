import { isObject, jsonType } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import { allowsNumber, freshNumber, validNumber } from "./numbers.ts";
import { matchingText, patternOf } from "./pattern-texts.ts";
import type { ValueSource } from "./values.ts";

/**
 * Values of another type, by the type that they are sent for. A lenient service may accept the first values,
 * such as "7" for an integer.
 */
const LOOK_ALIKES: Record<string, unknown[]> = {
  string: [7, ["text"], { key: "value" }, true],
  boolean: ["true", ["text"], { key: "value" }, 1],
  integer: ["7", [7], { key: "value" }, 1.5, true],
  number: ["1.5", [1.5], { key: "value" }, true],
  array: ["text", { key: "value" }, 7, true],
  // In some languages, an empty list equals an empty object.
  object: [[], "text", 7, true],
};

/** Returns values of types that the schema forbids, look-alikes first (`"5"` for 5). */
export function valuesOfOtherTypes(schema: Schema): unknown[] {
  const allowed = typesOf(schema);
  const values = allowed
    .flatMap((type) => lookAlikes(type, schema))
    .filter((value) => {
      const type = jsonType(value);
      if (allowed.includes(type)) return false;
      return !(type === "integer" && allowed.includes("number"));
    });
  return values.filter(
    (value, index) => values.findIndex((other) => jsonType(other) === jsonType(value)) === index,
  );
}

/** Uses a number that the schema allows: a lenient service accepts no other as text. */
function lookAlikes(type: string, schema: Schema): unknown[] {
  const known = LOOK_ALIKES[type] ?? [];
  const [text] = known;
  const isInteger = type === "integer";
  if ((!isInteger && type !== "number") || allowsNumber(schema, Number(text))) return known;
  const number = validNumber(schema, isInteger, 1);
  return [String(number), [number], ...known.slice(2)];
}

/** Returns a unique value of the same type. A service may reject a repeated value, so the value is new. */
export function madeUnique(value: unknown, source: ValueSource): unknown {
  if (typeof value === "number")
    return Number.isInteger(value) ? freshNumber(source) : freshNumber(source) + 0.5;
  if (isObject(value)) return { key: source.unique() };
  return Array.isArray(value) ? [source.unique()] : value;
}

type NumberLimit = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf";

/** Half of a unit. Doubles hold it exactly, so that no service reads it as the limit. */
const JUST_BEYOND = 0.5;

/** Returns numbers beyond each limit, the nearest first. */
export function numbersOutside(schema: Schema): { constraint: NumberLimit; value: number }[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = multipleOf ?? 1;
  const takesFractions = typesOf(schema).includes("number") && multipleOf === undefined;
  const found: { constraint: NumberLimit; value: number }[] = [];
  const add = (constraint: NumberLimit, value: number) => {
    const made = Number.isInteger(value) ? value : Number(value.toPrecision(12));
    const isKnown = found.some((other) => other.constraint === constraint && other.value === made);
    // Beyond the safe integers, a double can't hold the next number.
    if (!isKnown && (Number.isSafeInteger(made) || !Number.isInteger(value)))
      found.push({ constraint, value: made });
  };
  // A service may cut the fraction before it compares.
  if (takesFractions && minimum !== undefined) add("minimum", minimum - JUST_BEYOND);
  if (minimum !== undefined) add("minimum", (Math.ceil(minimum / step) - 1) * step);
  if (takesFractions && maximum !== undefined) add("maximum", maximum + JUST_BEYOND);
  if (maximum !== undefined) add("maximum", (Math.floor(maximum / step) + 1) * step);
  const wholeSteps = (limit: number, round: (number: number) => number) =>
    takesFractions ? limit : round(limit / step) * step;
  if (exclusiveMinimum !== undefined) add("exclusiveMinimum", wholeSteps(exclusiveMinimum, Math.floor));
  if (exclusiveMaximum !== undefined) add("exclusiveMaximum", wholeSteps(exclusiveMaximum, Math.ceil));
  if (multipleOf !== undefined) {
    const within =
      (minimum ?? exclusiveMinimum ?? Math.min(maximum ?? exclusiveMaximum ?? 0, 0) - step) + step;
    const whole = Math.ceil(within / step) * step;
    const integer = typesOf(schema).includes("integer");
    if (!integer || step > 1) add("multipleOf", whole + (integer ? 1 : step / 2));
  }
  return found;
}

/** Returns values of the same type that differ from a `const`. */
export function otherThan(value: unknown): unknown[] {
  if (typeof value === "string") return ["another value"].filter((other) => other !== value);
  if (typeof value === "number") return [value + 1];
  return typeof value === "boolean" ? [!value] : [];
}

/** Returns a text that breaks the pattern, but not the lengths. */
export function textOutside(schema: Schema): string | undefined {
  const { pattern = "", minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  return ["!", "#", "other text", "0", "~"]
    .map((text) => text.padEnd(minLength, text).slice(0, maxLength))
    .find((text) => text !== "" && !patternOf(pattern).test(text));
}

/** Changes one character of a valid text, because a faulty service may check all but one. */
export function textJustOutside(schema: Schema, variation = 1): string | undefined {
  const { pattern = "" } = schema;
  const text = matchingText(schema, variation);
  const middle = Math.floor(text.length / 2);
  const changed = [middle, text.length - 1, 0].flatMap((at) =>
    ["x", "0", "-"].map((other) => text.slice(0, at) + other + text.slice(at + 1)),
  );
  return changed.find((each) => !patternOf(pattern).test(each));
}

/** Returns a valid text with more before it, and one with more behind it, because a service may ignore anchors. */
export function textsAround(schema: Schema, variation = 1): string[] {
  const { pattern = "", maxLength = Number.POSITIVE_INFINITY } = schema;
  const text = matchingText({ ...schema, maxLength: maxLength - 1 }, variation);
  const fits = (each: string) => patternOf(pattern).test(each);
  if (text.length >= maxLength || !fits(text)) return [];
  const before = MORE.map((more) => more + text).find((each) => !fits(each));
  const behind = MORE.map((more) => text + more).find((each) => !fits(each));
  return [before, behind].filter((each) => each !== undefined);
}

const MORE = ["x", "0", "!"];

/** Returns `ONE_TIME` and `oneTime` for `one_time`. */
export function otherSpellings(word: string): string[] {
  const camel = word.replace(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [word.toUpperCase(), camel].filter((other) => other !== word);
}

/** Returns values of the same type that the enumeration lacks. */
export function unlistedValues(schema: Schema): unknown[] {
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
