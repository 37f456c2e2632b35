/**
 * Runs the suite on the orchard book with a sample of the faults and habits. `npm run family -- --of orchard`
 * tries all of them.
 */

import { expect, test } from "vitest";
import { commitShare } from "../commit-seed.ts";
import { FAMILIES } from "./families.ts";
import type { Fault } from "./faults.ts";
import { meet } from "./meet.ts";
import * as at from "./orchard-bodies.ts";

const { faults, habits } = FAMILIES.orchard;

test("names of faults and habits differ", () => {
  const names = [...faults, ...habits].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/** Each commit finds one in three. */
const found = [
  `lax ${at.PLANT_GROVE} water.well/pumps/*/hours uniqueItems`,
  `lax ${at.ADD_ROW} blocks/*/notes propertyNames`,
  "rows before a row include it",
  "a plate is taken by tools of its kind alone",
  "only the last key of an estate is kept",
  "a change rounds the hectares",
  "a healed tree keeps its disease",
  "a tree is read by the beginning of its tag",
  "a change of a felled grove lets it grow",
];

test.each(commitShare(found, 3))("a narrow run finds that %s", { timeout: 120_000 }, async (name) => {
  const fault: Fault | undefined = faults.find((each) => each.name === name);
  expect(fault).toBeDefined();
  const { own } = await meet("orchard", fault, {}, "narrow");
  expect(own.length).toBeGreaterThan(0);
});

test.each([
  ["a sound book", "CREATE-LISTED CURSOR-ONCE READ-STABLE", [at.SET_TREE, at.LIST_TREES, at.LIST_FROSTS]],
  ["changed marks are merged", "UPDATE-STORED UPDATE-KEEPS", [at.TEND_TREE]],
  ["a felled grove is frozen", "UPDATE-IDENTITY CREATE-ECHO", [at.FELL_GROVE]],
  ["a locked tool is frozen", "UPDATE-ACCEPTED UPDATE-KEEPS-REST", [at.REPLACE_TOOL, at.LOCK_TOOL]],
])("a narrow run blames nothing in %s", { timeout: 120_000 }, async (name, breaks, places) => {
  const habit: Fault = { name, breaks: breaks.split(" "), at: places };
  const { report, found, unsteady } = await meet("orchard", habit, {}, "narrow");
  expect([...found, ...unsteady].map(({ id }) => id)).toEqual([]);
  expect(report.verdict).not.toBe("nonconformant");
});
