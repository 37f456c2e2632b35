/** Services that conform, with other frameworks, gateways, lists, stored forms and clients. */

import type { ShownHabit } from "./habits-late2-shown.ts";
import { jobHabits } from "./habits-late5-jobs.ts";
import { listHabits } from "./habits-late5-lists.ts";
import { stackHabits } from "./habits-late5-stacks.ts";
import { valueHabits } from "./habits-late5-values.ts";
import { wireHabits } from "./habits-late5-wire.ts";
import { writeHabits } from "./habits-late5-writes.ts";

export const late5Habits: readonly ShownHabit[] = [
  ...stackHabits,
  ...wireHabits,
  ...listHabits,
  ...valueHabits,
  ...writeHabits,
  ...jobHabits,
];
