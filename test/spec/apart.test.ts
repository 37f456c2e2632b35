import { describe, expect, it } from "vitest";
import { describeApart } from "../../spec/apart.ts";

describe("two values that differ", () => {
  it("are described by the members that differ", () => {
    const described = describeApart({ a: 1, b: { c: 2, d: 3 } }, { a: 1, b: { c: 2, d: 4 } });
    expect(described).toEqual({ expected: 'object {"b":{"d":3}, …}', actual: 'object {"b":{"d":4}, …}' });
    expect(describeApart({ a: 1, b: 2 }, { a: 1 })).toEqual({
      expected: 'object {"b":2, …}',
      actual: "object {…}",
    });
  });

  it("are shown around the first difference if they are long", () => {
    const text = "x".repeat(300);
    const { expected, actual } = describeApart(`${text}A${text}`, `${text}B${text}`);
    expect(expected).toMatch(/^"…x{20}Ax+…"$/);
    expect(actual).toMatch(/^"…x{20}Bx+…"$/);
  });

  it.each([
    ["\u00e9", "e\u0301"],
    ["a b", "a\u00a0b"],
    ["ab", "a\u200bb"],
  ])("are escaped if they look the same (%j, %j)", (one, other) => {
    const { expected, actual } = describeApart(one, other);
    expect(expected).not.toBe(actual);
    expect(expected + actual).toMatch(/^[ -~]+$/);
    expect(JSON.parse(actual)).toBe(other);
  });

  it("are shown unchanged if the difference is visible", () => {
    expect(describeApart("Söhne", "Sohne")).toEqual({ expected: '"Söhne"', actual: '"Sohne"' });
    const absent = { expected: "5", actual: "absent", difference: "missing" };
    expect(describeApart(5, undefined)).toEqual(absent);
  });
});
