/** Variants keep the profiles that runs on them suggest. `npm run promises` tests forty, with all checks. */

import { expect, test } from "vitest";
import { variants } from "../../reference/index.ts";
import { commitShare, isTurn } from "../commit-seed.ts";
import { CHOSEN_VARIANTS, isConcerned, KEEPING_SEEDS, keptBy } from "./kept.ts";

test("at least forty variants are available", () => {
  expect(CHOSEN_VARIANTS).toHaveLength(40);
});

// Other commits run profile.test.ts instead.
test.runIf(isTurn(1, 3)).each(commitShare(["problem-details", "refused-without-a-word"], 2))(
  "%s keeps the profile that a run against it suggests, also with another seed",
  async (name) => {
    const variant = variants.find((each) => each.name === name);
    if (variant === undefined) throw new Error(`there is no variant ${name}`);
    const { broken, untested, promises } = await keptBy(variant, KEEPING_SEEDS.slice(0, 1), isConcerned);
    expect(broken).toEqual([]);
    expect(untested).toEqual([]);
    expect(promises).toBeGreaterThan(20);
  },
);
