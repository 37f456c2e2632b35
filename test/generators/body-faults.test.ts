import type { ValidateFunction } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyEdges } from "../../generators/body-edges.ts";
import { type BodyFault, bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import type { Constraint } from "../../generators/keyword-faults.ts";
import { validObject } from "../../generators/values.ts";
import { formatNearMisses, formatViolations } from "../../generators/wrong-formats.ts";
import { createAjv } from "../../spec/formats.ts";
import { appendPointer, type JsonObject, withoutValue, withValue } from "../../spec/json.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { spec } from "../spec/package-spec.ts";
import { anyBodySchema, bodySchema } from "./schemas.ts";
import { exampleSource } from "./value-source.ts";

const { schemas } = spec;
const bodies = spec.operations.flatMap(({ key, body }) => (body ? [[key, body] as const] : []));

/** The schema without `$ref` and `allOf`, so that ajv alone can validate with it. */
function plain(schema: Schema): Schema {
  const { allOf: _, $ref: __, ...flat } = schemas.flatten(schema);
  const children = Object.entries(flat.properties ?? {}).map(([name, child]) => [name, plain(child)]);
  return {
    ...flat,
    ...(flat.properties ? { properties: Object.fromEntries(children) } : {}),
    ...(flat.items ? { items: plain(flat.items) } : {}),
  };
}

const compiled = new WeakMap<Schema, ValidateFunction>();

/**
 * The keywords that a value breaks according to ajv, with their places, such as `maxLength /name`. At a place with
 * a wrong type, only `type`.
 */
function faultsOf(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? createAjv().compile(plain(schema));
  compiled.set(schema, validate);
  validate(value);
  const errors = validate.errors ?? [];
  const wrongType = new Set(
    errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath),
  );
  return [
    ...new Set(
      errors
        .filter(({ keyword, instancePath }) => keyword === "type" || !wrongType.has(instancePath))
        .map(({ keyword, instancePath, params }) => {
          const property = params.missingProperty ?? params.additionalProperty;
          return `${keyword} ${property === undefined ? instancePath : appendPointer(instancePath, property)}`;
        }),
    ),
  ];
}

function expectSingleFault(schema: Schema, violation: BodyFault, body: JsonObject): void {
  const before = JSON.stringify(body);
  const found = faultsOf(schema, violation.breaking(body));
  expect(JSON.stringify(body)).toBe(before);
  const keyword = violation.constraint === "null" ? "type" : violation.constraint;
  expect(found, `${violation.pointer} ${violation.constraint}`).toHaveLength(1);
  expect(
    found[0]?.startsWith(`${keyword} ${violation.pointer}`),
    `${found[0]} for ${keyword} ${violation.pointer}`,
  ).toBe(true);
  if (violation.twin) expect(faultsOf(schema, violation.twin(body))).toEqual([]);
}

describe.each(bodies)("%s", (_, body) => {
  const source = exampleSource();
  const valid = validObject(body, source, "full");
  const violations = bodyViolations(body, source);

  test("every violation breaks one rule at one place, as ajv says too", () => {
    expect(violations.length).toBeGreaterThan(0);
    for (const violation of violations) {
      expectSingleFault(body, violation, valid);
      expect(isConfirmed(violation, valid, body, source)).toBe(true);
    }
  });

  test("every rule of the body is broken by some violation", () => {
    const broken = new Set(violations.map(({ pointer, constraint }) => `${pointer} ${constraint}`));
    const visit = (schema: Schema, pointer: string): void => {
      const flat = schemas.flatten(schema);
      for (const [name, child] of Object.entries(flat.properties ?? {})) {
        const property = schemas.flatten(child);
        const at = `${pointer}/${name}`;
        expect(broken).toContain(`${at} type`);
        for (const rule of [
          "enum",
          "format",
          "maxLength",
          "minLength",
          "minItems",
          "maxItems",
          "pattern",
        ] as const)
          if (property[rule] !== undefined) expect(broken).toContain(`${at} ${rule}`);
        if (flat.required?.includes(name)) expect(broken).toContain(`${at} required`);
        visit(property, at);
      }
    };
    visit(body, "");
  });

  test("every edge value is valid, and lies at the limit of its rule", () => {
    for (const edge of bodyEdges(body, source)) {
      expect(
        schemas.validate(body, withValue(valid, edge.pointer, edge.value)),
        `${edge.pointer} ${edge.what}`,
      ).toEqual([]);
      const schema = schemas.at(body, edge.pointer) ?? {};
      if (edge.constraint === "maxLength") expect(edge.value).toHaveLength(schema.maxLength ?? -1);
      if (edge.constraint === "minLength") expect(edge.value).toHaveLength(schema.minLength ?? -1);
      if (edge.constraint === "maxItems") expect(edge.value).toHaveLength(schema.maxItems ?? -1);
      if (edge.constraint === "minItems") expect(edge.value).toHaveLength(schema.minItems ?? 0);
    }
  });

  test("edges and violations of text are plain ASCII, so that every way of counting agrees", () => {
    const texts = [
      ...bodyEdges(body, source).map(({ value }) => value),
      ...violations
        .filter(({ constraint }) => constraint === "maxLength" || constraint === "minLength")
        .map(({ breaking }) => breaking(valid)),
    ];
    for (const text of texts) expect(JSON.stringify(text)).toMatch(/^[\x20-\x7e]*$/);
  });
});

