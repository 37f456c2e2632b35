/** Services that conform, with copies, jobs, limits and moving lists, alone and several at once. */

import { together } from "./habits-fresh-together.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { copyHabits } from "./habits-late3-copies.ts";
import { jobHabits } from "./habits-late3-jobs.ts";
import { limitHabits } from "./habits-late3-limits.ts";
import { listHabits } from "./habits-late3-lists.ts";
import { tickHabits } from "./habits-late3-ticks.ts";
import { writeHabits } from "./habits-late3-writes.ts";

const EACH = [...copyHabits, ...tickHabits, ...jobHabits, ...limitHabits, ...listHabits, ...writeHabits];

function several(name: string, ...parts: string[]): ShownHabit {
  const names = parts.map((part) => `late3-${part}`);
  const shows = EACH.filter((each) => names.includes(each.name)).flatMap((each) => each.shows);
  return { ...together(EACH, `late3-${name}`, names), shows };
}

export const late3Habits: readonly ShownHabit[] = [
  ...EACH,
  several("copies-of-what-moves", "reads-from-three-copies", "others-edit-to-and-fro", "payments-taken-back"),
  several(
    "late-pages-in-motion",
    "later-pages-from-a-copy",
    "webhooks-by-latest-delivery",
    "payments-fail-at-random",
  ),
  several(
    "lost-writes-read-late",
    "timed-out-writes-done-later",
    "connections-stay-with-a-copy",
    "payments-fail-at-random",
  ),
  several(
    "briefly-there-in-one-copy",
    "each-query-has-a-copy",
    "others-create-for-a-moment",
    "payouts-stop-and-go",
  ),
  several(
    "index-of-flapping-things",
    "filtered-lists-from-an-index-while-paid",
    "providers-flap",
    "ussd-codes-are-used-again",
  ),
  several(
    "worn-lists-that-begin-late",
    "connections-wear-out",
    "lists-begin-80-ms-ago",
    "expired-codes-are-closed",
  ),
];
