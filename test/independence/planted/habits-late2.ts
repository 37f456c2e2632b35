/** Services that conform, with unusual waits, wires, cursors and values, alone and two at once. */

import { together } from "./habits-fresh-together.ts";
import { limitHabits } from "./habits-late2-limits.ts";
import { listHabits } from "./habits-late2-lists.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { valueHabits } from "./habits-late2-values.ts";
import { wireHabits } from "./habits-late2-wire.ts";
import { writeHabits } from "./habits-late2-writes.ts";

const EACH = [...wireHabits, ...limitHabits, ...writeHabits, ...listHabits, ...valueHabits];

/** The habits that are met only in pairs. */
const IN_PAIRS = [
  "blanks-until-the-answer",
  "modes-in-another-case",
  "refusals-end-the-connection",
  "refused-updates-rest-a-moment",
  "refusals-announce-json-and-send-nothing",
  "envelope-of-two-generations",
  "before-pages-from-the-start",
  "allowance-said-to-be-spent",
  "older-version-has-less",
  "replays-known-to-one-server",
  "cancelling-again-is-accepted",
  "cursors-name-the-next-item",
  "misdirected-to-the-other-space",
  "pages-keep-their-first-size",
  "times-never-set",
  "customers-masked-in-lists",
  "account-number-is-the-id",
  "codes-in-any-case",
  "targets-on-single-use-codes",
].map((name) => `late2-${name}`);

/** A service with two habits, which each show in an answer. */
function pair(name: string, one: string, other: string): ShownHabit {
  const names = [`late2-${one}`, `late2-${other}`];
  const parts = EACH.filter((each) => names.includes(each.name));
  return {
    ...together(EACH, `late2-${name}`, names),
    shows: parts.flatMap(({ shows }) => shows),
  };
}

export const late2Habits: readonly ShownHabit[] = [
  ...EACH.filter(({ name }) => !IN_PAIRS.includes(name)),
  pair("blanks-first-and-other-modes", "blanks-until-the-answer", "modes-in-another-case"),
  pair("refusals-cost-time", "refusals-end-the-connection", "refused-updates-rest-a-moment"),
  pair("silent-about-versions", "refusals-announce-json-and-send-nothing", "keys-of-a-version"),
  pair("twice-told-from-the-start", "envelope-of-two-generations", "before-pages-from-the-start"),
  pair("spent-and-less-for-the-older", "allowance-said-to-be-spent", "older-version-has-less"),
  pair("one-writer-and-half-the-replays", "replays-known-to-one-server", "one-write-a-space"),
  pair("cancelled-again-by-the-newest", "cancelling-again-is-accepted", "newer-update-ends-the-older"),
  pair("next-item-elsewhere", "cursors-name-the-next-item", "misdirected-to-the-other-space"),
  pair("small-pages-of-no-time", "pages-keep-their-first-size", "times-never-set"),
  pair("masked-and-late-for-others", "customers-masked-in-lists", "own-connection-sees-writes-first"),
  pair("conflicts-by-number", "account-number-is-the-id", "conflicts-show-what-is-there"),
  pair("any-case-and-any-target", "codes-in-any-case", "targets-on-single-use-codes"),
];
