/** Rules: after a one-way change such as cancelling, lists show the resource as a single read does. */

import { describeDifferences } from "../../history/differences.ts";
import { type Entry, endOf, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListRead } from "../../history/lists.ts";
import { pathId } from "../../history/resource-kinds.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { recordDifferences } from "../../history/same-record.ts";
import { sameJson } from "../../spec/json.ts";
import { historyRule } from "../shared/history-rule.ts";
import { listedAfterwards, oneWayChange } from "./probes.ts";
import { type OneWay, type ShownTarget, shownBySingleAndList, shownUnderFilter } from "./targets.ts";

interface Changed {
  id: string;
  entries: ReadonlySet<Entry>;
  isLate(entry: Entry): boolean;
}

function changedBy(history: History, { operation, name }: OneWay): Changed[] {
  return history.journal.resources.flatMap(({ oneWay, writes, space }) => {
    const change = oneWay?.entry;
    if (change?.operation !== operation || oneWay?.field !== name) return [];
    const next = writes.find(({ entry }) => entry.begun > change.ended)?.entry.begun ?? Infinity;
    const entries = history.entries.filter(
      (entry) =>
        entry.begun > change.ended &&
        entry.ended < next &&
        entry.space === space &&
        history.isOrdinary(entry),
    );
    const isLate = (entry: Entry) => entry.startedAt - endOf(change) < history.head.consistencyTimeoutMs;
    return [{ id: pathId(change) ?? "", entries: new Set(entries), isLate }];
  });
}

/**
 * The result of comparing one page. If something else may explain a difference, it has neither `fits` nor a
 * violation.
 */
interface Seen {
  by: Entry;
  fits?: true;
  violation?: Violation;
}

function wrong(by: Entry, violation: Omit<Violation, "certainty">): Seen[] {
  return [{ by, violation: { certainty: "suspected", ...violation } }];
}

const USES_UP = {
  consumes: true,
  writes: true,
  probes: (at: ShownTarget) => [oneWayChange(at.change), listedAfterwards(at)],
} as const;

function judgedLooks(seen: Seen[], otherwise: string) {
  return judged(
    seen.flatMap(({ violation }) => violation ?? []),
    seen.filter(({ fits }) => fits).map(({ by }) => by),
    notExercised(seen.length > 0 ? "drift" : "no-data", otherwise),
  );
}

const shapesAgree = historyRule<ShownTarget>({
  ...USES_UP,
  targets: shownBySingleAndList,
  title: ({ operation, detail }) => `${operation.key} and the list show the same resource ${detail}`,
  check(history, { read, list, change, requirement }) {
    const names = history.references(change.operation.body ?? {});
    const seen = changedBy(history, change).flatMap(({ id, entries, isLate }): Seen[] => {
      const reads = [...entries].filter((entry) => entry.operation === read && pathId(entry) === id);
      const looks = history.lists.pages(list).flatMap(({ entry: by, items, ids }): Seen[] => {
        const before = reads.findLast(isBefore(by));
        const after = reads.find((each) => each.begun > by.ended);
        const [item, shown] = [items[ids.indexOf(id)], before && resourceIn(before)];
        if (!entries.has(by) || !before || !item || !shown) return [];
        const differences = recordDifferences(history.spec, read, item, shown, requirement, names);
        if (differences.length === 0) return [{ by, fits: true }];
        if (!before || !after || isLate(by) || !sameJson(shown, resourceIn(after))) return [{ by }];
        const { expected, actual } = describeDifferences(differences);
        return wrong(by, {
          difference: "list-differs",
          expected: `as in the list: ${expected}`,
          actual,
          shownBy: [{ entry: by }, { entry: before, offending: `/result${differences[0]?.pointer}` }],
        });
      });
      // If a later page fits, the pages before were only late, and are not judged.
      return looks.slice(
        Math.max(
          0,
          looks.findLastIndex(({ fits }) => fits),
        ),
      );
    });
    return judgedLooks(seen, `${list.key} was not read while a changed resource stayed the same`);
  },
});

function isBefore({ begun }: Entry): (entry: Entry) => boolean {
  return ({ ended }) => ended < begun;
}

const underFilter = historyRule<ShownTarget>({
  ...USES_UP,
  targets: shownUnderFilter,
  title: ({ operation, filter, change }) =>
    `${operation.key} filtered by ${filter} shows a resource that became ${change.value}`,
  check(history, { list, change: { name, value }, change, filter }) {
    const sought = ({ filters }: ListRead) => filters.find(([each]) => each === filter)?.[1];
    const others = ({ filters }: ListRead) => JSON.stringify(filters.filter(([each]) => each !== filter));
    const seen = changedBy(history, change).flatMap(({ id, entries, isLate }): Seen[] => {
      const reads = history.lists
        .reads(list)
        .filter(({ pages }) => pages.every(({ entry }) => entries.has(entry)));
      const filtered = reads.findLast((each) => sought(each) === value);
      const [first, last] = [filtered?.pages[0]?.entry, filtered?.pages.at(-1)?.entry];
      if (!filtered || !first || !last) return [];
      if (filtered.ids.includes(id)) return [{ by: last, fits: true }];
      const pages = reads
        .filter((each) => sought(each) === undefined && others(each) === others(filtered))
        .filter(({ items, ids }) => items[ids.indexOf(id)]?.[name] === value)
        .flatMap((each) => each.pages.map(({ entry }) => entry));
      const before = pages.findLast(isBefore(first));
      const isStill = before && pages.some((entry) => entry.begun > last.ended);
      if (!isStill || isLate(first) || filtered.end !== "last-page") return [{ by: last }];
      return wrong(last, {
        difference: "missing",
        expected: `the list under ${filter}=${value} to show ${id}`,
        actual: "left out",
        shownBy: [{ entry: before }, { entry: last, offending: "/result" }],
      });
    });
    return judgedLooks(seen, `no whole ${list.key} under the filter was read after a change`);
  },
});

export const listedRules = [shapesAgree, underFilter];
