import { expect, test } from "vitest";
import { drawnFrom, seedsBeside } from "../../client/version-choice.ts";

test.each([2, 3, 5, 6])("six seeds of one block draw each of %i choices", (count) => {
  const choices = Array.from({ length: count }, (_, index) => index);
  for (const seed of [0, 7, 83]) {
    const drawn = [seed, ...seedsBeside(seed)].flatMap((each) => drawnFrom(each, "what is drawn", choices));
    expect([...new Set(drawn)].sort()).toEqual(choices);
  }
});

test("other words draw independently", () => {
  const differs = Array.from({ length: 60 }, (_, seed) => seed).filter(
    (seed) => drawnFrom(seed, "one", [1, 2])[0] !== drawnFrom(seed, "other", [1, 2])[0],
  );
  expect(differs.length).toBeGreaterThan(0);
  expect(differs.length).toBeLessThan(60);
});

test("a seed has five others in its block", () => {
  expect([...seedsBeside(8), 8].sort((one, other) => one - other)).toEqual([6, 7, 8, 9, 10, 11]);
});
