import { type Answer, isServerError } from "../../history/answers/answers.ts";
import { serverErrors } from "../../history/answers/server-errors.ts";
import { type AnswerFault, nullsIn, shapeFaults } from "../../history/answers/shape-faults.ts";
import { uniqueRequirements, uniqueUses } from "../../history/creates/unique-values.ts";
import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { shapeRequirements, shownParts } from "../../history/journal/shown-parts.ts";
import {
  judged,
  notExercised,
  type RuleResult,
  type Violation,
  violationBy,
  wrongStatus,
} from "../../history/result.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { ANSWER_RULES, type AnswerRule } from "./rules.ts";

/** A field that this many resources lack is probably never shown. */
const ENOUGH_RESOURCES = 10;

interface FaultyAnswer {
  answer: Answer;
  fault: AnswerFault;
}

/** Returns the requirements that each answer of the operation must keep. */
export function requirementsAt(spec: Spec, operation: Operation): string[] {
  const own = ANSWER_RULES.filter(({ appliesTo }) => appliesTo(operation));
  return [
    ...new Set([
      "NO-SERVER-ERROR",
      ...own.map(({ requirement }) => requirement),
      ...shapeRequirements(spec, operation),
      ...uniqueRequirements(spec, operation),
    ]),
  ];
}

export function judgeAnswers(history: History, operation: Operation, requirement: string): RuleResult {
  if (requirement === "NO-SERVER-ERROR") return judgeServerErrors(history, operation);
  const { spec, answers } = history;
  const rules = ANSWER_RULES.filter((rule) => rule.requirement === requirement && rule.appliesTo(operation));
  const faults: FaultyAnswer[] = [];
  const exercised = new Set<Entry>();
  for (const answer of answers.to(operation)) {
    const shown = [
      ...rules.map((rule) => rule.check(answer)),
      ...shapeFaults(spec.schemas, answer).filter((fault) => fault.requirement === requirement),
    ];
    for (const fault of shown) if (fault) faults.push({ answer, fault });
    if (shown.some((fault) => fault !== undefined) || shownParts(spec, answer).exercised.has(requirement))
      exercised.add(answer.entry);
  }
  const ofSize = rules.filter(({ isOfSize }) => isOfSize);
  for (const answer of ofSize.length > 0 ? answers.oversized(operation) : [])
    for (const { check } of ofSize) {
      const fault = check(answer);
      if (fault) faults.push({ answer, fault: { ...fault, actual: `${fault.actual} or more` } });
    }
  const uses = uniqueUses(history, operation, requirement);
  for (const { entry } of uses.compared) exercised.add(entry);
  const violations = [...oneViolation(faults), ...uses.violations.slice(0, 1)];
  return judged(violations, [...exercised], () => whyUnexercised(history, operation));
}

/** Returns the requirements that this answer violates by itself. */
export function provenBy(spec: Spec, answer: Answer): string[] {
  const rules = ANSWER_RULES.filter(({ appliesTo }) => appliesTo(answer.operation) && !isServerError(answer));
  return [
    ...rules.flatMap((rule) => (rule.check(answer) ? [rule.requirement] : [])),
    ...shapeFaults(spec.schemas, answer).map(({ requirement }) => requirement),
  ];
}

export function judgeRule(history: History, operation: Operation, check: AnswerRule["check"]): RuleResult {
  const seen = history.answers.to(operation).map((answer) => ({ answer, fault: check(answer) }));
  const faults = seen.flatMap(({ answer, fault }) => (fault ? [{ answer, fault }] : []));
  const exercised = seen.flatMap(({ answer, fault }) => (fault === undefined ? [] : [answer.entry]));
  return judged(oneViolation(faults), exercised, () => whyUnexercised(history, operation));
}

/** Returns the result for a server error that equal requests did not get again. */
function passingError(history: History, [error, ...later]: readonly [Entry, ...Entry[]]): RuleResult {
  const shownBy = [{ entry: error, offending: "status" }, ...later.map((entry) => ({ entry }))];
  const violation: Violation = { ...wrongStatus("no server error", error), shownBy };
  const otherwise: RuleResult = {
    outcome: "unsteady",
    message: "expected no server error, got one that an equal request did not get again",
    shownBy,
  };
  // An excused violation lets the run look for its cause.
  return history.isOfRound(error) ? { outcome: "excused", violation, otherwise } : otherwise;
}

/** Judges server errors (5xx): equal requests must fail again, or concurrent ones in another round. */
function judgeServerErrors(history: History, operation: Operation): RuleResult {
  const { lasting, concurrent, concurrentOnce, passing } = serverErrors(history, operation);
  const shown = (answers: Answer[]) =>
    oneViolation(
      answers.map((answer) => ({
        answer,
        fault: { expected: "no server error", actual: `status ${answer.status}`, offending: "status" },
      })),
    );
  const violations =
    lasting.length > 0
      ? shown(lasting)
      : shown(concurrent.slice(0, 1)).map((each): Violation => ({ ...each, certainty: "suspected" }));
  if (violations.length === 0 && concurrentOnce)
    return {
      outcome: "unsteady",
      message: `expected no server error, got status ${concurrentOnce.status} among simultaneous calls, and not when they were sent again`,
      shownBy: [{ entry: concurrentOnce.entry, offending: "status" }],
    };
  if (violations.length === 0 && passing) return passingError(history, passing);
  const fine = history.answers.to(operation).filter((answer) => !isServerError(answer));
  return judged(
    violations,
    fine.map(({ entry }) => entry),
    () => whyUnexercised(history, operation),
  );
}

function whyUnexercised({ spec, answers }: History, operation: Operation): RuleResult {
  const resources = new Set(
    answers.to(operation).flatMap((answer) => [...shownParts(spec, answer).resources]),
  );
  const reason = resources.size >= ENOUGH_RESOURCES ? "not-shown" : "no-data";
  return notExercised(reason, `no answer to ${operation.key} could have broken this`);
}

/** Returns one violation for all faulty answers, shown by the simplest of them. */
function oneViolation(faults: FaultyAnswer[]): Violation[] {
  const weighed = faults.map((shown) => ({ ...shown, weight: weightOfExample(shown) }));
  const [first] = weighed.sort((a, b) => a.weight - b.weight);
  if (!first) return [];
  const { answer, fault } = first;
  const nulls = [...new Set(faults.flatMap((shown) => shown.fault.nulls ?? []))];
  const { difference, expected, actual } = fault.nulls ? nullsIn(nulls) : fault;
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more like it)` : "";
  const { offending } = fault;
  const wrong = offending === undefined ? answer.entry : { entry: answer.entry, offending };
  return [violationBy("proven", { difference, expected, actual: `${actual}${others}` }, wrong)];
}

function weightOfExample({ answer: { entry, isValid }, fault }: FaultyAnswer): number {
  const { request, response } = entry;
  const answered = "status" in response ? response.body.text.length : 0;
  const size = request.url.length + (request.body?.text.length ?? 0) + answered;
  return size + (isValid ? 0 : 1e8) + (fault.nulls ? 1e9 : 0);
}
