/**
 * Runs the suite on the harbour office with a sample of the faults and habits. `npm run family -- --of harbour`
 * tries all of them.
 */

import { expect, test } from "vitest";
import { commitShare } from "../commit-seed.ts";
import { FAMILIES } from "./families.ts";
import type { Fault } from "./faults.ts";
import * as at from "./harbour-bodies.ts";
import { meet } from "./meet.ts";

const { faults, habits } = FAMILIES.harbour;

test("names of faults and habits differ", () => {
  const names = [...faults, ...habits].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/** Each commit finds one in three. */
const found = [
  `lax ${at.LAND_CRATE} temperatures propertyNames`,
  `lax ${at.HIRE_MATE} papers/*.licence/limits maxItems`,
  "an insurance is shown as it was before",
  "insurances of other ports are shown",
  "a grade of null is one",
  "a correction arms the ship",
  "a page of crates repeats one",
  "a flag is compared by its first letter",
  "crates are adjusted under 1.9",
];

test.each(commitShare(found, 3))("a narrow run finds that %s", { timeout: 120_000 }, async (name) => {
  const { own } = await meet("harbour", named(name), {}, "narrow");
  expect(own.length).toBeGreaterThan(0);
});

test.each([
  ["a sound office", "CREATE-LISTED CURSOR-ONCE READ-STABLE", [at.LAND_CRATE, at.LIST_CRATES, at.LIST_TIDES]],
  [
    "insuring merges riders",
    "UPDATE-STORED UPDATE-KEEPS ISOLATION-READS",
    [at.INSURE_SHIP, at.SHOW_INSURANCE],
  ],
  ["a retired ship is frozen", "UPDATE-IDENTITY CREATE-ECHO", [at.RETIRE_SHIP]],
])("a narrow run blames nothing in %s", { timeout: 120_000 }, async (name, breaks, places) => {
  const habit: Fault = { name, breaks: breaks.split(" "), at: places };
  const { report, found, unsteady } = await meet("harbour", habit, {}, "narrow");
  expect([...found, ...unsteady].map(({ id }) => id)).toEqual([]);
  expect(report.verdict).not.toBe("nonconformant");
});

function named(name: string): Fault | undefined {
  return faults.find((fault) => fault.name === name);
}
