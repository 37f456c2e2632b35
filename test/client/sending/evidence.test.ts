import { describe, expect, test } from "vitest";
import { parseJson } from "../../../client/sending/evidence.ts";

const parsed = (text: string) => parseJson(Buffer.from(text));

describe("a body is JSON", () => {
  test("of any kind of value", () => {
    expect(parsed('{"a":["\\"[[[["]}')).toEqual({ a: ['"[[[['] });
    expect(parsed("\ufeff1")).toBe(1);
  });

  test("as deep as anything documented may go", () => {
    expect(parsed(`${"[".repeat(500)}${"]".repeat(500)}`)).toBeInstanceOf(Array);
    expect(parsed(JSON.stringify("[".repeat(10_000)))).toBe("[".repeat(10_000));
  });
});

describe("a body is none", () => {
  test.each(["", "{", "undefined", "NaN", `${"[".repeat(501)}${"]".repeat(501)}`, '{"a":'.repeat(1_000_000)])(
    "%#",
    (text) => {
      expect(parsed(text)).toBeUndefined();
    },
  );

  test("when it is not UTF-8", () => {
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined();
  });
});
