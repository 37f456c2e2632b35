import { expect, test } from "vitest";
import { sampledFrom, seedsBeside } from "../../client/version-choice.ts";

test.each([2, 3, 5, 6])("the six seeds of a block together sample each of %i choices", (count) => {
  const choices = Array.from({ length: count }, (_, index) => index);
  for (const seed of [0, 7, 83]) {
    const sampled = [seed, ...seedsBeside(seed)].flatMap((each) =>
      sampledFrom(each, "what is sampled", choices),
    );
    expect([...new Set(sampled)].sort()).toEqual(choices);
  }
});

test("different purposes sample independently of each other", () => {
  const differs = Array.from({ length: 60 }, (_, seed) => seed).filter(
    (seed) => sampledFrom(seed, "one", [1, 2])[0] !== sampledFrom(seed, "other", [1, 2])[0],
  );
  expect(differs.length).toBeGreaterThan(0);
  expect(differs.length).toBeLessThan(60);
});

test("a seed has five others in its block", () => {
  expect([...seedsBeside(8), 8].sort((one, other) => one - other)).toEqual([6, 7, 8, 9, 10, 11]);
});
