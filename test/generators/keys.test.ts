import { describe, expect, test } from "vitest";
import { hasForm, keyFaults, keyLengths, keyVariations } from "../../generators/keys.ts";
import type { Parameter, Schema } from "../../spec/model/spec.ts";
import { spec } from "../spec/package-spec.ts";

const keyWith = (schema: Schema): Parameter => {
  const [key] = spec.operations.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  if (!key) throw new Error("no operation takes a key");
  return { ...key, schema: { type: "string", ...schema } };
};

describe("a key", () => {
  test.each<[schema: Schema, hasForm: boolean]>([
    [{ maxLength: 64 }, false],
    [{ pattern: "^[A-Za-z0-9-]+$", minLength: 8, maxLength: 40 }, false],
    [{ pattern: "^\\S*$" }, false],
    [{ pattern: "^[a-z0-9-]+$", maxLength: 40 }, true],
    [{ pattern: "^[A-Za-z0-9-]{8,40}$", maxLength: 40 }, false],
    [{ pattern: "^[A-Za-z0-9-]{36}$" }, true],
    [{ pattern: "^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$" }, false],
    [{ pattern: "^[A-Za-z0-9]{10,24}$" }, false],
    [{ pattern: "^k_" }, true],
    [{ format: "uuid" }, true],
  ])("with %j has a form: %s", (schema, expected) => {
    expect(hasForm(keyWith(schema))).toBe(expected);
    expect(keyVariations(keyWith(schema)).length === 1).toBe(expected);
  });

  test("of a wrong length is a fault if only its length is wrong", () => {
    const lengths = (schema: Schema) =>
      keyFaults(spec, keyWith(schema)).flatMap(({ value }) => (typeof value === "number" ? [value] : []));
    expect(lengths({ pattern: "^[A-Za-z0-9-]+$", minLength: 8, maxLength: 40 })).toEqual([41, 160, 7]);
    expect(lengths({ minLength: 1, maxLength: 64 })).toEqual([65, 256]);
    expect(lengths({ pattern: "^[A-Za-z0-9-]{8,40}$", maxLength: 40 })).toEqual([]);
    expect(lengths({ pattern: "^[a-z]+$", minLength: 8, maxLength: 40 })).toEqual([]);
  });

  test("differs in hyphens only where keys may have them", () => {
    const variations = (pattern: string) => keyVariations(keyWith({ pattern }));
    expect(variations("^[A-Za-z0-9-]{8,40}$")).toContain("hyphens");
    expect(variations("^[A-Za-z0-9]{8,40}$")).toEqual([
      "unlike",
      "last character",
      "first character",
      "casing",
      "any keys",
    ]);
  });

  test("has the lengths that its pattern allows", () => {
    expect(keyLengths(keyWith({ pattern: "^[A-Za-z0-9]{10,24}$" }))).toEqual([10, 24]);
    expect(keyLengths(keyWith({ pattern: "^[A-Za-z0-9-]{8,40}$" }))).toEqual([8, 40]);
    expect(keyLengths(keyWith({ pattern: "^[A-Za-z0-9-]{8,}$", maxLength: 500 }))).toEqual([8, 500]);
    expect(keyLengths(keyWith({ minLength: 5, maxLength: 30 }))).toEqual([5, 30]);
  });
});
