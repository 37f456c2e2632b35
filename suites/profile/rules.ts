/** Promises of a profile that a single answer can break: values of fields, and the form of errors. */

import { openFields, type Profile } from "../../profiles/promises.ts";
import { errorSources } from "../../profiles/sources.ts";
import { type AnswerPromise, promiseCheck } from "../../profiles/watch-answers.ts";
import type { CheckFacts } from "../../spec/model/check.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { judgeRule } from "../responses/judging.ts";
import { sampleOf } from "../responses/probes.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import type { Rules } from "../shared/rule.ts";
import { rejectedCalls } from "./probes.ts";

interface AnswerTarget extends RuleTarget {
  promise: AnswerPromise;
}

export function answerPromises({ promised }: Profile, checks: readonly CheckFacts[]): Rules {
  return historyRule<AnswerTarget>({
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
      promise.kind === "values" ? [] : [rejectedCalls(operation, errorSources(checks, operation))],
    ifNotExercised: ({ operation, promise }) => (promise.kind === "values" ? sampleOf(operation) : undefined),
    // One source that only reads is enough, so a read-only run can judge the promise.
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
