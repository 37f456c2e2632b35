/** Random JSON Schemas of request bodies, each with at least one valid value. */

import fc from "fast-check";
import type { Schema } from "../../spec/model/spec.ts";

const withNull = (schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc.tuple(schema, fc.boolean()).map(([plain, nullable]) => {
    if (!nullable || typeof plain.type !== "string") return plain;
    const options = plain.enum ? { enum: [...plain.enum, null] } : {};
    return { ...plain, ...options, type: [plain.type, "null"] };
  });

const span = (most: number): fc.Arbitrary<[least: number | undefined, most: number | undefined]> =>
  fc
    .tuple(
      fc.option(fc.nat(most), { nil: undefined }),
      fc.option(fc.integer({ min: 1, max: most }), { nil: undefined }),
    )
    .map(([a, b]) => (a !== undefined && b !== undefined && a > b ? [b, a] : [a, b]));

function rules(entries: Record<string, number | undefined>): Schema {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

const text = span(160).map(
  ([minLength, maxLength]): Schema => ({ type: "string", ...rules({ minLength, maxLength }) }),
);

const patterned = fc.constantFrom<Schema>(
  { type: "string", pattern: "^spc-.*$" },
  { type: "string", pattern: "^spc-.*$", minLength: 12, maxLength: 64 },
  { type: "string", pattern: "^[A-Za-z0-9]+$", minLength: 3, maxLength: 30 },
  { type: "string", pattern: "^[0-9]{4}$" },
  { type: "string", pattern: "^[a-z]{2,5}-[0-9]{3}$", maxLength: 9 },
  { type: "string", pattern: "^\\+[1-9]\\d{1,14}$", maxLength: 16 },
);

const formatted = fc
  .constantFrom("date-time", "currency-code", "country-code", "uri", "email", "date", "uuid")
  .map((format): Schema => ({ type: "string", format }));

const listed = fc.constantFrom<Schema>(
  { type: "string", enum: ["open", "closed"] },
  { type: "integer", enum: [3, 7, 90] },
  { type: "boolean", enum: [true] },
  { type: "string", const: "fixed" },
  { type: "integer", const: 12 },
  { type: "boolean", const: false },
);

const number = fc
  .tuple(fc.constantFrom("integer", "number"), fc.integer({ min: -1000, max: 1000 }), fc.nat(500), fc.nat(3))
  .map(
    ([type, low, width, kind]): Schema => ({
      type,
      ...rules({
        minimum: kind % 2 === 1 ? low : undefined,
        maximum: kind >= 2 ? low + width : undefined,
      }),
    }),
  );

const flag = fc.constantFrom<Schema>(
  { type: "boolean" },
  { type: "boolean", default: false },
  { type: "boolean", default: true },
);

const map = fc.constantFrom<Schema>(
  { type: "object" },
  { type: "object", additionalProperties: { type: "string", maxLength: 100 }, maxProperties: 64 },
  { type: "object", additionalProperties: { type: "integer", minimum: 5 } },
);

const { schema } = fc.letrec<{ schema: Schema; object: Schema; list: Schema }>((tie) => ({
  schema: withNull(
    fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      text,
      patterned,
      formatted,
      listed,
      number,
      flag,
      map,
      tie("list"),
      tie("object"),
    ),
  ),
  list: fc
    .tuple(tie("schema"), span(6))
    .map(
      ([items, [minItems, maxItems]]): Schema => ({ type: "array", items, ...rules({ minItems, maxItems }) }),
    ),
  object: objectOf(tie("schema")),
}));

function objectOf(value: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .tuple(
      fc.dictionary(
        fc.constantFrom("name", "amount", "a/b", "tilde~x", "kind", "items"),
        fc.tuple(value, fc.boolean()),
        {
          minKeys: 1,
          maxKeys: 4,
          noNullPrototype: true,
        },
      ),
      fc.boolean(),
    )
    .map(
      ([fields, closed]): Schema => ({
        type: "object",
        required: Object.entries(fields).flatMap(([name, [, required]]) => (required ? [name] : [])),
        properties: Object.fromEntries(Object.entries(fields).map(([name, [child]]) => [name, child])),
        ...(closed ? { additionalProperties: false } : {}),
      }),
    );
}

/** Schemas with keywords that few services use. */
const rare = fc.constantFrom<Schema>(
  { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
  { type: "integer", minimum: 5, maximum: 95, multipleOf: 5 },
  { type: "number", minimum: 0.05, multipleOf: 0.05 },
  { type: "array", uniqueItems: true, minItems: 1, maxItems: 5, items: { type: "string", maxLength: 30 } },
  { type: "object", minProperties: 1, maxProperties: 1, additionalProperties: { type: "string" } },
  {
    type: "object",
    propertyNames: { pattern: "^x-[a-z]{3,8}$" },
    additionalProperties: { type: "integer", minimum: 5 },
  },
  {
    type: "object",
    required: ["from"],
    properties: { from: { type: "string" }, until: { type: "string" }, zone: { type: "string" } },
    dependentRequired: { until: ["zone"] },
  },
  {
    type: "array",
    minItems: 2,
    maxItems: 2,
    prefixItems: [
      { type: "number", minimum: -90, maximum: 90 },
      { type: "number", exclusiveMinimum: -180, maximum: 180 },
    ],
  },
  {
    type: "array",
    minItems: 1,
    maxItems: 4,
    prefixItems: [{ type: "string", maxLength: 20 }, { type: "boolean" }],
    items: { type: "integer", minimum: 5 },
  },
  {
    type: "object",
    minProperties: 1,
    maxProperties: 3,
    patternProperties: {
      "^p_[a-z]{1,6}$": { type: "boolean" },
      "^n_[a-z]{1,6}$": { type: "integer", minimum: 0, maximum: 50 },
    },
    additionalProperties: false,
  },
  {
    type: "array",
    maxItems: 4,
    items: { type: "integer", minimum: 0, maximum: 9 },
    contains: { const: 7 },
  },
  {
    type: "object",
    minProperties: 1,
    maxProperties: 2,
    propertyNames: { enum: ["mo", "tu", "we", "th", "fr"] },
    additionalProperties: { type: "integer", minimum: 5 },
  },
  { type: "string", not: { enum: ["none"] } },
  { type: "string", format: "ipv4" },
  { type: "string", format: "hostname" },
  { anyOf: [{ type: "string", format: "email" }, { type: "null" }] },
  {
    oneOf: [
      {
        type: "object",
        required: ["kind", "number"],
        properties: { kind: { const: "card" }, number: { type: "string", pattern: "^[0-9]{4}$" } },
      },
      {
        type: "object",
        required: ["kind", "notes"],
        properties: {
          kind: { const: "cash" },
          notes: { type: "array", minItems: 1, maxItems: 3, items: { type: "integer", enum: [5, 10, 20] } },
        },
      },
    ],
  },
);

export const anySchema = schema;

export const bodySchema = objectOf(schema);

/** A schema for the body of a request, which may have any keyword that the generators know. */
export const anyBodySchema = objectOf(fc.oneof(schema, rare, objectOf(rare), listOf(rare)));

function listOf(items: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return items.map((each): Schema => ({ type: "array", items: each, minItems: 1, maxItems: 4 }));
}
