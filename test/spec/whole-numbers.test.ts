import { expect, test } from "vitest";
import { parseJson as answerOf } from "../../client/sending/evidence.ts";
import { bodyOf } from "../../history/body.ts";
import { isInexact, parseJson } from "../../spec/whole-numbers.ts";

test("different numbers beyond 2^53 stay different, and equal ones equal", () => {
  const text = "[9007199254740993, 9007199254740992, 9007199254740993, -9007199254740993]";
  const [one, other, again, negative] = parseJson(text) as number[];
  expect(one).not.toBe(other);
  expect(again).toBe(one);
  expect(negative).toBe(-9007199254740992);
  for (const value of [one, other, negative]) expect(isInexact(value)).toBe(true);
  expect(bodyOf(text).json()).toEqual([one, other, again, negative]);
  expect(answerOf(Buffer.from(text))).toEqual([one, other, again, negative]);
});

test("a number at its maximum does not get above it", () => {
  const [one = 0, other = 0] = parseJson("[9223372036854775806, 9223372036854775807]") as number[];
  expect(one).not.toBe(other);
  expect(Math.max(one, other)).toBeLessThanOrEqual(2 ** 63);
});

test.each([
  '{"a": "9007199254740993", "b\\"9007199254740993": 1}',
  '[0.12345678901234567, 1234567890123456, 12345678901234567e3, 1e400, "\\\\", 10]',
  "1234567890123456",
])("%s is read as ever", (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each(["00009007199254740993", "9007199254740993 x", '"9007199254740993'])("%s is no JSON", (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
