/** Rules: null in an optional field that forbids it is rejected, or treated as absence. */

import { faultyRequests, mustBeRejected } from "../../history/answers/rejections.ts";
import { type Entry, isAccepted, isRejected, objectSent, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { isDistinctive } from "../../history/journal/field-values.ts";
import { sideOf } from "../../history/request-faults/sent-request.ts";
import { judged, type Violation, violationBy } from "../../history/result.ts";
import { sameFieldValue } from "../../history/values/differences.ts";
import { fieldAt, valueAt } from "../../spec/json.ts";
import { lackIn } from "../../spec/model/difference.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, rejectionRule } from "../shared/history-rule.ts";
import { brokenFields } from "./probes.ts";
import { type FieldTarget, fieldTargets, isBroken, isOptionalNull } from "./targets.ts";

const common = {
  cause: "invalid-body",
  notes: "brokenField",
  probes: (at: FieldTarget) => [brokenFields(at)],
} as const;

export const nullIsAbsent = historyRule({
  ...common,
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

export const nullRejected = rejectionRule({
  ...common,
  targets: (spec) => fieldTargets(spec).filter(isOptionalNull),
  title: ({ operation, name }) => `${operation.key} rejects null for ${name}, which is optional`,
  requests: withNull,
  describe: (_, { name }) => `null for ${name}`,
  tried: ({ name }) => `${name} null`,
});

function withNull(history: History, at: FieldTarget) {
  const requirement = `${sideOf(at.operation)}-NULL-OPTIONAL`;
  return faultyRequests(history, at.operation, [requirement], (entry) => isBroken(history, entry, at));
}

/** Returns the violation if the answer shows null, or another value than answers to bodies without the field. */
function takenAsValue(history: History, at: FieldTarget, entry: Entry): Violation | undefined {
  const { name, pointer } = at;
  const field = fieldAt(pointer);
  const shown = resourceIn(entry);
  if (!shown) return undefined;
  const wrong = { entry, offending: `/result/${field}` };
  if (valueAt(shown, pointer) === null) {
    const expected = `null for ${name} to be rejected, or taken as if it were left out`;
    return violationBy("suspected", { difference: "null", expected, actual: "null" }, wrong);
  }
  const schema = history.spec.schemas.at(at.body, `/${field}`);
  if (pointer !== `/${field}` || (schema && history.spec.schemas.holdsSecret(schema))) return undefined;
  const { default: byDefault } = history.spec.schemas.flatten(schema);
  if (byDefault !== undefined && sameFieldValue(byDefault, shown[field])) return undefined;
  const valueIn = (other: Entry) => resourceIn(other)?.[field];
  const allLeftOut = withoutField(history, at, entry, field);
  const [leftOut] = allLeftOut;
  if (!leftOut || allLeftOut.some((other) => sameFieldValue(valueIn(other), shown[field]))) return undefined;
  if (mayBeFilledIn(history, at, field, shown[field])) return undefined;
  const expected = `${name} as it is when it is left out: ${describeValue(valueIn(leftOut))}`;
  const facts = { ...lackIn(shown[field]), expected, actual: describeValue(shown[field]) };
  return violationBy("suspected", facts, leftOut, wrong);
}

/** True unless all creates without the field show one value: a service may make up another each time (a code). */
function mayBeFilledIn(history: History, { operation }: FieldTarget, field: string, shown: unknown): boolean {
  if (operation.kind !== "create" || !isDistinctive(shown)) return false;
  const values = history.answers
    .to(operation)
    .filter(({ entry, isValid }) => isValid && isAccepted(entry) && !(field in (objectSent(entry) ?? {})))
    .map(({ entry }) => resourceIn(entry)?.[field]);
  const isOne = values.length > 1 && values.every((value) => sameFieldValue(value, values[0]));
  return !isOne && values.every(isDistinctive);
}

/** Returns requests whose answers show the field as the service may set it if it is left out. */
function withoutField(history: History, { operation }: FieldTarget, entry: Entry, field: string): Entry[] {
  if (operation.kind === "update") {
    const { url } = entry.request;
    const own = history.updates(operation).filter((update) => update.entry.request.url === url);
    const before = own.findLast((update) => update.entry.begun < entry.begun);
    if (!before?.answer || before.entry.ended > entry.begun) return [];
    if (operation.method !== "PUT") return [before.entry];
    // A PUT may reset a field that it leaves out, or keep it.
    const leftOut = own.find(({ sent, answer }) => answer && !(field in sent))?.entry;
    return leftOut ? [leftOut, before.entry] : [];
  }
  const names = (each: Entry) => Object.keys(objectSent(each) ?? {}).sort();
  const others = names(entry).filter((name) => name !== field);
  const alike = history.answers
    .to(operation)
    .find(
      ({ entry: other, isValid }) => isValid && isAccepted(other) && names(other).join() === others.join(),
    );
  return alike ? [alike.entry] : [];
}
