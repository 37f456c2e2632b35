/**
 * A variant keeps the profile that a run on it suggests. `npm run promises` tests this for forty variants.
 */

import { expect, test } from "vitest";
import { CHOSEN_VARIANTS, KEEPING_SEEDS, keptBy } from "./kept.ts";

test("at least forty variants are available", () => {
  expect(CHOSEN_VARIANTS).toHaveLength(40);
});

test("a variant keeps the profile that a run against it suggests, also with another seed", async () => {
  const variant = CHOSEN_VARIANTS.find(({ name }) => name === "very-large-amounts");
  if (variant === undefined) throw new Error("the variant is not among the chosen ones");
  const { broken, untested, promises } = await keptBy(variant, KEEPING_SEEDS.slice(0, 1));
  expect(broken).toEqual([]);
  expect(untested).toEqual([]);
  expect(promises).toBeGreaterThan(20);
});
