import { type Entry, inOrder, objectSent } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { changesOnlyIfSent, isSettled } from "../../history/journal/field-changes.ts";
import type { Duty, Sighting } from "../../history/journal/sightings.ts";
import {
  asEvidence,
  type Described,
  judged,
  notExercised,
  type RuleResult,
  type Violation,
} from "../../history/result.ts";
import { commonKind } from "../../history/values/differences.ts";
import { describeApart } from "../../spec/apart.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { JsonObject } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";

export interface About {
  update?: Operation;
  create?: Operation;
  view?: Operation;
  duty: Duty;
  field?: string;
  counts?(sighting: Sighting): boolean;
}

const EXPECTED: Record<Duty, string> = {
  echo: "in the answer: ",
  stored: "in the next read: ",
  kept: "still ",
  "no-effect": "after a rejected update still ",
  agrees: "in the list: ",
  made: "in the next read: ",
  stable: "still ",
};

/** Judges the sightings that are selected: the shown values must be the expected ones. */
export function sightingsFit(
  history: History,
  { update, create, view, duty, field, counts = () => true }: About,
): RuleResult {
  const seen = history
    .sightings(duty, field)
    .filter(
      (sighting) =>
        (update === undefined || sighting.kind.updates.includes(update)) &&
        (create === undefined || sighting.kind.create === create) &&
        (view === undefined || sighting.view.operation === view) &&
        counts(sighting),
    );
  return judgedSightings(history, seen, () => whyUnseen(history, update, field));
}

/** Judges only the sightings of fields that the write sent and `fieldsIn` names. */
export function sightingsOfSent(
  history: History,
  about: About,
  fieldsIn: (sent: JsonObject) => string[],
): RuleResult {
  const fieldsOf = memoized((write: Entry) => fieldsIn(objectSent(write) ?? {}));
  const counts = ({ write, field }: Sighting) => write !== null && fieldsOf(write).includes(field);
  return sightingsFit(history, { ...about, counts });
}

/** Returns a violation for each answer with mismatches, `otherwise` if nothing was shown. */
export function judgedSightings(
  history: History,
  seen: readonly Sighting[],
  otherwise: () => RuleResult,
): RuleResult {
  const suspects = seen.filter(isWrong);
  const wrong = suspects.filter((sighting) => !isSetByService(history, sighting));
  const isLasting = ({ kind, field: shown }: Sighting) => isSettled(history.spec, kind, shown);
  const isKeeping = (duty: Duty) => duty !== "echo" && duty !== "stored";
  const subjects = seen.filter(({ fits, duty, expected }) => fits && (isKeeping(duty) || expected.isChange));
  return judged(
    [...groupedBy(wrong, ({ by }) => by).values()].map((each) => violationOf(each, isLasting)),
    [...new Set(subjects.map(({ by }) => by))],
    suspects.length > wrong.length ? () => changesByItself(suspects) : otherwise,
  );
}

/**
 * True if the service may have set the field: it set another resource's to the same value without a write between two
 * reads. Some services switch off webhooks whose address fails.
 */
function isSetByService(history: History, { kind, field, shown, standing, duty }: Sighting): boolean {
  const isOpenToService = standing === "suspected" && typeof shown === "boolean" && duty !== "stable";
  return (
    isOpenToService &&
    history
      .sightings("stable", field)
      .some((other) => other.kind === kind && isWrong(other) && other.shown === shown)
  );
}

function changesByItself(changed: readonly Sighting[]): RuleResult {
  const fields = [...new Set(changed.map(({ field }) => field))].join(", ");
  const entries = new Set(changed.map(({ by }) => by));
  return notExercised("drift", `${fields} changes without a write, too`, [...entries]);
}

/** Excuses the change of a field that may change by itself. The run then looks for the cause. */
export function unlessOnlyAfterUpdates(
  history: History,
  result: RuleResult,
  update: Operation,
  field: string,
): RuleResult {
  const changed = history
    .sightings("kept", field)
    .filter(({ kind }) => kind.updates.includes(update) && !changesOnlyIfSent(history.spec, kind, field))
    .find(
      ({ standing, view, write, expected: { lastShown } }) =>
        standing === "open" &&
        view.shows === "read" &&
        lastShown !== null &&
        write !== null &&
        lastShown.ended < write.begun,
    );
  if (result.outcome === "violated" || !changed) return result;
  return { outcome: "excused", violation: violationOf([changed], () => false), otherwise: result };
}

/** Returns a violation if the field has an unexpected value. */
export function changedField(history: History, field: string): Violation | undefined {
  const wrong = history.journal.sightings.find((sighting) => isWrong(sighting) && sighting.field === field);
  return wrong && violationOf([wrong], () => false);
}

/** True for mismatches that a delay or another writer does not explain. */
export function isWrong({ standing }: Sighting): boolean {
  return standing === "proven" || standing === "suspected";
}

function whyUnseen(history: History, update: Operation | undefined, field: string | undefined): RuleResult {
  const volatile = history.journal.resources.flatMap((own) =>
    own.writes.some(({ entry }) => entry.operation === update) ? (own.volatile.get(field ?? "") ?? []) : [],
  );
  if (volatile.length > 0) return notExercised("drift", `${field} changes without an update, too`, volatile);
  const what = field ?? "a field";
  return notExercised("no-data", `no answer shows ${what} of a resource before and after such an update`);
}

const CHANGED: ReadonlySet<Duty> = new Set(["kept", "no-effect", "stable"]);

/** Returns one violation for all wrong sightings of a field. */
function violationOf(mismatches: Sighting[], isLasting: (sighting: Sighting) => boolean): Violation {
  const described = mismatches.map(describeMismatch);
  const [first] = mismatches;
  const proven = mismatches.some(({ standing }) => standing === "proven");
  return {
    certainty: proven ? "proven" : "suspected",
    ...(first && CHANGED.has(first.duty) ? { difference: "changed" } : commonKind(described)),
    expected: `${first ? EXPECTED[first.duty] : ""}${described.map(({ expected }) => expected).join("; ")}`,
    actual: described.map(({ actual }) => actual).join("; "),
    shownBy: first ? evidenceOf(first) : [],
    ...(first
      ? {
          wrongField: {
            name: first.field,
            shown: first.shown,
            made: first.made,
            setBy: first.expected.setBy,
          },
        }
      : {}),
    holdsAmongOthers: mismatches.some((mismatch) => mismatch.standing === "proven" && isLasting(mismatch)),
  };
}

function describeMismatch({ field, expected, shown, isSecret }: Sighting): Described {
  if (isSecret) return { expected: `${field} as it was`, actual: `another ${field}` };
  const { expected: one, actual: other, ...kind } = describeApart(expected.candidates[0]?.value, shown);
  return { ...kind, expected: `${field} ${one}`, actual: `${field} ${other}` };
}

/** Returns the entries that show it: the last sighting before, the write and the wrong sighting. */
function evidenceOf({ expected, write, by, view, field }: Sighting): Violation["shownBy"] {
  const { setBy, lastShown } = expected;
  const since = lastShown && setBy && lastShown.ended > setBy.ended ? lastShown : (setBy ?? lastShown);
  const entries = inOrder([since, write, by].filter((entry) => entry !== null));
  const offending = view.shows === "list" ? undefined : `/result/${view.names.get(field) ?? field}`;
  return asEvidence(entries, by, offending);
}
