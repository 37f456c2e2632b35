/** Faults and limits that lie near to valid values: texts around patterns, names of maps, and contained elements. */

import { describe, expect, test } from "vitest";
import { bodyEdges } from "../../generators/body-edges.ts";
import { bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { validObject, validValue } from "../../generators/values.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { spec } from "../spec/package-spec.ts";
import { exampleSource } from "./value-source.ts";

const { schemas } = spec;

const bodyOf = (field: Schema): Schema => ({ type: "object", required: ["field"], properties: { field } });

/** The values of the field in faulty bodies that are confirmed, by pointer and constraint. */
function brokenValues(field: Schema): Record<string, unknown[]> {
  const source = exampleSource();
  const body = bodyOf(field);
  const valid = validObject(body, source, "full");
  const found: Record<string, unknown[]> = {};
  for (const fault of bodyViolations(body, source)) {
    if (!isConfirmed(fault, valid, body, source)) continue;
    const rule = `${fault.pointer.replace("/field", "")} ${fault.constraint}`;
    found[rule] = [...(found[rule] ?? []), fault.breaking(valid).field];
  }
  return found;
}

describe("a text that matches a pattern", () => {
  test("is also sent with more before and behind it if the pattern has an anchor there", () => {
    const around = (pattern: string) =>
      (brokenValues({ type: "string", pattern })[" pattern"] ?? []).map(String);
    const both = around("^[a-z]{3}$");
    expect(both).toContainEqual(expect.stringMatching(/^.[a-z]{3}$/));
    expect(both).toContainEqual(expect.stringMatching(/^[a-z]{3}.$/));
    expect(around("^[a-z]{3}").filter((text) => /^[a-z]{3}.+$/.test(text))).toEqual([]);
    expect(around("[a-z]{3}").filter((text) => /[a-z]{3}/.test(text))).toEqual([]);
  });

  test("is not too long with more before or behind it", () => {
    const limited = { type: "string", pattern: "^[a-z]{2,5}-[0-9]{3}$", maxLength: 9 };
    const texts = (brokenValues(limited)[" pattern"] ?? []).map(String);
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(9);
  });
});

describe("names of a map", () => {
  const wrongNames = (propertyNames: Schema) =>
    Object.keys(
      brokenValues({ type: "object", propertyNames, additionalProperties: { type: "integer" } }),
    ).flatMap((rule) => (rule.endsWith(" propertyNames") ? [rule.slice(1).split(" ")[0] ?? ""] : []));

  test("are wrong in several ways near to a right name", () => {
    expect(wrongNames({ enum: ["mo", "tu"] })).toEqual(["unheard-of", "MO", "m!", "mox"]);
    const [far, long, short, ...near] = wrongNames({ pattern: "^[a-z]+$", minLength: 2, maxLength: 4 });
    expect(far).toMatch(/^!+$/);
    expect(long).toMatch(/^[a-z]{5}$/);
    expect(short).toMatch(/^[a-z]$/);
    expect(near).toEqual([expect.stringMatching(/^[A-Z]+$/), expect.stringMatching(/^[a-z]![a-z]*$/)]);
  });

  test("are all sent, in several maps if one can't have them all", () => {
    const week: Schema = {
      type: "object",
      minProperties: 2,
      maxProperties: 3,
      propertyNames: { enum: ["mo", "tu", "we", "th", "fr", "sa", "su"] },
      additionalProperties: { type: "integer", minimum: 1 },
    };
    const edges = bodyEdges(bodyOf(week), exampleSource()).filter(({ what }) => what.startsWith("listed"));
    expect(edges.map(({ what, value }) => [what, Object.keys(value as object)])).toEqual([
      ["listed names from 1", ["mo", "tu", "we"]],
      ["listed names from 4", ["th", "fr", "sa"]],
      ["listed names from 7", ["fr", "sa", "su"]],
    ]);
    expect(edges.every(({ value, isIn }) => isIn(value))).toBe(true);
  });
});

describe("a list that must contain an element", () => {
  const list = (own: Schema): Schema => ({
    type: "array",
    maxItems: 4,
    items: { type: "integer", minimum: 0, maximum: 9 },
    ...own,
  });

  test.each<Schema>([
    { contains: { const: 7 } },
    { contains: { minimum: 8 }, minContains: 2 },
    { contains: { const: 7 }, uniqueItems: true, minItems: 2 },
  ])("%j: has it in valid bodies, and lacks it in a faulty one", (own) => {
    const source = exampleSource();
    for (let variation = 0; variation < 6; variation++) {
      const value = validValue(list(own), source, variation);
      expect(schemas.validate(list(own), value), JSON.stringify(value)).toEqual([]);
    }
    const broken = brokenValues(list(own));
    const rules = [" contains", " maxItems", " type", "/0 minimum", "/0 maximum"];
    for (const rule of rules) expect(Object.keys(broken)).toContain(rule);
    const [without = []] = (broken[" contains"] ?? []) as number[][];
    expect(without).not.toContain(7);
    for (const { value } of bodyEdges(bodyOf(list(own)), source))
      expect(schemas.validate(list(own), value)).toEqual([]);
  });
});

describe("a field that other fields ask for", () => {
  const fields: Schema = {
    type: "object",
    required: ["kind"],
    properties: {
      kind: { type: "string", enum: ["a", "b"] },
      number: { type: "integer" },
      note: { type: "string" },
    },
  };
  const condition = (only: string) =>
    JSON.parse(
      `{"if": {"properties": {"kind": {"const": "${only}"}}}, "then": {"required": ["number"]}}`,
    ) as Schema;

  test.each<[string, Schema, string]>([
    ["a condition", condition("a"), "/number required"],
    ["a condition on another value", condition("b"), "/number required"],
    ["a dependent schema", { dependentSchemas: { number: { required: ["note"] } } }, "/note required"],
  ])("is in valid objects, and missing in a faulty one: %s", (_, own, rule) => {
    const schema: Schema = { ...fields, ...own };
    const source = exampleSource();
    for (const extent of ["minimal", "full"] as const)
      for (let variation = 0; variation < 4; variation++)
        expect(schemas.validate(schema, validObject(schema, source, extent, variation))).toEqual([]);
    expect(Object.keys(brokenValues(schema))).toContain(rule);
  });
});
