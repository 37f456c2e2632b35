import type { History } from "../../history/history.ts";
import { type ListPage, showsList } from "../../history/lists/lists.ts";
import { notExercised, type RuleResult } from "../../history/result.ts";
import type { Note } from "../../spec/model/note.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { firstPagesOfRound } from "../shared/first-pages.ts";
import { historyRule } from "../shared/history-rule.ts";
import { plainRead } from "./probes.ts";

export const totalElsewhere = historyRule({
  requirement: "TOTAL-ELSEWHERE",
  formerSuite: "lists",
  notes: "totalElsewhere",
  targets: (spec) => listsOf(spec, ({ list }) => !list?.total),
  title: ({ operation }) => `whether ${operation.key} shows a total, which is not documented for it`,
  probes: ({ operation }) => [plainRead(operation)],
  check: (history, { operation }) =>
    onFirstPage(history, operation, ({ total }) => ({
      requirement: "TOTAL-ELSEWHERE",
      operation: operation.key,
      behaviour: "totalElsewhere",
      answer: { word: total === undefined ? "absent" : "present" },
    })),
});

export const nextWithoutCursor = historyRule({
  requirement: "NEXT-WITHOUT-CURSOR",
  formerSuite: "lists",
  notes: "nextWithoutCursor",
  targets: (spec) => listsOf(spec, ({ list }) => !list?.after),
  title: ({ operation }) => `whether ${operation.key} shows a next, although it has no cursor parameter`,
  probes: ({ operation }) => [plainRead(operation)],
  check: (history, { operation }) =>
    onFirstPage(history, operation, ({ next }) => ({
      requirement: "NEXT-WITHOUT-CURSOR",
      operation: operation.key,
      behaviour: "nextWithoutCursor",
      answer: { word: next === null ? "none" : "cursor" },
    })),
});

function listsOf(spec: Spec, isWanted: (operation: Operation) => boolean): { operation: Operation }[] {
  return operationsOf(spec, "list")
    .filter(isWanted)
    .map((operation) => ({ operation }));
}

function onFirstPage(history: History, list: Operation, note: (page: ListPage) => Note): RuleResult {
  const page = firstPagesOfRound(history, list).find(showsList);
  if (!page) return notExercised("control-rejected", `${list.key} showed no list`);
  return { outcome: "noted", notes: [note(page)], evidence: [page.entry] };
}
