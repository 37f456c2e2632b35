import { uniqueRequirements } from "../../history/creates/unique-values.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { historyRule, ifNotExercised, type RuleTarget, suiteOf } from "../shared/history-rule.ts";
import { judgeAnswers, requirementsAt } from "./judging.ts";
import { extraFields, openValues, unseenFields } from "./observations.ts";
import { isCreateOrUpdate, itemsOfList, sampleOf } from "./probes.ts";

interface AnswerTarget extends RuleTarget {
  requirement: string;
  statement: string;
  lists: Operation[];
}

/** Returns a target for each requirement on the answers of each operation. */
function answerTargets(spec: Spec): AnswerTarget[] {
  return spec.operations.flatMap((operation) =>
    requirementsAt(spec, operation).map((requirement) => ({
      operation,
      requirement,
      statement: spec.requirements.get(requirement)?.statement ?? requirement,
      lists: spec.operations.filter(
        (list) => list.kind === "list" && uniqueRequirements(spec, list).includes(requirement),
      ),
    })),
  );
}

const everyAnswer = historyRule<AnswerTarget>({
  targets: answerTargets,
  title: ({ operation, statement }) => `every answer to ${operation.key}: ${statement}`,
  stage: "finish",
  probes: ({ lists }) => lists.map(itemsOfList),
  followUp: ifNotExercised(({ operation }) => sampleOf(operation)),
  writes: ({ operation }) => isCreateOrUpdate(operation),
  namesWhoAsked: true,
  check: (history, { operation, requirement }) => judgeAnswers(history, operation, requirement),
});

export const responseChecks = suiteOf("responses", everyAnswer, extraFields, unseenFields, openValues);
