/**
 * Generators also handle keywords that the package's own edition does not use. Their valid values keep all rules,
 * and each of their faulty bodies breaks one rule.
 */

import { describe, expect, test } from "vitest";
import { bodyEdges } from "../../generators/body-edges.ts";
import { bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { parameterEdges, parameterViolations } from "../../generators/parameters.ts";
import { textOfLength } from "../../generators/texts-of-length.ts";
import { headerText, validObject, validValue } from "../../generators/values.ts";
import { literalPrefix } from "../../generators/wrong-spaces.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { SchemaIndex } from "../../spec/schema-index.ts";
import { spec } from "../spec/package-spec.ts";
import { exampleSource } from "./value-source.ts";

const { schemas } = spec;

/** The schema of a body with one required field. */
const bodyOf = (field: Schema): Schema => ({ type: "object", required: ["field"], properties: { field } });

const soft: Schema = { type: "object", required: ["kind"], properties: { kind: { const: "soft" } } };
const hard: Schema = {
  type: "object",
  required: ["kind", "boards"],
  properties: { kind: { const: "hard" }, boards: { type: "integer", minimum: 1 } },
};

describe("each rule is kept by valid bodies, and broken by a faulty body of its own", () => {
  const rules: [field: Schema, broken: string[]][] = [
    [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, ["exclusiveMinimum", "exclusiveMaximum"]],
    [{ type: "integer", minimum: 1, maximum: 99, multipleOf: 5 }, ["minimum", "maximum", "multipleOf"]],
    [{ type: "number", minimum: 0.05, multipleOf: 0.05 }, ["minimum", "multipleOf"]],
    [
      { type: "array", uniqueItems: true, maxItems: 3, items: { type: "string" } },
      ["uniqueItems", "maxItems"],
    ],
    [{ oneOf: [hard, soft] }, ["oneOf"]],
    [{ anyOf: [{ type: "string", format: "email" }, { type: "null" }] }, ["anyOf"]],
    [{ type: "string", pattern: "^(?!0)[0-9]+$" }, ["pattern"]],
    [{ type: "string", pattern: "^\\p{Lu}\\p{Ll}+$" }, ["pattern"]],
    [{ type: "string", format: "ipv4" }, ["format"]],
  ];

  test.each(rules)("%j: %j", (field, broken) => {
    const body = bodyOf(field);
    const source = exampleSource();
    for (let variation = 0; variation < 24; variation++) {
      const value = validObject(body, source, "full", variation);
      expect(schemas.validate(body, value), JSON.stringify(value)).toEqual([]);
    }
    const valid = validObject(body, source, "full");
    const confirmed = bodyViolations(body, source).filter((probe) => isConfirmed(probe, valid, body, source));
    const found = new Set(confirmed.map(({ constraint }) => constraint));
    for (const rule of broken) expect([...found]).toContain(rule);
  });

  test.each(rules)("edge values of %j are valid", (field) => {
    const body = bodyOf(field);
    for (const { value } of bodyEdges(body, exampleSource()))
      expect(schemas.validate(body, { field: value })).toEqual([]);
  });
});

test("values that fit no branch include an object without the field that marks it, and values of other types", () => {
  const source = exampleSource();
  const body = bodyOf({ oneOf: [hard, soft] });
  const valid = validObject(body, source, "full");
  const broken = bodyViolations(body, source)
    .filter((probe) => probe.constraint === "oneOf" && isConfirmed(probe, valid, body, source))
    .map(({ breaking }) => breaking(valid).field);
  expect(broken).toEqual([
    { conformanceUnknown: "value" },
    { boards: 2 },
    { boards: 2, kind: "another value" },
    {},
    "text",
    [],
  ]);
});

test("a body breaks alternatives by leaving out what they require", () => {
  const source = exampleSource();
  const text: Schema = { type: "string" };
  const body: Schema = {
    type: "object",
    required: ["name"],
    properties: { name: text, mail: text, phone: text },
    anyOf: [{ required: ["mail"] }, { required: ["phone"] }],
  };
  const valid = validObject(body, source, "full");
  const broken = bodyViolations(body, source).filter(({ constraint }) => constraint === "anyOf");
  expect(broken.map((fault) => [fault.pointer, fault.breaking(valid)])).toEqual([["", { name: valid.name }]]);
  expect(broken.every((fault) => isConfirmed(fault, valid, body, source))).toBe(true);
});

test("a text whose values come from a list has an edge only if the list shows such a value", () => {
  const slug: Schema = {
    type: "string",
    maxLength: 5,
    "x-values-from": { fixture: "slug", list: "listSlugs" },
  };
  const edges = (...known: string[]) =>
    bodyEdges(bodyOf(slug), { ...exampleSource(), known: () => known }).map(({ value }) => value);
  expect(edges("pear", "apple")).toEqual(["apple"]);
  expect(edges("pear")).toEqual([]);
});

describe("a list whose elements have schemas of their own", () => {
  const source = exampleSource();
  const spot: Schema = {
    type: ["array", "null"],
    minItems: 2,
    maxItems: 3,
    prefixItems: [
      { type: "number", minimum: -90, maximum: 90 },
      { type: "integer", minimum: 0 },
    ],
    items: { type: "string", maxLength: 4 },
  };
  const confirmed = (field: Schema) => {
    const body = bodyOf(field);
    const valid = validObject(body, source, "full");
    return bodyViolations(body, source)
      .filter((fault) => isConfirmed(fault, valid, body, source))
      .map((fault) => [`${fault.pointer} ${fault.constraint}`, fault.breaking(valid).field] as const);
  };

  test("has faults of each element and of its length", () => {
    const found = confirmed(spot);
    expect(found.map(([rule]) => rule)).toEqual(
      expect.arrayContaining([
        "/field minItems",
        "/field maxItems",
        "/field/0 minimum",
        "/field/0 maximum",
        "/field/0 type",
        "/field/1 minimum",
        "/field/1 type",
        "/field/2 maxLength",
      ]),
    );
    const least = found.filter(([rule]) => rule === "/field/1 minimum").map(([, value]) => value);
    expect(least).toEqual([[expect.any(Number), -1]]);
  });

  test("is not sent with more elements if no more are allowed", () => {
    const items = false as unknown as Schema;
    const closed = { ...spot, maxItems: 9, items };
    expect(confirmed(closed).map(([rule]) => rule)).not.toContain("/field maxItems");
    expect(validObject(bodyOf(closed), source, "full").field).toHaveLength(2);
  });

  test("has the limits of each element as edge values", () => {
    const edges = bodyEdges(bodyOf(spot), source).map(({ what, value }) => [what, value] as const);
    for (const [, value] of edges) expect(schemas.validate(spot, value)).toEqual([]);
    expect(new Map(edges).get("90 of element 1")).toEqual([90, expect.any(Number)]);
    expect(edges.map(([what]) => what)).toEqual(
      expect.arrayContaining([
        "2 elements",
        "3 elements",
        "-90 of element 1",
        "a fraction of element 1",
        "0 of element 2",
        "4 characters of an element",
      ]),
    );
  });

  test("gives its elements' schemas at their places", () => {
    expect(schemas.at(bodyOf(spot), "/field/1")).toEqual({ type: "integer", minimum: 0 });
    expect(schemas.at(bodyOf(spot), "/field/2")).toEqual({ type: "string", maxLength: 4 });
  });
});

describe("a map whose names match patterns", () => {
  const source = exampleSource();
  const perks: Schema = {
    type: "object",
    maxProperties: 3,
    patternProperties: {
      "^p_[a-z]{1,6}$": { type: "boolean" },
      "^n_[a-z]{1,6}$": { type: "integer", minimum: 0, maximum: 50 },
    },
    additionalProperties: false,
  };

  test("has members of each pattern", () => {
    for (let variation = 0; variation < 6; variation++) {
      const value = validValue(perks, source, variation);
      expect(schemas.validate(perks, value)).toEqual([]);
      expect(Object.keys(value as object).map((name) => name.slice(0, 2))).toEqual(["p_", "n_"]);
    }
    const open = validValue({ ...perks, additionalProperties: { type: "string" } }, source, 1) as object;
    expect(Object.keys(open).length).toBe(2);
  });

  test("has faults of the values under each pattern, and of its size", () => {
    const body = bodyOf(perks);
    const valid = validObject(body, source, "full");
    const faults = bodyViolations(body, source).filter((fault) => isConfirmed(fault, valid, body, source));
    const rules = new Set(
      faults.map(({ pointer, constraint }) => `${pointer.replace(/(_)[a-z]+$/, "$1")} ${constraint}`),
    );
    for (const rule of ["/p_ type", "/n_ type", "/n_ minimum", "/n_ maximum", " maxProperties"])
      expect([...rules]).toContain(`/field${rule}`);
  });

  test("has the limits of each value as edge values", () => {
    const edges = bodyEdges(bodyOf(perks), source);
    for (const { value, isIn } of edges) {
      expect(schemas.validate(perks, value)).toEqual([]);
      expect(isIn(value)).toBe(true);
    }
    const what = edges.map((edge) => edge.what.replace(/(_)[a-z]+$/, "$1"));
    for (const edge of ["3 properties", "0 of a value of n_", "50 of a value of n_", "true of a value of p_"])
      expect(what).toContain(edge);
  });
});

test("a body that contains itself is finite", () => {
  const node: Schema = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
  node.properties = { ...node.properties, parent: node, parts: { type: "array", items: node } };
  const source = exampleSource();
  expect(Object.keys(validObject(node, source, "full"))).toEqual(["name"]);
  expect(bodyViolations(node, source).every(({ pointer }) => pointer === "/name")).toBe(true);
  expect(bodyEdges(node, source)).toEqual([]);
});

test("a body whose branches contain the body is finite", () => {
  const leaf: Schema = {
    type: "object",
    required: ["value"],
    properties: { value: { type: "string", maxLength: 9 } },
  };
  const parts: Schema = { type: "array", items: { $ref: "#/components/schemas/Node" } };
  const branch: Schema = { type: "object", required: ["parts"], properties: { parts } };
  const document = { components: { schemas: { Node: { oneOf: [leaf, branch] } } } };
  const body: Schema = { type: "object", properties: { node: { $ref: "#/components/schemas/Node" } } };
  const source = { ...exampleSource(), schemas: new SchemaIndex(document, ["/components/schemas/Node"]) };
  for (let variation = 0; variation < 6; variation++)
    expect(validObject(body, source, "full", variation).node).toBeDefined();
  expect(bodyViolations(body, source).map(({ pointer, constraint }) => `${pointer} ${constraint}`)).toEqual(
    expect.arrayContaining(["/node oneOf", "/node/value maxLength"]),
  );
  expect(bodyEdges(body, source).map(({ what }) => what)).toContain("9 characters of form 1/value");
});

test("each variation of a choice has its own variation of a choice in it", () => {
  const text = (name: string): Schema => ({ type: "object", required: [name], properties: { [name]: {} } });
  const inner: Schema = { oneOf: [text("a"), text("b")] };
  const index = new SchemaIndex({}, []);
  const required = [0, 1].map((choice) => index.chosen({ oneOf: [inner] }, choice).required);
  const outer: Schema = { oneOf: [inner] };
  expect(required).toEqual([["a"], ["b"]]);
  expect([0, 1].map((choice) => index.chosen(outer, choice).required)).toEqual(required);
});

test("unique values are new each time, whatever their form", () => {
  const source = exampleSource();
  for (const field of [
    { type: "string", pattern: "^97[89][0-9]{10}$" },
    { type: "string", format: "uuid" },
    { type: "string", format: "email" },
    { type: "string", format: "time" },
    { type: "integer", minimum: 1 },
  ]) {
    const made = Array.from({ length: 60 }, () =>
      validValue({ ...field, "x-unique": { scope: "space" } }, source),
    );
    expect(new Set(made).size).toBe(made.length);
    for (const value of made) expect(schemas.validate(field, value)).toEqual([]);
  }
});

test("names that only the service knows are not made up", () => {
  const from = { "x-values-from": { fixture: "member" } };
  expect(validValue({ type: "string", ...from }, exampleSource())).toBeUndefined();
  expect(validValue({ type: ["string", "null"], ...from }, exampleSource())).toBeNull();
  expect(validValue({ type: "string", format: "currency-code", ...from }, exampleSource())).toBe("USD");
});

test("the parts of an e-mail address keep their limits, however long the address is", () => {
  for (const length of [13, 40, 72, 73, 80, 123, 200]) {
    const address = textOfLength({ type: "string", format: "email" }, length, exampleSource()) ?? "";
    expect(address).toHaveLength(length);
    const [name = "", domain = ""] = address.split("@");
    expect(name.length).toBeLessThanOrEqual(64);
    for (const label of domain.split(".")) expect(label.length).toBeLessThanOrEqual(63);
    expect(schemas.validate({ format: "email" }, address)).toEqual([]);
  }
});

test("texts for a header keep its rules, and differ if their marks differ", () => {
  for (const schema of [
    { type: "string", format: "uuid" },
    { type: "string", maxLength: 10 },
    { type: "string", pattern: "^[0-9]{12}$" },
    { type: "string", minLength: 30 },
  ]) {
    const made = Array.from({ length: 20 }, (_, n) => headerText(schema, `pc-1a2b3c4d-${1000 + n}`));
    for (const text of made) expect(schemas.validate(schema, text)).toEqual([]);
    expect(new Set(made).size).toBe(made.length);
  }
});

test("texts of parameters: multiples, and exclusive limits", () => {
  const parameter = {
    name: "n",
    in: "query" as const,
    required: false,
    role: "other" as const,
    requirements: {},
    schema: { type: "integer", minimum: 1, exclusiveMaximum: 100, multipleOf: 5 },
  };
  expect(parameterEdges(parameter, schemas)).toEqual([]);
  const broken = parameterViolations(parameter, schemas).map(({ constraint }) => constraint);
  expect(broken).toEqual(expect.arrayContaining(["minimum", "exclusiveMaximum", "multipleOf", "type"]));
});

test("a page size with an enum has faulty values outside of it", () => {
  const texts = (schema: Schema) => {
    const parameter = {
      name: "size",
      in: "query",
      required: false,
      role: "page-size",
      requirements: {},
      schema,
    } as const;
    return parameterViolations(parameter, schemas).map(({ constraint, text }) => `${constraint} ${text}`);
  };
  expect(texts({ type: "integer", enum: [2, 5, 10] })).toEqual(
    expect.arrayContaining(["enum 3", "enum 6", "type abc"]),
  );
  expect(texts({ enum: [1, 2, "max"] })).not.toContain("enum 2");
});

test("an enumerated value is replaced by others of its format, and breaks no rule that these keep", () => {
  const body = bodyOf({ type: "string", format: "currency-code", enum: ["EUR", "CHF"] });
  const source = exampleSource();
  const valid = validObject(body, source, "full");
  const probes = bodyViolations(body, source).filter((probe) => isConfirmed(probe, valid, body, source));
  expect(probes.map(({ constraint }) => constraint)).not.toContain("format");
  const sent = probes
    .filter(({ constraint }) => constraint === "enum")
    .map((probe) => probe.breaking(valid).field);
  expect(sent).toEqual(["USD", "unheard-of"]);
});

test("a faulty value for a unique field is unique, too", () => {
  const source = exampleSource();
  for (const field of [
    { type: "string", pattern: "^[A-Z]{17}$" },
    { type: "string", format: "uuid" },
  ]) {
    const body = bodyOf({ ...field, "x-unique": { scope: "space" } });
    const broken = () =>
      bodyViolations(body, source).flatMap((probe) => {
        const valid = validObject(body, source, "full");
        const isOfText = ["pattern", "format"].includes(probe.constraint);
        return isOfText && isConfirmed(probe, valid, body, source) ? [probe.breaking(valid).field] : [];
      });
    const made = [...broken(), ...broken()];
    expect(made.length).toBeGreaterThan(1);
    expect(new Set(made).size).toBe(made.length);
  }
});

test("a text that is cut is shorter than its limit, which has its own test", () => {
  const body = bodyOf({ type: "string", maxLength: 10 });
  expect(String(validObject(body, exampleSource(), "full").field)).toHaveLength(9);
});

test("the literal beginning of a pattern is known", () => {
  expect(literalPrefix("^spc-.*$")).toBe("spc-");
  expect(literalPrefix("^br_[a-z]{3}$")).toBe("br_");
  expect(literalPrefix("^ab?c")).toBe("a");
  expect(literalPrefix("^(a|b)-")).toBe("");
  expect(literalPrefix("[a-z]+")).toBe("");
  expect(literalPrefix()).toBe("");
});

test("edge values include null, both switches and each listed value of nested fields", () => {
  const nested: Schema = {
    type: "object",
    properties: {
      kind: { enum: ["a", "b"] },
      isOn: { type: "boolean" },
      note: { type: ["string", "null"] },
    },
  };
  const edges = (schema: Schema) =>
    bodyEdges({ type: "object", properties: { field: schema } }, exampleSource()).map(
      ({ pointer, what }) => `${pointer} ${what}`,
    );
  const all = ["/field/kind a", "/field/kind b", "/field/isOn true", "/field/isOn false", "/field/note null"];
  expect(edges(nested)).toEqual(expect.arrayContaining(all));
  expect(edges({ type: ["boolean", "null"] })).toEqual([]);
});

test("numbers without a step have a fraction, and stay within their limits", () => {
  const values = (schema: Schema) => [0, 1, 2].map((n) => validValue(schema, exampleSource(), n));
  expect(values({ type: "number", minimum: 1 })).toEqual([2, 3.3725, 4]);
  expect(values({ type: "number", minimum: 0, maximum: 1 })).toEqual([0.3725, 0.5, 0.83]);
  expect(values({ type: "integer", minimum: 1 })).toEqual([2, 3, 4]);
  // The least number comes last, since a service may reset to it.
  expect(values({ type: "integer", minimum: 0, maximum: 2 })).toEqual([1, 2, 0]);
  expect(values({ type: "number", minimum: 0, maximum: 9, multipleOf: 0.01 })).toEqual([0.01, 0.02, 0.03]);
});

test("numbers beyond a limit are the limit itself if it is excluded, and fractions if those are allowed", () => {
  const source = exampleSource();
  const beyond = (field: Schema) => {
    const body = bodyOf(field);
    const valid = validObject(body, source, "full");
    return bodyViolations(body, source)
      .filter((fault) => /m(?:in|ax)imum$/i.test(fault.constraint) && isConfirmed(fault, valid, body, source))
      .map((fault) => fault.breaking(valid).field);
  };
  expect(beyond({ type: "number", minimum: 1.5, maximum: 5000 })).toEqual([1, 5000.5, 5001]);
  expect(beyond({ type: "number", minimum: 1, maximum: 5000 })).toEqual([0.5, 0, 5000.5, 5001]);
  expect(beyond({ type: "integer", minimum: 1, maximum: 5000 })).toEqual([0, 5001]);
  expect(beyond({ type: "number", minimum: 0, maximum: 1, multipleOf: 0.05 })).toEqual([-0.05, 1.05]);
  expect(beyond({ type: "number", exclusiveMinimum: 1.5, exclusiveMaximum: 6.25 })).toEqual([1.5, 6.25]);
  expect(beyond({ type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 6 })).toEqual([1, 6]);
});

test("a limit beyond 2^53 is no edge value, because no double may hold it", () => {
  const field: Schema = { type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63 };
  expect(bodyEdges(bodyOf(field), exampleSource())).toEqual([]);
  expect(
    parameterEdges(
      { name: "p", in: "query", required: false, schema: field, role: "other", requirements: {} },
      schemas,
    ),
  ).toEqual([]);
});

test("large whole numbers keep all their digits", () => {
  const field: Schema = { type: "integer", minimum: 1_577_836_800_001 };
  const made = [0, 1, 2].map((variation) => validValue(field, exampleSource(), variation));
  expect(made).toEqual([1_577_836_800_002, 1_577_836_800_003, 1_577_836_800_004]);
});

test("a sum of fractions is sent without the error of doubles", () => {
  const field: Schema = { type: "number", exclusiveMinimum: 0.2, exclusiveMaximum: 0.6, multipleOf: 0.1 };
  const values = bodyEdges(bodyOf(field), exampleSource()).map(({ value }) => value);
  expect(values).toEqual([0.3, 0.5]);
});

test("a mail address is no longer than mail can have it", () => {
  const lengths = (maxLength: number) =>
    bodyEdges(bodyOf({ type: "string", format: "email", maxLength }), exampleSource()).map(
      ({ what }) => what,
    );
  expect(lengths(254)).toEqual(["254 characters"]);
  expect(lengths(320)).toEqual([]);
});

test("a text that encodes something is base64, or unknown", () => {
  const field: Schema = { type: "string", contentEncoding: "base64", maxLength: 300 };
  const text = validValue(field, exampleSource(), 1);
  expect(Buffer.from(String(text), "base64").toString("base64")).toBe(text);
  expect(bodyEdges(bodyOf(field), exampleSource())).toEqual([]);
  expect(validValue({ type: "string", contentEncoding: "base32" }, exampleSource())).toBeUndefined();
  const json: Schema = { type: "string", contentMediaType: "application/json" };
  expect(validValue(json, exampleSource())).toBeUndefined();
  const markdown: Schema = { type: "string", contentMediaType: "text/markdown" };
  expect(validValue(markdown, exampleSource())).toBeTypeOf("string");
});
