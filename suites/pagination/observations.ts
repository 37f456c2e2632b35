import type { History } from "../../history/history.ts";
import { type ListPage, showsList } from "../../history/lists/lists.ts";
import { notExercised } from "../../history/result.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { firstPagesOfRound } from "../shared/first-pages.ts";
import type { RuleTarget } from "../shared/history-rule.ts";
import { noteRule } from "../shared/note-rule.ts";
import { plainRead } from "./probes.ts";

export const totalElsewhere = noteRule({
  requirement: "TOTAL-ELSEWHERE",
  formerSuite: "lists",
  notes: "totalElsewhere",
  targets: (spec) => listsOf(spec, ({ list }) => !list?.total),
  title: ({ operation }) => `whether ${operation.key} shows a total, which is not documented for it`,
  probes: ({ operation }) => [plainRead(operation)],
  seen: (history, { operation }) =>
    firstPageShown(history, operation).map(({ entry, total }) => ({
      answer: { word: total === undefined ? "absent" : "present" },
      shownBy: entry,
    })),
  unseen: noListShown,
});

export const nextWithoutCursor = noteRule({
  requirement: "NEXT-WITHOUT-CURSOR",
  formerSuite: "lists",
  notes: "nextWithoutCursor",
  targets: (spec) => listsOf(spec, ({ list }) => !list?.after),
  title: ({ operation }) => `whether ${operation.key} shows a next, although it has no cursor parameter`,
  probes: ({ operation }) => [plainRead(operation)],
  seen: (history, { operation }) =>
    firstPageShown(history, operation).map(({ entry, next }) => ({
      answer: { word: next === null ? "none" : "cursor" },
      shownBy: entry,
    })),
  unseen: noListShown,
});

function listsOf(spec: Spec, isWanted: (operation: Operation) => boolean): { operation: Operation }[] {
  return operationsOf(spec, "list")
    .filter(isWanted)
    .map((operation) => ({ operation }));
}

function firstPageShown(history: History, list: Operation): ListPage[] {
  return firstPagesOfRound(history, list).filter(showsList).slice(0, 1);
}

function noListShown(_: History, { operation }: RuleTarget) {
  return notExercised("control-rejected", `${operation.key} showed no list`);
}
