import { createsById } from "../../history/creates/made-items.ts";
import { hasSameCaller, otherHeaders } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { sameJson } from "../../spec/json.ts";
import { operationsOf } from "../../spec/operations.ts";
import { firstPages } from "../shared/first-pages.ts";
import { historyRule } from "../shared/history-rule.ts";
import { repeatedReads } from "./repeated-reads.ts";

export const notEmptyBetween = historyRule({
  requirement: "READ-STABLE",
  targets: (spec) =>
    operationsOf(spec, "list").map((operation) => ({ operation, detail: "not empty between" })),
  title: ({ operation }) => `${operation.key} is not empty between two lists that show the same resources`,
  probes: ({ operation }) => [repeatedReads(operation)],
  check(history, { operation }) {
    const pages = firstPages(history, operation).filter(({ answer }) => answer === "shown");
    const own = pages.filter(({ entry }) => history.isOfRound(entry));
    const violations = own.flatMap((page) => emptyBetween(history, page, pages));
    const shown = own.filter(({ items }) => items.length > 0);
    const again = shown.filter((page) =>
      shown.some((other) => isBefore(other, page) && asksTheSame(other, page)),
    );
    return judged(
      violations,
      again.map(({ entry }) => entry),
      notExercised("no-data", "no list that shows resources was read twice"),
    );
  },
});

/**
 * Returns the violation that the page is empty, although pages before and after it show one item. Resources of
 * the run do not count, because lists may show them late.
 */
function emptyBetween(history: History, page: ListPage, pages: readonly ListPage[]): Violation[] {
  if (page.items.length > 0) return [];
  const alike = pages.filter((other) => other.items.length > 0 && asksTheSame(other, page));
  // A list may show resources only under some versions.
  if (!alike.some(({ entry }) => entry.version === page.entry.version)) return [];
  const before = alike.findLast((other) => isBefore(other, page));
  const written = new Set(history.journal.resources.map(({ ownId }) => ownId));
  const isOfRun = (id: string) => written.has(id) || createsById(history).has(id);
  const isShared = (id: string) => before?.ids.includes(id) && !isOfRun(id);
  const after = alike.find((other) => isBefore(page, other) && other.ids.some(isShared));
  if (!before || !after) return [];
  return [
    {
      certainty: "suspected",
      difference: "answers-differ",
      expected: "the resources that the list shows before and after",
      actual: "an empty list",
      shownBy: [{ entry: before.entry }, { entry: page.entry, offending: "/result" }, { entry: after.entry }],
    },
  ];
}

function isBefore(one: ListPage, other: ListPage): boolean {
  return one.entry.ended < other.entry.begun;
}

/** True if both pages were asked for by the same caller with the same filters. */
function asksTheSame({ entry, filters }: ListPage, other: ListPage): boolean {
  return (
    hasSameCaller(entry, other.entry) &&
    sameJson(
      [entry.path, filters, otherHeaders(entry)],
      [other.entry.path, other.filters, otherHeaders(other.entry)],
    )
  );
}
