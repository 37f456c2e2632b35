/** Tests a family by runs of the checks that a fault or habit concerns. `npm run family` tries all of them. */

import { expect, test } from "vitest";
import { commitShare } from "../commit-seed.ts";
import { FAMILIES, type Family, type FamilyName } from "./families.ts";
import type { Fault } from "./faults.ts";
import { meet } from "./meet.ts";

const timeout = 120_000;

/** Declares a test for each named fault. Each commit runs one in `share` of them. */
export function testFaults(of: FamilyName, names: readonly string[], share: number): void {
  const { faults, habits }: Family = FAMILIES[of];

  test("names of faults and habits differ", () => {
    const all = [...faults, ...habits].map(({ name }) => name);
    expect(new Set(all).size).toBe(all.length);
  });

  test.each(commitShare(names, share))("a narrow run finds the fault: %s", { timeout }, async (name) => {
    const fault = faults.find((each) => each.name === name);
    expect(fault).toBeDefined();
    const { own } = await meet(of, fault, {}, "narrow");
    expect(own.length).toBeGreaterThan(0);
  });
}

/** A habit, and the requirements (separated by spaces) and operations whose checks are run on it. */
export type TestedHabit = readonly [name: string, requirements: string, operations: readonly string[]];

/** Declares a test for each habit. Each commit runs a third of them. */
export function testHabits(of: FamilyName, habits: readonly TestedHabit[]): void {
  test.each(commitShare(habits, 3))(
    "a narrow run finds no violation with the habit: %s",
    { timeout },
    async (name, requirements, at) => {
      const habit: Fault = { name, breaks: requirements.split(" "), at };
      const { report, found, unsteady } = await meet(of, habit, {}, "narrow");
      expect([...found, ...unsteady].map(({ id }) => id)).toEqual([]);
      expect(report.verdict).not.toBe("nonconformant");
    },
  );
}