test("violations of random schemas are single faults", () => {
  let confirmed = 0;
  fc.assert(
    fc.property(bodySchema, fc.nat(20), (schema, variation) => {
      const source = exampleSource();
      const valid = validObject(schema, source, "full", variation);
      for (const violation of bodyViolations(schema, source)) {
        if (!isConfirmed(violation, valid, schema, source)) continue;
        confirmed++;
        expectSingleFault(schema, violation, valid);
      }
    }),
    { numRuns: 30 },
  );
  expect(confirmed).toBeGreaterThan(100);
});

test("a number that need not be whole is also sent with a fraction", () => {
  const numbers: Record<string, Schema> = {
    any: { type: "number" },
    form: { oneOf: [{ type: "object", properties: { tilt: { type: "number", minimum: 0, maximum: 90 } } }] },
    whole: { type: "integer", minimum: 0, maximum: 90 },
    stepped: { type: "number", minimum: 0, multipleOf: 5 },
  };
  const edges = bodyEdges({ type: "object", properties: numbers }, exampleSource());
  const fractions = edges.filter(({ what }) => what.startsWith("a fraction"));
  expect(fractions.map(({ pointer, what }) => `${pointer} ${what}`)).toEqual([
    "/any a fraction",
    "/form a fraction of form 1/tilt",
  ]);
  expect(fractions.map(({ value, isIn }) => isIn(value))).toEqual([true, true]);
});

test("edge values are made inside elements, values of maps and branches, too", () => {
  const code: Schema = { type: "string", maxLength: 5 };
  const body: Schema = {
    type: "object",
    properties: {
      list: { type: "array", items: code },
      rows: { type: "array", items: { type: "object", properties: { code } } },
      map: { type: "object", additionalProperties: code },
      either: {
        oneOf: [
          { type: "object", required: ["code"], properties: { code } },
          { type: "integer", minimum: 3 },
        ],
      },
    },
  };
  const source = exampleSource();
  const valid = validObject(body, source, "full");
  const edges = bodyEdges(body, source);
  for (const { pointer, value } of edges)
    expect(schemas.validate(body, withValue(valid, pointer, value))).toEqual([]);
  expect(edges.map(({ pointer, constraint, what }) => `${pointer} ${constraint} ${what}`)).toEqual(
    expect.arrayContaining([
      "/list maxLength 5 characters of an element",
      "/rows maxLength 5 characters of an element/code",
      "/map maxLength 5 characters of a value",
      "/either maxLength 5 characters of form 1/code",
      "/either minimum 3 of form 2",
    ]),
  );
});

test("edge values are made for names of maps, for steps of numbers, and in objects within objects", () => {
  const text: Schema = { type: "string", minLength: 1 };
  const body: Schema = {
    type: "object",
    properties: {
      tags: {
        type: "object",
        propertyNames: { pattern: "^[a-z]+$", maxLength: 6 },
        additionalProperties: text,
      },
      limits: { type: "object", propertyNames: { enum: ["a", "b", "c"] }, additionalProperties: text },
      ratio: { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 8, multipleOf: 0.25 },
      rows: {
        type: "array",
        items: { type: "object", required: ["code"], properties: { code: text, note: text } },
      },
    },
  };
  const edges = bodyEdges(body, exampleSource());
  const found = new Map(edges.map(({ pointer, what, value }) => [`${pointer} ${what}`, value]));
  const named = found.get("/tags 6 characters of a name");
  expect(Object.keys(named as object)).toContainEqual(expect.stringMatching(/^[a-z]{6}$/));
  expect(Object.keys(found.get("/limits each listed name") as object)).toEqual(["a", "b", "c"]);
  expect([found.get("/ratio 1.25"), found.get("/ratio 7.75")]).toEqual([1.25, 7.75]);
  const [row] = found.get("/rows the required fields alone of an element") as object[];
  expect(Object.keys(row ?? {})).toEqual(["code"]);
});

