import { expect, test } from "vitest";
import { duration } from "../../../command/options/durations.ts";

const kind = duration(3_600_000);

test.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["1.5m", 90_000],
  ["1h", 3_600_000],
  ["0s", 0],
])("%s is %i milliseconds, in a flag and in the file", (text, milliseconds) => {
  expect(kind.fromText([text])).toBe(milliseconds);
  expect(kind.fromFile(text)).toBe(milliseconds);
});

test.each(["", "30", "s", "-1s", "1 m", "2d", "1e3s", "61m"])("%j is refused", (text) => {
  expect(() => kind.fromText([text])).toThrow(/must be/);
});
