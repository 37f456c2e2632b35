/**
 * Runs the suite on the harbour office with a sample of the faults and habits. `npm run family -- --of harbour`
 * tries all of them.
 */

import { testFaults, testHabits } from "./family-tests.ts";
import * as at from "./harbour-bodies.ts";

testFaults(
  "harbour",
  [
    `lax ${at.LAND_CRATE} temperatures propertyNames`,
    `lax ${at.HIRE_MATE} papers/*.licence/limits maxItems`,
    "an insurance is shown as it was before",
    "insurances of other ports are shown",
    "a grade of null is one",
    "a correction arms the ship",
    "a page of crates repeats one",
    "a flag is compared by its first letter",
    "crates are adjusted under 1.9",
  ],
  6,
);

testHabits("harbour", [
  ["a sound office", "CREATE-LISTED CURSOR-ONCE READ-STABLE", [at.LAND_CRATE, at.LIST_CRATES, at.LIST_TIDES]],
  [
    "insuring merges riders",
    "UPDATE-STORED UPDATE-KEEPS ISOLATION-READS",
    [at.INSURE_SHIP, at.SHOW_INSURANCE],
  ],
  ["an insurance is made by its first update", "READ-ACCEPTED VERSION-ACCEPTED", [at.SHOW_INSURANCE]],
  ["each port counts its ships", "ISOLATION-LISTS", [at.ENTER_SHIP, at.FIND_SHIPS]],
  ["a retired ship is frozen", "UPDATE-IDENTITY CREATE-ECHO", [at.RETIRE_SHIP]],
]);
