import { isRejected, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult } from "../../history/result.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { historyRule } from "../shared/history-rule.ts";
import { passingChange, readsIfChangePasses } from "./passing-changes.ts";
import { decisions, type NeededReads } from "./read-decisions.ts";
import { recordSeries } from "./read-series.ts";
import { readAgain, repeatedReads } from "./repeated-reads.ts";

export const sameAgain = historyRule({
  requirement: "READ-STABLE",
  targets: (spec) => operationsOf(spec, "read", "list").map((operation) => ({ operation })),
  title: ({ operation }) =>
    `${operation.key} shows the same when read again${operation.sameRecord ? ", and so does the list" : ""}`,
  stage: "repeat",
  probes: ({ operation }) => [repeatedReads(operation)],
  mayBeExcused: true,
  check(history, { operation }) {
    const otherwise = ofDecisions(history, operation);
    const violation = otherwise.outcome === "violated" ? undefined : passingChange(history, operation);
    // Other clients may cause the change, so the same request must cause it each time.
    return violation ? { outcome: "excused", violation, otherwise } : otherwise;
  },
  followUp(_, { operation }, history) {
    const needs = needsOf(history, operation);
    return needs.length === 0 ? undefined : readAgain(operation, needs);
  },
});

/** Judges the pairs of reads, and names the reason if no pair could be compared. */
function ofDecisions(history: History, operation: Operation): RuleResult {
  const all = recordSeries(history, operation);
  const same = all.flatMap(({ pairs }) => pairs.filter(({ isChanged }) => !isChanged));
  return judged(
    decisions(history, operation).flatMap(({ violation }) => violation ?? []),
    same.map(({ other }) => other.entry),
    () => {
      const sent = history.entries.filter((entry) => entry.operation === operation);
      const rejected = sent.find((entry) => isRejected(entry) && history.isOrdinary(entry));
      if (all.some(({ pairs }) => pairs.length > 0))
        return notExercised("drift", "the resource changed between two reads");
      if (!rejected) return notExercised("no-data", "there is nothing to read");
      const why = `a valid read was answered ${statusOf(rejected)}`;
      return notExercised("control-rejected", why, [rejected]);
    },
  );
}

/** Returns the reads that decide if equal reads get equal answers. */
export function needsOf(history: History, operation: Operation): NeededReads[] {
  const all = decisions(history, operation);
  const needs = all.flatMap((each) => each.needs ?? []);
  if (needs.length === 0 && all.every(({ violation }) => !violation))
    return readsIfChangePasses(history, operation);
  return needs.filter((need, index) => needs.findIndex((other) => isAlike(need, other)) === index);
}

function isAlike(one: NeededReads, other: NeededReads): boolean {
  return one.again === other.again && one.way === other.way && one.after === other.after;
}
