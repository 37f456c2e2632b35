import { describe, expect, test } from "vitest";
import { parseJson } from "../../../client/sending/evidence.ts";

const parsed = (text: string) => parseJson(Buffer.from(text));

describe("a body counts as JSON", () => {
  test("with any kind of value", () => {
    expect(parsed('{"a":["\\"[[[["]}')).toEqual({ a: ['"[[[['] });
    expect(parsed("\ufeff1")).toBe(1);
  });

  test("with brackets in a text", () => {
    expect(parsed(JSON.stringify("[".repeat(10_000)))).toBe("[".repeat(10_000));
  });
});

describe("a body does not count as JSON", () => {
  test.each(["", "{", "undefined", "NaN"])("if it is the text %j", (text) => {
    expect(parsed(text)).toBeUndefined();
  });

  test("if it is not UTF-8", () => {
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined();
  });
});
