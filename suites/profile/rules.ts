import { statusOf } from "../../history/entry.ts";
import { judged, wrongStatus } from "../../history/result.ts";
import { isAboutRequest } from "../../profiles/behaviour.ts";
import {
  openFields,
  type Profile,
  type Promised,
  promisedAt,
  REJECTION_CAUSES,
} from "../../profiles/promises.ts";
import { subjectOf } from "../../profiles/prose.ts";
import { errorSources, rejectionSources } from "../../profiles/sources.ts";
import { type AnswerPromise, promiseCheck } from "../../profiles/watch-answers.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { judgeRule } from "../responses/judging.ts";
import { sampleOf } from "../responses/probes.ts";
import { historyRule, ifNotExercised, type Rules, type RuleTarget, suiteOf } from "../shared/history-rule.ts";
import { behaviourPromises } from "./behaviour-rules.ts";
import { callsOf, type Source } from "./probes.ts";

/** Returns the rules of a profile. `checks` are those whose requests show if it is kept. */
export function profileRules(profile: Profile, checks: readonly Source[]) {
  const kinds = [behaviourPromises, rejectionPromises, answerPromises];
  return suiteOf("profile", ...kinds.map((promises) => promises(profile, checks)));
}

interface RejectionTarget extends RuleTarget {
  promise: Extract<Promised, { kind: "rejection" }>;
  allowed: readonly number[];
  sources: readonly Source[];
}

/** Returns a target for each operation that can be rejected for the promised cause. */
function rejectionTargets(
  { operations }: Spec,
  promise: RejectionTarget["promise"],
  checks: readonly Source[],
): RejectionTarget[] {
  return operations.flatMap((operation) => {
    const allowed = promisedAt(promise.statuses, operation.key);
    const sources = rejectionSources(checks, promise.cause, operation);
    if (!allowed || sources.length === 0) return [];
    return [{ operation, requirement: promise.id, promise, allowed, sources }];
  });
}

/** Returns the rule that rejections have the statuses that the profile promises. */
function rejectionPromises({ promised }: Profile, checks: readonly Source[]): Rules {
  return historyRule({
    targets: (spec) =>
      promised
        .filter((promise) => promise.kind === "rejection")
        .flatMap((promise) => rejectionTargets(spec, promise, checks)),
    title: ({ operation, promise, allowed }) =>
      `${operation.key} keeps the promise: ${REJECTION_CAUSES[promise.cause]} is rejected with ${allowed.join(" or ")}.`,
    stage: "finish",
    writes: ({ sources }) => sources.every((source) => source.writes),
    probes: ({ operation, promise, sources }) => [callsOf(operation, promise.cause, sources)],
    namesWhoAsked: true,
    check(history, { promise, allowed, sources }) {
      const seen = sources
        // If the valid twin was rejected, too, the fault may not be the reason.
        .filter((source) => source.verdict(history).outcome !== "not-exercised")
        .flatMap((source) => source.observed(history))
        .filter(({ by }) => isAboutRequest(statusOf(by) ?? 0));
      const what = REJECTION_CAUSES[promise.cause];
      const expected = `status ${allowed.join(" or ")} to ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
      return judged(
        seen
          .filter(({ by }) => !allowed.includes(statusOf(by) ?? 0))
          .map(({ by, note }) => ({
            ...wrongStatus(expected, by),
            actual: `status ${statusOf(by)} (${subjectOf(note)})`,
          })),
        seen.map(({ by }) => by),
        "no request of this run shows whether the promise is kept",
      );
    },
  });
}

/** Returns the rule that error answers have the type, body and challenge that the profile promises. */
function answerPromises({ promised }: Profile, checks: readonly Source[]): Rules {
  return historyRule({
    targets: (spec) =>
      promised
        .filter((promise) => promise.kind !== "rejection" && promise.kind !== "practice")
        .flatMap((promise) =>
          operationsUnder(spec, promise).map((operation) => ({
            operation,
            promise,
            requirement: promise.id,
          })),
        ),
    title: ({ operation, promise }) => `${operation.key} keeps the promise: ${promise.statement}`,
    stage: "finish",
    probes: ({ operation, promise }) =>
      promise.kind === "values" ? [] : [callsOf(operation, "errors", errorSources(checks, operation))],
    followUp: ifNotExercised(({ operation, promise }) =>
      promise.kind === "values" ? sampleOf(operation) : undefined,
    ),
    writes: ({ operation, promise }) =>
      promise.kind === "values"
        ? operation.method !== "GET"
        : errorSources(checks, operation).every((source) => source.writes),
    namesWhoAsked: true,
    check: (history, { operation, promise }) =>
      judgeRule(history, operation, promiseCheck(history.spec, promise)),
  });
}

function operationsUnder(spec: Spec, promise: AnswerPromise): readonly Operation[] {
  if (promise.kind !== "values") return spec.operations;
  const keys = openFields(spec).get(promise.field)?.operations ?? [];
  return spec.operations.filter(({ key }) => keys.includes(key));
}
