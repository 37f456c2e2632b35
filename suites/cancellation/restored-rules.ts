import { isKept } from "../../history/duties.ts";
import type { Entry } from "../../history/entry.ts";
import { isTelling } from "../../history/field-values.ts";
import type { History } from "../../history/history.ts";
import { kindOfUpdate, type ResourceKind, type Shown, shownBy } from "../../history/resource-kinds.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { describeApart } from "../../spec/apart.ts";
import { sameJson } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { historyRule } from "../shared/history-rule.ts";
import { optionalFields } from "../updates/fields.ts";
import { type Changed, changedBy, isLate, nextWrite } from "./changed.ts";
import { oneWayChange, updatedAfterwards } from "./probes.ts";
import { type OneWay, oneWays } from "./targets.ts";

interface Look {
  entry: Entry;
  value: unknown;
}

/**
 * A field's values: `older` before its last update, `last` between this and the one-way change, `after`
 * since.
 */
interface Looks {
  field: string;
  older: Look[];
  last: Look;
  update: Entry;
  after: Look[];
}

/** A one-way change may change other fields, but must not restore a value that an update replaced. */
export const restoresNothing = historyRule<OneWay>({
  consumes: true,
  writes: true,
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
    const seen = changedBy(history, at).flatMap((changed) => (kind ? looksAt(history, kind, changed) : []));
    return judged(
      seen.flatMap((looks) => restoredValue(looks) ?? []),
      seen.flatMap(({ after, last }) => after.filter((look) => isSame(look, last)).map(({ entry }) => entry)),
      notExercised("no-data", `no other field was updated before the resource became ${at.value}`),
    );
  },
});

function isSame(one: Look, other: Look): boolean {
  return sameJson(one.value, other.value);
}

/** Selects fields that an earlier update sent, that the change left out, and that only updates change. */
function looksAt(history: History, kind: ResourceKind, changed: Changed): Looks[] {
  const { oneWay, writes, id, space } = changed;
  const change = oneWay.entry;
  const next = nextWrite(changed);
  const answers = history.entries
    .filter((entry) => entry.space === space && entry.begun < next && history.isOrdinary(entry))
    .flatMap((entry) => answerIn(history.spec, kind, entry, id) ?? []);
  const isAfter = (entry: Entry) =>
    entry === change || (entry.begun > change.ended && !isLate(history, changed, entry));
  return keptFields(history.spec, kind).flatMap((field): Looks[] => {
    const update = writes.findLast(
      ({ entry, sent, outcome }) => outcome === "accepted" && field in sent && entry.ended < change.begun,
    )?.entry;
    if (!update || field in oneWay.sent) return [];
    const looks = answers.flatMap((answer) => lookAt(answer, field) ?? []);
    const last = looks.findLast(({ entry }) => entry.ended < change.begun && entry.index >= update.index);
    const older = looks.filter(({ entry }) => entry.ended < update.begun);
    const after = looks.filter(({ entry }) => isAfter(entry));
    return last ? [{ field, older, last, update, after }] : [];
  });
}

function keptFields(spec: Spec, kind: ResourceKind): string[] {
  const fields = kind.updates.flatMap(({ body }) => spec.schemas.fields(body).map(([name]) => name));
  return [...new Set(fields)].filter((field) => isKept(spec, kind, field));
}

interface ShownAlone {
  entry: Entry;
  shown: Shown;
}

function answerIn(spec: Spec, kind: ResourceKind, entry: Entry, id: string): ShownAlone | undefined {
  const shown = shownBy(spec, kind, entry).find((each) => each.id === id && each.view.shows !== "list");
  return shown && { entry, shown };
}

function lookAt({ entry, shown: { fields, unusable } }: ShownAlone, field: string): Look | undefined {
  return unusable.has(field) || !(field in fields) ? undefined : { entry, value: fields[field] };
}

function restoredValue({ field, older, last, update, after }: Looks): Violation | undefined {
  // A service may fill an array itself, for example with all allowed providers.
  const isRestored = (look: Look) =>
    isTelling(look.value) &&
    !Array.isArray(look.value) &&
    !isSame(look, last) &&
    older.some((each) => isSame(each, look));
  const shown = after.find(isRestored);
  if (!shown) return undefined;
  const { expected, actual, ...kind } = describeApart(last.value, shown.value);
  const evidence = [...new Set([update, last.entry, shown.entry])];
  return {
    ...kind,
    certainty: "suspected",
    difference: "changed",
    expected: `still ${field} ${expected}`,
    actual: `${field} ${actual}, as before it was updated`,
    shownBy: evidence.map((entry) =>
      entry === shown.entry ? { entry, offending: `/result/${field}` } : { entry },
    ),
  };
}