test("edge values of random schemas are valid", () => {
  fc.assert(
    fc.property(anyBodySchema, (schema) => {
      const source = exampleSource();
      const valid = validObject(schema, source, "full");
      for (const edge of bodyEdges(schema, source))
        expect(
          schemas.validate(schema, withValue(valid, edge.pointer, edge.value)),
          `${edge.pointer} ${edge.what}`,
        ).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** Rules that a body can break, each with the schema of a field that has the rule. */
const RULES: [constraint: Constraint, schema: Schema][] = [
  ["type", { type: "string" }],
  ["type", { type: "integer" }],
  ["type", { type: "number" }],
  ["type", { type: "boolean" }],
  ["type", { type: "array", items: { type: "string" } }],
  ["type", { type: "object" }],
  ["type", { type: ["string", "null"] }],
  ["null", { type: "string" }],
  ["null", { type: "array", items: {} }],
  ["null", { type: "integer", enum: [1, 2] }],
  ["required", { type: "string" }],
  ["enum", { type: "string", enum: ["a", "b"] }],
  ["enum", { type: ["string", "null"], enum: ["a", null] }],
  ["enum", { type: "integer", enum: [1, 2] }],
  ["enum", { type: "boolean", enum: [true] }],
  ["const", { type: "string", const: "a" }],
  ["const", { type: "integer", const: 4 }],
  ["const", { type: "boolean", const: true }],
  ["minimum", { type: "integer", minimum: 0 }],
  ["minimum", { type: "number", minimum: 0.5, maximum: 0.75 }],
  ["maximum", { type: "integer", maximum: 9 }],
  ["minLength", { type: "string", minLength: 1 }],
  ["minLength", { type: "string", minLength: 3, pattern: "^[a-z]+$" }],
  ["minLength", { type: "string", minLength: 30, format: "uri" }],
  ["maxLength", { type: "string", maxLength: 10 }],
  ["maxLength", { type: "string", maxLength: 64, pattern: "^spc-.*$" }],
  ["maxLength", { type: "string", maxLength: 60, format: "uri" }],
  ["maxLength", { type: "string", maxLength: 60, format: "email" }],
  ["pattern", { type: "string", pattern: "^spc-.*$" }],
  ["pattern", { type: "string", pattern: "^[0-9]{4}$", minLength: 4, maxLength: 4 }],
  ["format", { type: "string", format: "date-time" }],
  ["format", { type: "string", format: "currency-code" }],
  ["format", { type: "string", format: "country-code" }],
  ["format", { type: "string", format: "uri" }],
  ["format", { type: "string", format: "email" }],
  ["format", { type: "string", format: "date" }],
  ["format", { type: "string", format: "uuid" }],
  ["minItems", { type: "array", items: { type: "string" }, minItems: 1 }],
  ["minItems", { type: "array", items: { type: "string" }, minItems: 3 }],
  ["maxItems", { type: "array", items: { type: "string" }, maxItems: 3 }],
  ["minProperties", { type: "object", minProperties: 2, maxProperties: 5 }],
  ["maxProperties", { type: "object", maxProperties: 3 }],
  ["maxProperties", { type: "object", maxProperties: 3, additionalProperties: { type: "integer" } }],
  [
    "additionalProperties",
    { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
  ],
];

test.each(RULES)("%s of %j is violated alone", (constraint, schema) => {
  const body: Schema = { type: "object", required: ["field"], properties: { field: schema } };
  const source = exampleSource();
  const valid = validObject(body, source, "full");
  const found = bodyViolations(body, source).filter((violation) => violation.constraint === constraint);
  const confirmed = found.filter((violation) => isConfirmed(violation, valid, body, source));
  expect(confirmed.length).toBeGreaterThan(0);
  for (const violation of confirmed) expectSingleFault(body, violation, valid);
});

test("rules of nested objects, of elements, and of objects in lists are broken, too", () => {
  const inner: Schema = {
    type: "object",
    required: ["code"],
    properties: { code: { type: "string", maxLength: 5 } },
    additionalProperties: false,
  };
  const body: Schema = {
    type: "object",
    properties: {
      deep: inner,
      list: { type: "array", minItems: 2, items: { type: "string", maxLength: 4 } },
      rows: { type: "array", items: inner },
    },
    additionalProperties: false,
  };
  const source = exampleSource();
  const valid = validObject(body, source, "full");
  const found = bodyViolations(body, source);
  for (const violation of found) expectSingleFault(body, violation, valid);
  expect([...new Set(found.map(({ pointer, constraint }) => `${pointer} ${constraint}`))]).toEqual(
    expect.arrayContaining([
      "/conformanceUnknown additionalProperties",
      "/deep/conformanceUnknown additionalProperties",
      "/deep/code required",
      "/deep/code maxLength",
      "/list type",
      "/list minItems",
      "/list/0 maxLength",
      "/rows/0/code required",
      "/rows/0/code maxLength",
      "/rows/0/conformanceUnknown additionalProperties",
    ]),
  );
});

test("a fault is not confirmed if its body breaks another rule, none, or one at another place", () => {
  const body: Schema = {
    type: "object",
    required: ["a"],
    properties: { a: { type: "string", maxLength: 3 }, b: { type: "string" } },
  };
  const source = exampleSource();
  const valid = { a: "abc", b: "x" };
  const confirms = (constraint: Constraint, pointer: string, breaking: BodyFault["breaking"]) =>
    isConfirmed({ pointer, constraint, breaking }, valid, body, source);
  expect(confirms("maxLength", "/a", (value) => ({ ...value, a: "abcd" }))).toBe(true);
  expect(confirms("maxLength", "/a", (value) => value)).toBe(false);
  expect(confirms("maxLength", "/b", (value) => ({ ...value, a: "abcd" }))).toBe(false);
  expect(confirms("type", "/a", (value) => ({ ...value, a: "abcd" }))).toBe(false);
  expect(confirms("maxLength", "/a", () => ({ a: "abcd", b: 5 }))).toBe(false);
  expect(
    isConfirmed(
      { pointer: "/a", constraint: "maxLength", breaking: () => ({ a: "abcd" }) },
      { a: 5 },
      body,
      source,
    ),
  ).toBe(false);
});

test("the violations of a format do not match the format", () => {
  const ajv = createAjv();
  for (const format of ["currency-code", "country-code", "date-time", "date", "uri", "email", "uuid"]) {
    const texts = formatViolations(schemas, format);
    expect(texts.length, format).toBeGreaterThan(0);
    for (const text of texts)
      expect(ajv.validate({ type: "string", format }, text), `${format} ${text}`).toBe(false);
  }
  expect(formatViolations(schemas, "password")).toEqual([]);
});

test.each([
  ["date-time", ["2031-01-01T10:00:00"]],
  ["time", ["25:30:00Z"]],
  ["date", ["2031-02-30"]],
  ["ipv4", ["256.0.2.1", "2001:db8::1"]],
  ["ipv6", ["2001:db8::1:2:3:4:5:6:7:8", "2001:db8::12345", "192.0.2.1"]],
  ["hostname", ["-www.example.com", `${"a".repeat(64)}.example.com`]],
  ["uuid", ["00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-00000000000g"]],
  ["email", ["alerts@@example.com", "alerts@", "@example.com"]],
  ["uri", ["/path", "//example.com/path"]],
])("texts that are nearly of the format %s break the format alone", (format, texts) => {
  const { example, made } = formatNearMisses(schemas, format);
  expect(made.map((near) => near(example))).toEqual(texts);
  const ajv = createAjv();
  for (const text of texts) expect(ajv.validate({ type: "string", format }, text), text).toBe(false);
  const source = exampleSource();
  for (const own of [{}, { "x-unique": { scope: "space" as const } }]) {
    const body: Schema = { type: "object", properties: { field: { type: "string", format, ...own } } };
    for (let variation = 0; variation < 4; variation++) {
      const valid = validObject(body, source, "full", variation);
      const near = bodyViolations(body, source).filter(({ isNearMiss }) => isNearMiss);
      expect(near.map((fault) => isConfirmed(fault, valid, body, source))).toEqual(made.map(() => true));
    }
  }
});

describe("a value at a pointer", () => {
  const body = { a: { b: [{ c: 1 }, { c: 2 }] }, "x/y": 0 };

  test("is set in a copy", () => {
    expect(withValue(body, "/a/b/1/c", 5)).toEqual({ a: { b: [{ c: 1 }, { c: 5 }] }, "x/y": 0 });
    expect(withValue(body, "/x~1y", 5)).toEqual({ ...body, "x/y": 5 });
    expect(withValue({}, "/a/b", 5)).toEqual({ a: { b: 5 } });
    expect(body).toEqual({ a: { b: [{ c: 1 }, { c: 2 }] }, "x/y": 0 });
  });

  test("is removed from a copy", () => {
    expect(withoutValue(body, "/a/b/0/c")).toEqual({ a: { b: [{}, { c: 2 }] }, "x/y": 0 });
    expect(withoutValue(body, "/x~1y")).toEqual({ a: body.a });
    expect(withoutValue(body, "/nothing/there")).toEqual(body);
    expect(withoutValue(body, "/nothing")).toEqual(body);
  });
});

test("elements of a wrong type stand alone, and behind a valid one", () => {
  const schema: Schema = {
    type: "object",
    properties: { tags: { type: "array", items: { type: "string" } } },
    required: ["tags"],
  };
  const lists = bodyViolations(schema, exampleSource())
    .filter(({ constraint, pointer }) => constraint === "type" && /^\/tags\/\d$/.test(pointer))
    .map(({ breaking }) => breaking({ tags: ["a"] }).tags as unknown[]);
  expect(lists.some(([first]) => typeof first !== "string")).toBe(true);
  expect(lists.some(([first, second]) => typeof first === "string" && typeof second !== "string")).toBe(true);
});
