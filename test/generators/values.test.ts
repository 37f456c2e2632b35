import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { futureDateTime } from "../../generators/formats.ts";
import { asciiText, textOfLength } from "../../generators/texts-of-length.ts";
import { arrayOfLength, validObject, validValue } from "../../generators/values.ts";
import { isDateTime } from "../../spec/formats.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { spec } from "../spec/package-spec.ts";
import { anySchema, bodySchema } from "./schemas.ts";
import { exampleSource } from "./value-source.ts";

const { schemas } = spec;
const bodies = spec.operations.flatMap(({ key, body }) => (body ? [[key, body] as const] : []));
const variation = fc.nat(60);
const extent = fc.constantFrom("minimal" as const, "full" as const);
const knowing = fc.constantFrom("all" as const, "nothing" as const);

test.each(bodies)("bodies for %s are valid, with or without values known from the service", (_, body) => {
  fc.assert(
    fc.property(extent, variation, knowing, (some, seed, known) => {
      const made = validObject(body, exampleSource(known), some, seed);
      expect(schemas.validate(body, made)).toEqual([]);
    }),
  );
});

test.each(bodies)("a full body for %s has every field except those that use the resource up", (_, body) => {
  const flat = schemas.flatten(body);
  const wanted = Object.entries(flat.properties ?? {})
    .filter(([, child]) => !schemas.flatten(child)["x-consumes"])
    .map(([name]) => name);
  expect(Object.keys(validObject(body, exampleSource(), "full"))).toEqual(wanted);
  expect(Object.keys(validObject(body, exampleSource(), "minimal"))).toEqual(flat.required ?? []);
});

test.each(bodies)("two bodies for %s in a row differ", (_, body) => {
  const source = exampleSource();
  expect(validObject(body, source, "full", 1)).not.toEqual(validObject(body, source, "full", 2));
});

test("the fields of every second body come in the reverse order", () => {
  const properties = { one: { type: "string" }, two: { type: "string" }, three: { type: "string" } };
  const names = (variation: number) =>
    Object.keys(validObject({ type: "object", properties }, exampleSource(), "full", variation));
  expect(names(2)).toEqual(["one", "two", "three"]);
  expect(names(3)).toEqual(["three", "two", "one"]);
});

test("some texts of a map without limits have digits only", () => {
  const map = { type: "object", additionalProperties: { type: "string" } };
  const texts = (values: Schema, variation: number) =>
    Object.values(validValue({ ...map, additionalProperties: values }, exampleSource(), variation) ?? {});
  const digits = expect.stringMatching(/^\d+$/);
  expect(texts({ type: "string" }, 4)).toEqual([digits, expect.not.stringMatching(/^\d+$/)]);
  expect(texts({ type: "string", maxLength: 8 }, 4)).not.toContainEqual(digits);
  expect(texts({ type: "string", pattern: "^[a-z]+$" }, 4)).not.toContainEqual(digits);
});

