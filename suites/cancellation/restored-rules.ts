import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { changesOnlyIfSent } from "../../history/journal/field-changes.ts";
import { isDistinctive } from "../../history/journal/field-values.ts";
import {
  kindOfUpdate,
  mayShareParents,
  type ResourceKind,
  type ShownResource,
  shownBy,
} from "../../history/resource-kinds.ts";
import { asEvidence, judged, type Violation } from "../../history/result.ts";
import { describeApart } from "../../spec/apart.ts";
import { sameJson } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { historyRule } from "../shared/history-rule.ts";
import { optionalFields } from "../shared/update-fields.ts";
import { type Changed, changedBy, mayShowEarlierState, nextWrite } from "./changed.ts";
import { oneWayChange, updatedAfterwards } from "./probes.ts";
import { oneWays } from "./targets.ts";

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
    .flatMap((entry) => answerIn(history.spec, kind, entry, ownId) ?? []);
  const isAfter = (entry: Entry) =>
    entry === change || (entry.begun > change.ended && !mayShowEarlierState(history, changed, entry));
  return keptFields(history.spec, kind).flatMap((field): ShownValues[] => {
    const update = writes.findLast(
      ({ entry, sent, outcome }) => outcome === "accepted" && field in sent && entry.ended < change.begun,
    )?.entry;
    if (!update || field in oneWay.sent) return [];
    const values = answers.flatMap((answer) => valueIn(answer, field) ?? []);
    const last = values.findLast(({ entry }) => entry.ended < change.begun && entry.index >= update.index);
    const older = values.filter(({ entry }) => entry.ended < update.begun);
    const after = values.filter(({ entry }) => isAfter(entry));
    return last ? [{ field, older, last, update, after }] : [];
  });
}

function keptFields(spec: Spec, kind: ResourceKind): string[] {
  const fields = kind.updates.flatMap(({ body }) => spec.schemas.fieldNames(body));
  return [...new Set(fields)].filter((field) => changesOnlyIfSent(spec, kind, field));
}

interface ShownAlone {
  entry: Entry;
  shown: ShownResource;
}

function answerIn(spec: Spec, kind: ResourceKind, entry: Entry, id: string): ShownAlone | undefined {
  const shown = shownBy(spec, kind, entry).find((each) => each.id === id && each.view.shows !== "list");
  return shown && { entry, shown };
}

function valueIn({ entry, shown: { fields, unusable } }: ShownAlone, field: string): ShownValue | undefined {
  return unusable.has(field) || !(field in fields) ? undefined : { entry, value: fields[field] };
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
