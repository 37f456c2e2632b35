/**
 * Runs the suite on the orchard book with a sample of the faults and habits. `npm run family -- --of orchard`
 * tries all of them.
 */

import { testFaults, testHabits } from "./family-tests.ts";
import * as at from "./orchard-bodies.ts";

testFaults(
  "orchard",
  [
    `lax ${at.PLANT_GROVE} water.well/pumps/*/hours uniqueItems`,
    `lax ${at.ADD_ROW} blocks/*/notes propertyNames`,
    "rows before a row include it",
    "a plate is taken by tools of its kind alone",
    "only the last key of an estate is kept",
    "a change rounds the hectares",
    "a healed tree keeps its disease",
    "a tree is read by the beginning of its tag",
    "a change of a felled grove lets it grow",
  ],
  6,
);

testHabits("orchard", [
  ["a sound book", "CREATE-LISTED CURSOR-ONCE READ-STABLE", [at.SET_TREE, at.LIST_TREES, at.LIST_FROSTS]],
  [
    "rows and trees are numbered anew in each grove and row",
    "KEY-DISTINCT KEY-REPLAY CREATE-ECHO",
    [at.ADD_ROW, at.SET_TREE],
  ],
  ["changed marks are merged", "UPDATE-STORED UPDATE-KEEPS", [at.TEND_TREE]],
  ["a felled grove is frozen", "UPDATE-IDENTITY CREATE-ECHO", [at.FELL_GROVE]],
  ["a locked tool is frozen", "UPDATE-ACCEPTED UPDATE-KEEPS-REST", [at.REPLACE_TOOL, at.LOCK_TOOL]],
]);