test("values of random schemas are valid", () => {
  fc.assert(
    fc.property(anySchema, variation, (schema, seed) => {
      const value = validValue(schema, exampleSource(), seed);
      expect(value).not.toBeUndefined();
      expect(schemas.validate(schema, value)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("objects of random schemas are valid", () => {
  fc.assert(
    fc.property(bodySchema, extent, variation, (schema, some, seed) => {
      expect(schemas.validate(schema, validObject(schema, exampleSource(), some, seed))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

describe("numbers", () => {
  test.each<[string, Schema]>([
    ["at most nothing", { type: "integer", maximum: 0 }],
    ["below nothing", { type: "integer", maximum: -20 }],
    ["over a bound", { type: "integer", exclusiveMinimum: 10, exclusiveMaximum: 12 }],
    ["a fraction in between", { type: "number", minimum: 0.2, maximum: 0.8 }],
    ["in steps", { type: "integer", multipleOf: 5, minimum: 11, maximum: 30 }],
    ["one only", { type: "integer", minimum: 7, maximum: 7 }],
  ])("%s", (_, schema) => {
    for (let seed = 0; seed < 30; seed++)
      expect(schemas.validate(schema, validValue(schema, exampleSource(), seed))).toEqual([]);
  });
});

describe("a value that only the service or the user knows", () => {
  const body = (key: string): Schema =>
    schemas.flatten(spec.operations.find((one) => one.key === key)?.body ?? {});
  const field = (key: string, name: string): Schema => body(key).properties?.[name] ?? {};

  test("is taken from the known values", () => {
    expect(validValue(field("POST /v1/financial-accounts", "currency"), exampleSource())).toBe("GHS");
    expect(validValue(field("POST /webhooks", "url"), exampleSource())).toBe(
      "https://hooks.example.com/in?x=1",
    );
    expect(validValue(field("POST /webhooks", "events"), exampleSource())).toEqual([
      "payment.completed",
      "payout.failed",
    ]);
  });

  test("is null if null is allowed and none is known", () => {
    expect(validValue(field("POST /webhooks", "events"), exampleSource("nothing"))).toBeNull();
    expect(
      validValue(field("PATCH /payment-codes/{id}", "allowedProviders"), exampleSource("nothing")),
    ).toBeNull();
  });

  test("is missing otherwise", () => {
    const schema: Schema = {
      type: "array",
      minItems: 2,
      items: { type: "string" },
      "x-values-from": { fixture: "webhookUrl" },
    };
    expect(validValue(schema, exampleSource("nothing"))).toBeUndefined();
    expect(validValue(schema, exampleSource())).toBeUndefined(); // one value is known, two are needed
    const narrow = { type: "object", required: ["list"], properties: { list: schema } };
    expect(validObject(narrow, exampleSource(), "full")).toEqual({});
  });

  test("is repeated for lists of a given length", () => {
    const list = arrayOfLength(field("POST /webhooks", "events"), 5, exampleSource());
    expect(list).toEqual([
      "payment.completed",
      "payout.failed",
      "payment.completed",
      "payout.failed",
      "payment.completed",
    ]);
    expect(arrayOfLength(field("POST /webhooks", "events"), 5, exampleSource("nothing"))).toBeUndefined();
  });
});

describe("texts of a given length", () => {
  test("are ASCII and exact, and differ if there is room for the unique text", () => {
    fc.assert(
      fc.property(fc.nat(5000), (length) => {
        const source = exampleSource();
        const made = [asciiText(source, length), asciiText(source, length)];
        for (const text of made) expect(text).toMatch(/^[\x20-\x7e]*$/);
        for (const text of made) expect(text).toHaveLength(length);
        if (length >= 4) expect(made[0]).not.toBe(made[1]);
      }),
    );
  });

  test("keep the pattern and the format", () => {
    const kept = fc.constantFrom<Schema>(
      { type: "string", pattern: "^spc-.*$" },
      { type: "string", pattern: "^[A-Za-z0-9]+$" },
      { type: "string", format: "uri" },
      { type: "string", format: "email" },
    );
    fc.assert(
      fc.property(kept, fc.integer({ min: 24, max: 300 }), (schema, length) => {
        const made = textOfLength(schema, length, exampleSource()) ?? "";
        expect(made).toHaveLength(length);
        expect(schemas.validate(schema, made)).toEqual([]);
      }),
    );
  });

  test("are missing if pattern or format fix the length", () => {
    expect(textOfLength({ type: "string", pattern: "^[0-9]{4}$" }, 5, exampleSource())).toBeUndefined();
    expect(textOfLength({ type: "string", format: "date-time" }, 5, exampleSource())).toBeUndefined();
    expect(textOfLength({ type: "string", enum: ["a"] }, 2, exampleSource())).toBeUndefined();
  });
});

test.each([0, 3, 1439, 20_000_001])(
  "date-time %i in the future is RFC 3339, in whole seconds, at most two days ahead",
  (turn) => {
    const made = futureDateTime(turn);
    expect(made).toMatch(/T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
    expect(isDateTime(made)).toBe(true);
    expect(Date.parse(made)).toBeGreaterThan(Date.now());
    expect(Date.parse(made)).toBeLessThanOrEqual(Date.now() + 2 * 24 * 60 * 60 * 1000);
  },
);

const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"];
const OTHER_FORMATS = ["uri-reference", "byte", "regex", "json-pointer"];

test.each([...FORMATS, ...OTHER_FORMATS])(
  "texts of format %s are valid, and two in a row differ",
  (format) => {
    const schema: Schema = { type: "string", format };
    fc.assert(
      fc.property(variation, (number) => {
        const [one, other] = [number, number + 1].map((each) => validValue(schema, exampleSource(), each));
        expect(schemas.validate(schema, one)).toEqual([]);
        expect(one).not.toBe(other);
      }),
    );
  },
);

test("unique texts of a pattern are as long as it allows, so that they differ", () => {
  const pattern = "^(Op|No)\\.[0-9]{1,6}$";
  const schema: Schema = { type: "string", pattern, "x-unique": { scope: "space" } };
  const source = exampleSource();
  const texts = Array.from({ length: 60 }, () => String(validValue(schema, source)));
  expect(new Set(texts).size).toBe(60);
  for (const text of texts) expect(text).toMatch(new RegExp(pattern));
});

test("unique dates differ", () => {
  const source = exampleSource();
  const schema: Schema = { type: "string", format: "date", "x-unique": { scope: "space" } };
  const dates = Array.from({ length: 8 }, () => validValue(schema, source));
  expect(new Set(dates).size).toBeGreaterThan(6);
});

test.each<[string, Schema]>([
  ["a tuple", { type: "array", prefixItems: [{ type: "integer" }, { type: "boolean" }], minItems: 2 }],
  [
    "a tuple with further elements",
    { type: "array", prefixItems: [{ type: "integer" }], items: { type: "string" }, minItems: 3 },
  ],
  [
    "a map whose names match a pattern",
    { type: "object", patternProperties: { "^[a-z]{3}$": { type: "integer" } }, additionalProperties: false },
  ],
])("values are valid for %s", (_, schema) => {
  fc.assert(
    fc.property(variation, (number) => {
      const value = validValue(schema, exampleSource(), number);
      expect(schemas.validate(schema, value)).toEqual([]);
      expect(Object.keys(value as object).length).toBeGreaterThan(0);
    }),
  );
});
