import { uniqueRequirements } from "../../history/creates/unique-values.ts";
import type { History } from "../../history/history.ts";
import { shownParts } from "../../history/journal/shown-parts.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { childSchemas } from "../../spec/schema.ts";
import { historyRule, ifNotExercised, noteRule, type RuleTarget, suiteOf } from "../shared/history-rule.ts";
import { judgeAnswers, requirementsAt } from "./judging.ts";
import { isCreateOrUpdate, itemsOfList, sampleOf } from "./probes.ts";

/** Returns a target for each requirement on the answers of each operation. */
function answerTargets(spec: Spec) {
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

const everyAnswer = historyRule({
  targets: answerTargets,
  title: ({ operation, statement }) => `every answer to ${operation.key}: ${statement}`,
  stage: "finish",
  probes: ({ lists }) => lists.map(itemsOfList),
  followUp: ifNotExercised(({ operation }) => sampleOf(operation)),
  writes: ({ operation }) => isCreateOrUpdate(operation),
  namesWhoAsked: true,
  check: (history, { operation, requirement }) => judgeAnswers(history, operation, requirement),
});

const MOST_VALUES = 20;

const common = {
  stage: "finish",
  probes: () => [],
  writes: ({ operation }: RuleTarget) => isCreateOrUpdate(operation),
} as const;

function resourceTargets({ operations }: Spec) {
  return operations.flatMap((operation) => {
    const { resource } = operation;
    return resource ? [{ operation, resource }] : [];
  });
}

const extraFields = noteRule({
  ...common,
  requirement: "EXTRA-FIELDS",
  notes: "undocumentedFields",
  targets: resourceTargets,
  title: ({ operation }) => `fields in answers to ${operation.key} that are not documented`,
  seen: (history, { operation }) => namesSeen(history, operation, namesOfExtra(history, operation)),
});

/** Returns the undocumented fields that answers show. */
export function namesOfExtra(history: History, operation: Operation): string[] {
  const names = shownPartsOf(history, operation).flatMap(({ extra }) => [...extra]);
  return [...new Set(names)].sort();
}

const unseenFields = noteRule({
  ...common,
  requirement: "FIELDS-SEEN",
  notes: "unseenFields",
  targets: resourceTargets,
  title: ({ operation }) => `documented fields that no answer to ${operation.key} shows`,
  seen: (history, { operation }) => namesSeen(history, operation, namesOfUnseen(history, operation)),
});

/** Returns the documented fields that no answer shows. */
export function namesOfUnseen(history: History, operation: Operation): string[] {
  const seen = new Set(shownPartsOf(history, operation).flatMap(({ documented }) => [...documented]));
  return history.spec.schemas.fieldNames(operation.resource).filter((name) => !seen.has(name));
}

const openValues = noteRule({
  ...common,
  notes: "openValues",
  targets: (spec) =>
    resourceTargets(spec).flatMap(({ operation, resource }) =>
      [...openEnumerations(spec, resource)].map((requirement) => ({ operation, requirement })),
    ),
  title: ({ operation }) => `values that ${operation.key} shows in a field whose values are not documented`,
  seen: (history, { operation, requirement }) =>
    namesSeen(history, operation, valuesShown(history, operation, requirement)),
});

/** Returns some values of fields whose values are not documented. */
export function valuesShown(history: History, operation: Operation, requirement: string): string[] {
  const values = shownPartsOf(history, operation)
    .flatMap(({ open }) => open.filter((each) => each.requirement === requirement))
    .map(({ value }) => String(value));
  return [...new Set(values)].slice(0, MOST_VALUES).sort();
}

function shownPartsOf({ spec, answers }: History, operation: Operation) {
  return answers.to(operation).map((answer) => shownParts(spec, answer));
}

/** Returns the names, shown by an answer with undocumented fields if there is one. */
function namesSeen({ spec, answers }: History, operation: Operation, names: string[]) {
  const all = answers.to(operation).filter(({ isJudged }) => isJudged);
  const shown = all.find((answer) => shownParts(spec, answer).extra.size > 0) ?? all[0];
  return [{ answer: { names }, shownBy: shown ? shown.entry : [] }];
}

/** Returns the names of the enumerations within the resource to which services may add values. */
function openEnumerations(spec: Spec, resource: Schema): Set<string> {
  const open = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (schema: Schema): void => {
    const flat = spec.schemas.flatten(schema);
    if (seen.has(flat)) return;
    seen.add(flat);
    if (flat["x-observe"]) open.add(flat["x-observe"]);
    for (const [, child] of childSchemas(flat)) visit(child);
  };
  visit(resource);
  return open;
}

export const responseChecks = suiteOf("responses", everyAnswer, extraFields, unseenFields, openValues);
