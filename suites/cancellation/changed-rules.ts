/** Rules: after a one-way change (cancelling), lists and single reads show the same. */

import { type Entry, endOf, pathId, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { changesOnlyIfSent } from "../../history/journal/field-changes.ts";
import { isDistinctive } from "../../history/journal/field-values.ts";
import type { OneWayChange } from "../../history/journal/sightings.ts";
import type { TrackedResource } from "../../history/journal/tracked-resource.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { differsFromList, recordDifferences } from "../../history/lists/same-record.ts";
import { kindOfUpdate, mayShareParents, type ResourceKind, shownBy } from "../../history/resource-kinds.ts";
import { asEvidence, judged, notExercised, type Violation, violationBy } from "../../history/result.ts";
import { describeApart } from "../../spec/apart.ts";
import { sameJson } from "../../spec/json.ts";
import { historyRule } from "../shared/history-rule.ts";
import { optionalFields } from "../shared/update-fields.ts";
import { listedAfterwards, oneWayChange, updatedAfterwards } from "./probes.ts";
import { type OneWay, oneWays, type ShownTarget, shownBySingleAndList, shownUnderFilter } from "./targets.ts";

export interface Changed extends TrackedResource {
  oneWay: OneWayChange;
}

/** Returns the resources that the one-way change has reached. */
function changedBy(history: History, { operation, name }: OneWay): Changed[] {
  const isChanged = (own: TrackedResource): own is Changed =>
    own.oneWay?.entry.operation === operation && own.oneWay.field === name;
  return history.journal.resources.filter(isChanged);
}

/** False if the path names another parent, below which a resource may have the same id. */
function mayBeOf({ spec }: History, { oneWay }: Changed, entry: Entry): boolean {
  const kind = oneWay.entry.operation ? kindOfUpdate(spec, oneWay.entry.operation) : undefined;
  return kind === undefined || mayShareParents(kind, oneWay.entry, entry);
}

/** Returns the position of the next write to the resource, or infinity. */
function nextWrite({ oneWay, writes }: Changed): number {
  return writes.find(({ entry }) => entry.begun > oneWay.entry.ended)?.entry.begun ?? Infinity;
}

/** True if the answer came before the consistency timeout after the change. */
function mayShowEarlierState({ head }: History, { oneWay }: Changed, entry: Entry): boolean {
  return entry.startedAt - endOf(oneWay.entry) < head.consistencyTimeoutMs;
}

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
  const expected = `the list under ${filter}=${value} to show ${id}`;
  const facts = { difference: "missing", expected, actual: "left out" } as const;
  const wrong = { entry: last, offending: "/result" };
  return [{ by: last, violation: violationBy("suspected", facts, before, wrong) }];
}

export const listedRules = [shapesAgree, underFilter];

interface ShownValue {
  entry: Entry;
  value: unknown;
}

/** Values of a field that the change did not send. */
interface ShownValues {
  field: string;
  /** Values before the last update. */
  older: ShownValue[];
  /** Values after the last update, and before the change. */
  last: ShownValue;
  update: Entry;
  after: ShownValue[];
}

export const restoresNothing = historyRule({
  consumes: true,
  requirement: "UPDATE-KEEPS",
  targets: (spec) =>
    oneWays(spec)
      .filter(({ operation }) => optionalFields(spec, operation).length > 0)
      .map((at) => ({ ...at, detail: `older values once ${at.value}` })),
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} restores no older value of another field`,
  probes: (at) => [oneWayChange(at), updatedAfterwards(at)],
  check(history, at) {
    const kind = kindOfUpdate(history.spec, at.operation);
    const seen = changedBy(history, at).flatMap((changed) =>
      kind ? shownValuesOf(history, kind, changed) : [],
    );
    return judged(
      seen.flatMap((values) => restoredValue(values) ?? []),
      seen.flatMap(({ after, last }) => after.filter((each) => isSame(each, last)).map(({ entry }) => entry)),
      `no other field was updated before the resource became ${at.value}`,
    );
  },
});

function isSame(one: ShownValue, other: ShownValue): boolean {
  return sameJson(one.value, other.value);
}

/** Returns the fields that an earlier update sent, the change left out, and only updates change. */
function shownValuesOf(history: History, kind: ResourceKind, changed: Changed): ShownValues[] {
  const { oneWay, writes, ownId } = changed;
  const change = oneWay.entry;
  const next = nextWrite(changed);
  const answers = history.entries
    .filter((entry) => changed.isInSpaceOf(entry) && entry.begun < next && history.isOrdinary(entry))
    .filter((entry) => mayShareParents(kind, change, entry))
    .flatMap((entry) => {
      const shown = shownBy(history.spec, kind, entry).find(
        ({ id, view }) => id === ownId && view.shows !== "list",
      );
      return shown ? [{ entry, shown }] : [];
    });
  const isAfter = (entry: Entry) =>
    entry === change || (entry.begun > change.ended && !mayShowEarlierState(history, changed, entry));
  const fields = new Set(kind.updates.flatMap(({ body }) => history.spec.schemas.fieldNames(body)));
  const kept = [...fields].filter((field) => changesOnlyIfSent(history.spec, kind, field));
  return kept.flatMap((field): ShownValues[] => {
    const update = writes.findLast(
      ({ entry, sent, outcome }) => outcome === "accepted" && field in sent && entry.ended < change.begun,
    )?.entry;
    if (!update || field in oneWay.sent) return [];
    const values = answers.flatMap(({ entry, shown }): ShownValue[] =>
      shown.unusable.has(field) || !(field in shown.fields) ? [] : [{ entry, value: shown.fields[field] }],
    );
    const last = values.findLast(({ entry }) => entry.ended < change.begun && entry.index >= update.index);
    const older = values.filter(({ entry }) => entry.ended < update.begun);
    const after = values.filter(({ entry }) => isAfter(entry));
    return last ? [{ field, older, last, update, after }] : [];
  });
}

/** Returns the violation if an update brings back a value from before the last one. */
function restoredValue({ field, older, last, update, after }: ShownValues): Violation | undefined {
  // A service may fill an array itself (all providers).
  const isRestored = (shown: ShownValue) =>
    isDistinctive(shown.value) &&
    !Array.isArray(shown.value) &&
    !isSame(shown, last) &&
    older.some((each) => isSame(each, shown));
  const shown = after.find(isRestored);
  if (!shown) return undefined;
  const { expected, actual, ...kind } = describeApart(last.value, shown.value);
  return {
    ...kind,
    certainty: "suspected",
    difference: "changed",
    expected: `still ${field} ${expected}`,
    actual: `${field} ${actual}, as before it was updated`,
    shownBy: asEvidence([update, last.entry, shown.entry], shown.entry, `/result/${field}`),
  };
}
