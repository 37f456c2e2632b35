/** What single keywords of JSON Schema demand of a value. */

import { isLongerThan } from "./characters.ts";
import { FORMAT_NAMES } from "./expectation.ts";
import { formatCheck } from "./formats.ts";
import { isObject, sameJson } from "./json.ts";
import type { Schema } from "./model/spec.ts";
import { describeValue } from "./schema.ts";

/** What is wrong with a value; null where nothing is, undefined where it could not break the keyword. */
type Look = (value: unknown) => { expected: string; actual: string } | null | undefined;

function number(value: unknown, breaks: (value: number) => boolean, expected: string) {
  if (typeof value !== "number") return undefined;
  return breaks(value) ? { expected, actual: describeValue(value) } : null;
}

function size(value: number | undefined, limit: number, atMost: boolean, what: string) {
  if (value === undefined) return undefined;
  const kept = atMost ? value <= limit : value >= limit;
  return kept
    ? null
    : {
        expected: `must NOT have ${atMost ? "more" : "fewer"} than ${limit} ${what}`,
        actual: `${value} ${what}`,
      };
}

const itemsIn = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const propertiesIn = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

/** For each keyword: what it makes of values, where a schema has it. */
export const KEYWORD_DEMANDS: Record<string, (schema: Schema) => Look | undefined> = {
  enum: ({ enum: allowed }) =>
    allowed &&
    ((value) =>
      allowed.some((each) => sameJson(each, value))
        ? null
        : { expected: `one of ${JSON.stringify(allowed)}`, actual: describeValue(value) }),
  const: (schema) =>
    "const" in schema
      ? (value) =>
          sameJson(schema.const, value)
            ? null
            : { expected: JSON.stringify(schema.const), actual: describeValue(value) }
      : undefined,
  format: ({ format }) => {
    const check = format === undefined ? undefined : formatCheck(format);
    if (!check || format === undefined) return undefined;
    const expected = FORMAT_NAMES[format] ?? `format ${format}`;
    return (value) =>
      typeof value !== "string"
        ? undefined
        : check(value)
          ? null
          : { expected, actual: describeValue(value) };
  },
  pattern: ({ pattern }) => {
    if (pattern === undefined) return undefined;
    const expression = new RegExp(pattern, "u");
    return (value) =>
      typeof value !== "string"
        ? undefined
        : expression.test(value)
          ? null
          : { expected: `must match pattern "${pattern}"`, actual: describeValue(value) };
  },
  maxLength: ({ maxLength: limit }) =>
    limit === undefined
      ? undefined
      : (value) =>
          typeof value !== "string"
            ? undefined
            : // How characters are counted is not specified: it is over its limit only when it is so by every count.
              !isLongerThan(value, limit)
              ? null
              : { expected: `must NOT have more than ${limit} characters`, actual: describeValue(value) },
  minLength: ({ minLength: limit }) =>
    limit === undefined
      ? undefined
      : (value) =>
          typeof value !== "string"
            ? undefined
            : // A code point takes two units at most.
              [...value.slice(0, 2 * limit)].length >= limit
              ? null
              : { expected: `must NOT have fewer than ${limit} characters`, actual: describeValue(value) },
  minimum: ({ minimum: limit }) =>
    limit === undefined ? undefined : (value) => number(value, (n) => n < limit, `must be >= ${limit}`),
  maximum: ({ maximum: limit }) =>
    limit === undefined ? undefined : (value) => number(value, (n) => n > limit, `must be <= ${limit}`),
  exclusiveMinimum: ({ exclusiveMinimum: limit }) =>
    limit === undefined ? undefined : (value) => number(value, (n) => n <= limit, `must be > ${limit}`),
  exclusiveMaximum: ({ exclusiveMaximum: limit }) =>
    limit === undefined ? undefined : (value) => number(value, (n) => n >= limit, `must be < ${limit}`),
  multipleOf: ({ multipleOf: unit }) =>
    unit === undefined
      ? undefined
      : (value) =>
          // 0.3 is three times 0.1, whatever binary fractions make of it.
          number(
            value,
            (n) => Math.abs(Math.round(n / unit) - n / unit) > 1e-9,
            `must be multiple of ${unit}`,
          ),
  minItems: ({ minItems: limit }) =>
    limit === undefined ? undefined : (value) => size(itemsIn(value), limit, false, "items"),
  maxItems: ({ maxItems: limit }) =>
    limit === undefined ? undefined : (value) => size(itemsIn(value), limit, true, "items"),
  uniqueItems: ({ uniqueItems }) =>
    uniqueItems
      ? (value) => {
          if (!Array.isArray(value)) return undefined;
          const twice = value.find((item, index) =>
            value.slice(0, index).some((each) => sameJson(each, item)),
          );
          return twice === undefined
            ? null
            : { expected: "each item once", actual: `${describeValue(twice)} twice` };
        }
      : undefined,
  minProperties: ({ minProperties: limit }) =>
    limit === undefined ? undefined : (value) => size(propertiesIn(value), limit, false, "properties"),
  maxProperties: ({ maxProperties: limit }) =>
    limit === undefined ? undefined : (value) => size(propertiesIn(value), limit, true, "properties"),
};
