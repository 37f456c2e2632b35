/** A variant, another each day, keeps the profile that a run against it suggests. `npm run promises` tries all forty. */

import { expect, test } from "vitest";
import { CHOSEN_VARIANTS, KEEPING_SEEDS, keptBy } from "./kept.ts";

const DAY = 24 * 60 * 60 * 1_000;

test("there are forty variants to choose from", () => {
  expect(CHOSEN_VARIANTS).toHaveLength(40);
});

test("a variant keeps the profile that a run against it suggests, with another seed", async () => {
  const today = Math.floor(Date.now() / DAY);
  const variant = CHOSEN_VARIANTS[today % CHOSEN_VARIANTS.length];
  if (variant === undefined) throw new Error("there is no variant");
  const seed = KEEPING_SEEDS[Math.floor(today / CHOSEN_VARIANTS.length) % KEEPING_SEEDS.length] ?? 2;
  const { broken, untested, promises } = await keptBy(variant, [seed]);
  expect({ variant: variant.name, broken, untested }).toEqual({
    variant: variant.name,
    broken: [],
    untested: [],
  });
  const isWhole = variant.name !== "token-runs-out";
  if (isWhole) expect(promises).toBeGreaterThan(20);
  else expect(promises).toBe(0);
});
