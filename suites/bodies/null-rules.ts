/** Rules: null in an optional field that forbids it is rejected, or treated as absence. */

import { sameFieldValue } from "../../history/differences.ts";
import { type Entry, isAccepted, isRejected, pathId, requestJson, resourceIn } from "../../history/entry.ts";
import { isDistinctive } from "../../history/field-values.ts";
import type { History } from "../../history/history.ts";
import { faultyRequests, mustBeRejected } from "../../history/rejections.ts";
import { sideOf } from "../../history/request-faults/sent-request.ts";
import { judged, type Violation } from "../../history/result.ts";
import { valueAt } from "../../spec/json.ts";
import { lackIn } from "../../spec/model/difference.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, observedRejections } from "../shared/history-rule.ts";
import { brokenFields } from "./probes.ts";
import { type FieldTarget, fieldTargets, isBroken, isOptionalNull } from "./targets.ts";

const facts = {
  cause: "invalid-body",
  notes: "brokenField",
  probes: (at: FieldTarget) => [brokenFields(at)],
  writes: true,
} as const;

export const nullIsAbsent = historyRule<FieldTarget>({
  ...facts,
  targets: (spec) =>
    fieldTargets(spec)
      .filter(isOptionalNull)
      .map((at) => ({ ...at, requirement: `${sideOf(at.operation)}-NULL` })),
  title: ({ operation, name }) => `${operation.key} rejects null for ${name}, or treats it as absent`,
  check(history, at) {
    const sent = withNull(history, at);
    // Acceptance needs proof, because a service may answer 200 to everything.
    const accepted = sent.filter(({ isProof }) => isProof).map(({ entry }) => entry);
    const violations = accepted.flatMap((entry) => takenAsValue(history, at, entry) ?? []);
    const fine = [
      ...accepted,
      ...sent.flatMap(({ entry, twin }) => (twin && isRejected(entry) ? [entry] : [])),
    ];
    const others = sent.filter(({ entry }) => !isAccepted(entry));
    return judged(
      violations,
      fine,
      mustBeRejected(others, () => `null for ${at.name}`),
    );
  },
});

export const nullRejected = historyRule<FieldTarget>({
  ...facts,
  targets: (spec) => fieldTargets(spec).filter(isOptionalNull),
  title: ({ operation, name }) => `${operation.key} rejects null for ${name}, which is optional`,
  check: (history, at) => mustBeRejected(withNull(history, at), () => `null for ${at.name}`),
  observe: (history, at) => observedRejections(withNull(history, at), () => `${at.name} null`),
});

function withNull(history: History, at: FieldTarget) {
  const requirement = `${sideOf(at.operation)}-NULL-OPTIONAL`;
  return faultyRequests(history, at.operation, [requirement], (entry) => isBroken(history, entry, at));
}

function takenAsValue(history: History, at: FieldTarget, entry: Entry): Violation | undefined {
  const { name, pointer } = at;
  const [, field = ""] = pointer.split("/");
  const shown = resourceIn(entry);
  if (!shown) return undefined;
  const offending = `/result/${field}`;
  if (valueAt(shown, pointer) === null)
    return {
      certainty: "suspected",
      difference: "null",
      expected: `null for ${name} to be rejected, or taken as if it were left out`,
      actual: "null",
      shownBy: [{ entry, offending }],
    };
  const schema = history.spec.schemas.at(at.body, `/${field}`);
  if (pointer !== `/${field}` || (schema && history.spec.schemas.holdsSecret(schema))) return undefined;
  const leftOut = withoutField(history, at, entry, field);
  const whenLeftOut = leftOut && resourceIn(leftOut)?.[field];
  if (!leftOut || sameFieldValue(whenLeftOut, shown[field])) return undefined;
  if (mayBeFilledIn(history, at, field, shown[field])) return undefined;
  return {
    certainty: "suspected",
    ...lackIn(shown[field]),
    expected: `${name} as it is when it is left out: ${describeValue(whenLeftOut)}`,
    actual: describeValue(shown[field]),
    shownBy: [{ entry: leftOut }, { entry, offending }],
  };
}

/** True unless all creates without the field show one value: a service may make up another each time (a code). */
function mayBeFilledIn(history: History, { operation }: FieldTarget, field: string, shown: unknown): boolean {
  if (operation.kind !== "create" || !isDistinctive(shown)) return false;
  const values = history.answers
    .to(operation)
    .filter(({ entry, isValid }) => isValid && isAccepted(entry) && !(field in Object(requestJson(entry))))
    .map(({ entry }) => resourceIn(entry)?.[field]);
  const isOne = values.length > 1 && values.every((value) => sameFieldValue(value, values[0]));
  return !isOne && values.every(isDistinctive);
}

function withoutField(
  history: History,
  { operation }: FieldTarget,
  entry: Entry,
  field: string,
): Entry | undefined {
  if (operation.kind === "update") {
    const own = history.updates(operation).filter((update) => pathId(update.entry) === pathId(entry));
    const before = own.findLast((update) => update.entry.begun < entry.begun);
    return before?.answer && before.entry.ended < entry.begun ? before.entry : undefined;
  }
  const names = (each: Entry) => Object.keys(Object(requestJson(each))).sort();
  const others = names(entry).filter((name) => name !== field);
  return history.answers
    .to(operation)
    .find(
      ({ entry: other, isValid }) => isValid && isAccepted(other) && names(other).join() === others.join(),
    )?.entry;
}
