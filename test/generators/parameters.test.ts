import { describe, expect, test } from "vitest";
import { parameterEdges, parameterText, parameterViolations } from "../../generators/parameters.ts";
import type { Parameter, Schema } from "../../spec/model/spec.ts";
import { parameterFaults, parameterValue } from "../../spec/schema/parameter-value.ts";
import { operation, spec } from "../spec/package-spec.ts";
import { exampleSource } from "./value-source.ts";

const { schemas } = spec;

function parameter(schema: Schema): Parameter {
  return { name: "p", in: "query", required: false, schema, role: "other", requirements: {} };
}

function texts(schema: Schema): string[] {
  return parameterViolations(parameter(schema), schemas).map(
    ({ constraint, text }) => `${constraint} ${text}`,
  );
}

const queries = spec.operations.flatMap((one) =>
  one.parameters
    .filter((candidate) => candidate.in === "query")
    .map((candidate) => [`${one.key} ${candidate.name}`, candidate] as const),
);

describe.each(queries)("%s", (_, shown) => {
  const schema = schemas.flatten(shown.schema);

  test("each violation breaks its rule when the text is read", () => {
    for (const { constraint, text } of parameterViolations(shown, schemas)) {
      const keywords = schemas
        .validate(schema, parameterValue(spec.schemas, schema, text))
        .map(({ keyword }) => keyword);
      expect(keywords, text).toContain(constraint);
    }
  });

  test("each edge is valid", () => {
    for (const { text } of parameterEdges(shown, schemas))
      expect(schemas.validate(schema, parameterValue(spec.schemas, schema, text)), text).toEqual([]);
  });
});

test("a page size is tried on both sides of both ends, as a fraction, and as no number", () => {
  const limit = operation("GET /webhooks").list?.limit;
  if (!limit) throw new Error("no limit");
  expect(
    parameterViolations(limit, schemas)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(["-1", "0", "1.5", "50000", "51", "99999999999999999999", "abc"].sort());
  expect(parameterEdges(limit, schemas).map(({ text }) => text)).toEqual(["1", "50"]);
});

test("every kind of rule is broken by some text", () => {
  expect(texts({ type: "integer" })).toEqual(["type abc", "type 1.5"]);
  expect(texts({ type: "number", minimum: 0 })).toEqual(["type abc", "minimum -0.5", "minimum -1"]);
  expect(texts({ type: "boolean" })).toEqual(["type maybe"]);
  expect(texts({ type: "string", enum: ["one", "two"] })).toEqual([
    "enum unheard-of",
    "enum onex",
    "enum ONE",
  ]);
  expect(texts({ type: "string", enum: ["one_two"] })).toContain("enum oneTwo");
  expect(texts({ type: ["string", "null"], maxLength: 3 })).toEqual(["maxLength AAAA"]);
  expect(texts({ type: "string", minLength: 2 })).toEqual(["minLength A"]);
  // A service may treat an empty parameter as missing.
  expect(texts({ type: "string", minLength: 1 })).toEqual([]);
  expect(texts({ type: "string", pattern: "^a[0-9]$" })).toEqual([
    "pattern !",
    "pattern other text",
    expect.stringMatching(/^pattern (?:ax|x\d)$/),
    expect.stringMatching(/^pattern xa\d$/),
    expect.stringMatching(/^pattern a\dx$/),
  ]);
  expect(texts({ type: "string", format: "currency-code" }).length).toBeGreaterThan(2);
  expect(texts({ type: "string" })).toEqual([]);
});

test("a text that does not break the rule is left out", () => {
  expect(texts({ type: "integer", minimum: -5 })).toEqual(["type abc", "type 1.5", "minimum -6"]);
  expect(texts({ type: "string", pattern: "." })).toEqual([]);
});

test("a text that is valid in another reading is no fault", () => {
  expect(texts({ type: ["integer", "string"], maximum: 9 })).toEqual([]);
  expect(texts({ type: ["boolean", "string"] })).toEqual([]);
  expect(parameterFaults(schemas, { type: ["integer", "string"] }, "1.5")).toEqual([]);
});

test("a list or an object has no fault, because its text depends on its style", () => {
  const list: Schema = { type: "array", items: { type: "string" }, minItems: 2 };
  for (const text of ["a", "a,b", "a|b"]) expect(parameterFaults(schemas, list, text)).toEqual([]);
  expect(parameterFaults(schemas, { anyOf: [list, { type: "integer" }] }, "a")).toEqual([]);
});

describe("the text of a parameter is valid", () => {
  test.each<[Schema, string]>([
    [{ type: "array", items: { type: "integer", minimum: 3 } }, "4"],
    [{ type: "string", format: "date-time", maxLength: 20 }, expect.stringMatching(/Z$/)],
    [{ type: "boolean", default: true }, "true"],
    [{ type: "integer", default: 5 }, "5"],
  ])("%j: %s", (schema, text) => {
    expect(parameterText(schema, exampleSource("nothing"))).toEqual(text);
  });

  test.each<Schema>([
    { type: "array", items: { type: "string" }, minItems: 2 },
    { type: "object", properties: { key: { type: "string" } } },
    { type: "string", format: "email", maxLength: 10 },
  ])("or there is none: %j", (schema) => {
    expect(parameterText(schema, exampleSource("nothing"))).toBeUndefined();
  });
});

test("text is read as a service reads a query", () => {
  expect(parameterValue(spec.schemas, { type: "integer" }, "12")).toBe(12);
  expect(parameterValue(spec.schemas, { type: "integer" }, "1e1")).toBe(10);
  expect(parameterValue(spec.schemas, { type: "integer" }, "twelve")).toBe("twelve");
  expect(parameterValue(spec.schemas, { type: "boolean" }, "true")).toBe(true);
  expect(parameterValue(spec.schemas, { type: "string" }, "12")).toBe("12");
});
