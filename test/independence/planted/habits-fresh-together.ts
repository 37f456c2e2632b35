/** Services that conform, with several unusual habits at once. */

import type { Bug } from "./bug.ts";
import { freshHabits } from "./habits-fresh.ts";
import { freshHttpHabits } from "./habits-fresh-http.ts";
import { freshListHabits } from "./habits-fresh-lists.ts";
import { freshOrderHabits } from "./habits-fresh-order.ts";
import { freshOtherHabits } from "./habits-fresh-others.ts";
import { freshValueHabits } from "./habits-fresh-values.ts";

const ALONE = [
  ...freshHabits,
  ...freshValueHabits,
  ...freshListHabits,
  ...freshOtherHabits,
  ...freshHttpHabits,
  ...freshOrderHabits,
];

/** Returns a habit that combines those of `all` with the given names. @throws RangeError for an unknown name */
export function together(all: readonly Bug[], name: string, names: readonly string[]): Bug {
  const habits = names.map((wanted) => {
    const found = all.find(({ name: own }) => own === wanted);
    if (found === undefined) throw new RangeError(`no habit ${wanted}`);
    return found;
  });
  return {
    name,
    breaks: habits.flatMap(({ breaks }) => breaks),
    at: [],
    edits: habits.flatMap(({ edits }) => edits),
    ...(habits.some(({ leavesOpen }) => leavesOpen) && { leavesOpen: true }),
    ...(habits.some(({ isVolatile }) => isVolatile) && { isVolatile: true }),
  };
}

const combined = (name: string, ...names: string[]) => together(ALONE, name, names);

export const freshHabitsOfAll: readonly Bug[] = [
  ...ALONE,
  combined(
    "locked-keys-moving-list-and-bursts",
    "keys-locked-while-creating",
    "replays-show-the-present",
    "webhooks-by-last-change",
    "bursts-of-sixty",
    "newer-version-shows-more",
  ),
  combined(
    "used-cursors-others-and-late-filters",
    "cursors-used-once",
    "others-remove-webhooks",
    "filters-lag-behind",
    "servers-in-two-zones",
    "errors-by-turns",
  ),
  combined(
    "replicas-locks-and-shuffles",
    "webhooks-from-three-replicas",
    "single-reads-from-replicas",
    "slow-and-shuffled",
    "cursors-of-a-version",
  ),
  combined(
    "cached-while-others-write",
    "answers-cached-for-a-moment",
    "others-pay-codes",
    "keys-burnt-by-a-refusal",
    "codes-by-expiry",
    "null-means-the-default",
  ),
  combined(
    "odd-on-the-wire",
    "json-in-ascii",
    "brotli-in-pieces",
    "hints-and-cookies",
    "errors-of-many-hands",
    "short-lived-connections",
    "tokens-last",
    "identifiers-with-slashes",
    "awkward-data-found",
  ),
  combined(
    "quotas-and-single-use",
    "seven-active-webhooks",
    "accounts-in-francs",
    "replays-for-a-second",
    "references-contended",
    "secrets-shown-once",
    "counted-before-listed",
    "writes-wait-for-a-date",
  ),
  combined(
    "long-lists-that-move",
    "long-lists",
    "others-remove-webhooks",
    "others-pay-codes",
    "active-webhooks-first",
    "cursors-remembered",
    "four-at-a-time",
  ),
  combined("flood-before-the-newest", "newest-seconds-first", "others-flood-the-list", "answers-lost"),
];
