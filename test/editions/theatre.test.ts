/**
 * Runs the suite on the theatre desk with a sample of the faults and habits. `npm run family -- --of theatre`
 * tries all of them.
 */

import { testFaults, testHabits } from "./family-tests.ts";
import * as at from "./theatre-bodies.ts";

testFaults(
  "theatre",
  [
    `lax ${at.STAGE_PLAY} acts/* maxItems`,
    `lax ${at.REPLAN_NIGHT} stream/mirrors/*/port maximum`,
    `lax ${at.AMEND_TICKET} extras/*.coat/pieces maximum`,
    "shifts go from the end to the beginning",
    "halls above a hall include it",
    "a page of halls may have any size",
    "a ticket is read below any night",
    "a refused duplicate frees the register",
    "an unpaid ticket was paid on no day",
    "closing takes the nights away",
    "closing a revised play brings its first title back",
    "a rebuilt hall is a year younger",
    "a mail of null takes the gifts along",
    "a rejected nick locks the patron",
    "a slot is taken in all houses",
    "closing turns premieres of the play into other nights",
    "a slip is forgotten once its play is closed",
  ],
  6,
);

testHabits("theatre", [
  ["a sound desk", "CREATE-LISTED CURSOR-ONCE READ-STABLE", [at.BUILD_HALL, at.LIST_HALLS, at.LIST_GENRES]],
  ["a revised contact is merged", "UPDATE-STORED UPDATE-KEEPS", [at.REVISE_PLAY]],
  ["a house is named in any casing", "SPACE-UNKNOWN SPACE-MISSING", [at.LIST_PATRONS, at.LIST_HALLS]],
  ["a shut hall is frozen", "UPDATE-ACCEPTED UPDATE-KEEPS-REST", [at.REBUILD_HALL, at.SHUT_HALL]],
]);
