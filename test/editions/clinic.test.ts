/**
 * Runs the suite on the clinic with a sample of the faults and habits. `npm run family` tries all of them.
 */

import { expect, test } from "vitest";
import { commitShare } from "../commit-seed.ts";
import { FAULTS, HABITS } from "./clinic-faults.ts";
import { CLOSE_VISIT, CREATE_VISIT } from "./clinic-service.ts";
import { meet } from "./meet.ts";

test("names of faults and habits differ", () => {
  const names = [...FAULTS, ...HABITS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/** Each commit finds one in two. */
const found = [
  "lax POST /patients/{patient}/visits/{visit}/doses every.days/n maximum",
  "an unfenced area is fenced",
  "the casing of keys is ignored",
  "a dose is read with any patient",
  "a label is unique for its visit alone",
  "a patient of another practice is read by its chip",
  "a closing is not stored",
  "closing makes another visit",
];

test.each(commitShare(found, 2))("a narrow run finds that %s", { timeout: 120_000 }, async (name) => {
  const { own } = await meet(
    "clinic",
    FAULTS.find((fault) => fault.name === name),
    {},
    "narrow",
  );
  expect(own.length).toBeGreaterThan(0);
});

test.each([
  ["a closed visit is not closed again", "VERSION-ACCEPTED", CLOSE_VISIT],
  ["closing takes the vet off", "CREATE-ECHO", CREATE_VISIT],
])("a narrow run blames nothing if %s", { timeout: 120_000 }, async (name, requirement, operation) => {
  const habit = { name, breaks: [requirement], at: [operation] };
  const { found, unsteady } = await meet("clinic", habit, {}, "narrow");
  expect([...found, ...unsteady].map(({ id }) => id)).toEqual([]);
});

test("the sound clinic conforms", { timeout: 240_000 }, async () => {
  const { report, found, unsteady } = await meet("clinic", undefined, { depth: "quick" });
  expect([...found, ...unsteady].map(({ id }) => id)).toEqual([]);
  expect(report.verdict).toBe("conformant");
});
