/** Services that conform, with unusual state, time and order, alone and several at once. */

import type { Bug } from "./bug.ts";
import { freshOtherHabits } from "./habits-fresh-others.ts";
import { together } from "./habits-fresh-together.ts";
import { keyHabits } from "./habits-late-keys.ts";
import { limitHabits } from "./habits-late-limits.ts";
import { listHabits } from "./habits-late-lists.ts";
import { timeHabits } from "./habits-late-time.ts";
import { updateHabits } from "./habits-late-updates.ts";
import { viewHabits } from "./habits-late-views.ts";

const ALONE = [...timeHabits, ...updateHabits, ...keyHabits, ...listHabits, ...viewHabits, ...limitHabits];

const combined = (name: string, ...names: string[]) => together([...ALONE, ...freshOtherHabits], name, names);

export const lateHabits: readonly Bug[] = [
  ...ALONE,
  combined(
    "payments-parts-and-ignored-updates",
    "code-collects-payments",
    "fields-arrive-one-by-one",
    "cancelled-codes-ignore-updates",
  ),
  combined(
    "undone-spent-and-switched-off",
    "replays-end-with-an-update",
    "null-undoes-the-last-change",
    "totals-from-a-cache",
    "checks-in-another-order",
  ),
  combined(
    "old-versions-and-late-answers",
    "older-version-reads-a-replica",
    "no-version-means-the-last-one",
    "answers-lag-behind-their-writes",
    "sessions-by-last-activity",
  ),
  combined(
    "lost-answers-pages-and-others",
    "gateway-times-out-after-the-write",
    "others-remove-webhooks",
    "reference-lists-in-pages",
    "fields-named-as-elsewhere",
  ),
  combined(
    "filled-kept-and-both-paths",
    "defaults-filled-in-a-moment",
    "attributes-become-text",
    "unknown-fields-kept-and-shown",
    "both-paths-answer",
    "pages-of-at-most-seven",
  ),
  combined(
    "moving-codes-and-slowed-clients",
    "codes-oldest-change-first",
    "updated-codes-process-for-a-moment",
    "providers-shown-as-sent",
    "refusals-slow-the-client",
    "replays-by-turns",
  ),
];
