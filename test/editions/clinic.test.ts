/**
 * Runs the suite on the clinic with a sample of the faults and habits. `npm run family` tries all of them.
 */

import { expect, test } from "vitest";
import { isTurn } from "../commit-seed.ts";
import { CLOSE_VISIT, CREATE_VISIT } from "./clinic-service.ts";
import { testFaults, testHabits } from "./family-tests.ts";
import { meet } from "./meet.ts";

testFaults(
  "clinic",
  [
    "lax POST /patients/{patient}/visits/{visit}/doses every.days/n maximum",
    "an unfenced area is fenced",
    "the casing of keys is ignored",
    "a dose is read with any patient",
    "a label is unique for its visit alone",
    "a patient of another practice is read by its chip",
    "a closing is not stored",
    "closing makes another visit",
  ],
  6,
);

testHabits("clinic", [
  ["a closed visit is not closed again", "VERSION-ACCEPTED", [CLOSE_VISIT]],
  ["closing takes the vet off", "CREATE-ECHO", [CREATE_VISIT]],
]);

test.runIf(isTurn(1, 2))("the sound clinic conforms", { timeout: 240_000 }, async () => {
  const { report, found, unsteady } = await meet("clinic", undefined, { depth: "quick" });
  expect([...found, ...unsteady].map(({ id }) => id)).toEqual([]);
  expect(report.verdict).toBe("conformant");
});
