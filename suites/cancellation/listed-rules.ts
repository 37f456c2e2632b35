/** Rules: after a one-way change (cancelling), lists and single reads show the same. */

import { type Entry, pathId, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { differsFromList, recordDifferences } from "../../history/lists/same-record.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { sameJson } from "../../spec/json.ts";
import { historyRule } from "../shared/history-rule.ts";
import { type Changed, changedBy, mayBeOf, mayShowEarlierState, nextWrite } from "./changed.ts";
import { listedAfterwards, oneWayChange } from "./probes.ts";
import { type ShownTarget, shownBySingleAndList, shownUnderFilter } from "./targets.ts";

/** A page of a list. With neither `fits` nor `violation`, it decides nothing. */
interface JudgedPage {
  by: Entry;
  fits?: true;
  violation?: Violation;
}

const USES_UP = {
  consumes: true,
  writes: true,
  probes: (at: ShownTarget) => [oneWayChange(at.change), listedAfterwards(at)],
} as const;

function judgedPages(seen: JudgedPage[], otherwise: string) {
  return judged(
    seen.flatMap(({ violation }) => violation ?? []),
    seen.filter(({ fits }) => fits).map(({ by }) => by),
    notExercised(seen.length > 0 ? "drift" : "no-data", otherwise),
  );
}

const shapesAgree = historyRule({
  ...USES_UP,
  targets: shownBySingleAndList,
  title: ({ operation, detail }) => `${operation.key} and the list show the same resource ${detail}`,
  check(history, at) {
    const seen = changedBy(history, at.change).flatMap((changed) => {
      const pages = pagesBesideRead(history, at, changed);
      const fitting = pages.findLastIndex(({ fits }) => fits);
      // Pages before one that fits were only late.
      return pages.slice(Math.max(0, fitting));
    });
    return judgedPages(seen, `${at.list.key} was not read while a changed resource stayed the same`);
  },
});

/** Returns the list pages that show the resource after its one-way change, each with the read beside it. */
function pagesBesideRead(
  history: History,
  { read, list, change, requirement }: ShownTarget,
  changed: Changed,
): JudgedPage[] {
  const id = pathId(changed.oneWay.entry) ?? "";
  const names = history.references(change.operation.body ?? {});
  const entries = whileUnchanged(history, changed);
  const reads = [...entries].filter((entry) => entry.operation === read && pathId(entry) === id);
  return history.lists.pages(list).flatMap(({ entry: by, items, ids }): JudgedPage[] => {
    const before = reads.findLast(({ ended }) => ended < by.begun);
    const after = reads.find(({ begun }) => begun > by.ended);
    const [item, shown] = [items[ids.indexOf(id)], before && resourceIn(before)];
    if (!entries.has(by) || !before || !item || !shown) return [];
    const differences = recordDifferences(history.spec, read, item, shown, requirement, names);
    if (differences.length === 0) return [{ by, fits: true }];
    if (!after || mayShowEarlierState(history, changed, by) || !sameJson(shown, resourceIn(after)))
      return [{ by }];
    return [{ by, violation: differsFromList(by, before, differences) }];
  });
}

/** Returns the ordinary entries between the one-way change and the next write to the resource. */
function whileUnchanged(history: History, changed: Changed): ReadonlySet<Entry> {
  const next = nextWrite(changed);
  return new Set(
    history.entries.filter(
      (entry) =>
        entry.begun > changed.oneWay.entry.ended &&
        entry.ended < next &&
        changed.isInSpaceOf(entry) &&
        mayBeOf(history, changed, entry) &&
        history.isOrdinary(entry),
    ),
  );
}

const underFilter = historyRule({
  ...USES_UP,
  targets: shownUnderFilter,
  title: ({ operation, filter, change }) =>
    `${operation.key} filtered by ${filter} shows a resource that became ${change.value}`,
  check: (history, at) =>
    judgedPages(
      changedBy(history, at.change).flatMap((changed) => lastUnderFilter(history, at, changed)),
      `no whole ${at.list.key} under the filter was read after a change`,
    ),
});

/**
 * Returns the last read under a filter that must show the changed resource. The omission is wrong only if
 * unfiltered lists before and after show the new value.
 */
function lastUnderFilter(
  history: History,
  { list, change: { name, value }, filter }: ShownTarget,
  changed: Changed,
): JudgedPage[] {
  const id = pathId(changed.oneWay.entry) ?? "";
  const entries = whileUnchanged(history, changed);
  const reads = history.lists
    .reads(list)
    .filter(({ pages }) => pages.every(({ entry }) => entries.has(entry)));
  const sought = ({ filters }: ListRead) => filters.find(([each]) => each === filter)?.[1];
  const others = ({ filters }: ListRead) => JSON.stringify(filters.filter(([each]) => each !== filter));
  const filtered = reads.findLast((read) => sought(read) === value);
  const [first, last] = [filtered?.pages[0]?.entry, filtered?.pages.at(-1)?.entry];
  if (!filtered || !first || !last) return [];
  if (filtered.ids.includes(id)) return [{ by: last, fits: true }];
  const pages = reads
    .filter((read) => sought(read) === undefined && others(read) === others(filtered))
    .filter(({ items, ids }) => items[ids.indexOf(id)]?.[name] === value)
    .flatMap((each) => each.pages.map(({ entry }) => entry));
  const before = pages.findLast(({ ended }) => ended < first.begun);
  const isStill = before && pages.some(({ begun }) => begun > last.ended);
  if (!isStill || mayShowEarlierState(history, changed, first) || filtered.end !== "last-page")
    return [{ by: last }];
  const violation: Violation = {
    certainty: "suspected",
    difference: "missing",
    expected: `the list under ${filter}=${value} to show ${id}`,
    actual: "left out",
    shownBy: [{ entry: before }, { entry: last, offending: "/result" }],
  };
  return [{ by: last, violation }];
}

export const listedRules = [shapesAgree, underFilter];
