/** Services that conform, with shards, gateways, other clocks, cursors and clients. */

import type { ShownHabit } from "./habits-late2-shown.ts";
import { copyHabits } from "./habits-late4-copies.ts";
import { jobHabits } from "./habits-late4-jobs.ts";
import { listHabits } from "./habits-late4-lists.ts";
import { valueHabits } from "./habits-late4-values.ts";
import { wireHabits } from "./habits-late4-wire.ts";

export const late4Habits: readonly ShownHabit[] = [
  ...copyHabits,
  ...wireHabits,
  ...valueHabits,
  ...listHabits,
  ...jobHabits,
];
