import type { Answer } from "../../history/answers/answers.ts";
import { isRejected, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult, type Violation, violationBy } from "../../history/result.ts";
import { identityOf } from "../../spec/identity.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { historyRule, targetsAt } from "../shared/history-rule.ts";
import { decisions, type NeededReads, SAME } from "./read-decisions.ts";
import { type ReadPair, type ReadSeries, recordSeries, type ShownValue, seriesOf } from "./read-series.ts";
import { readAgain, repeatedReads } from "./repeated-reads.ts";

export const sameAgain = historyRule({
  requirement: "READ-STABLE",
  targets: (spec) => targetsAt(operationsOf(spec, "read", "list")),
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
  const isAlike = (one: NeededReads, other: NeededReads) =>
    one.again === other.again && one.way === other.way && one.after === other.after;
  return needs.filter((need, index) => needs.findIndex((other) => isAlike(need, other)) === index);
}

/** Two reads follow: a request of another check may have come just before the first of them. */
const READS_AFTER_CHANGE = 2;

/** Returns a violation if answers differ from equal ones before and after them. */
function passingChange(history: History, operation: Operation): Violation | undefined {
  for (const { pairs } of partsAndPages(history, operation))
    for (const [index, { one, other, isChanged }] of pairs.entries()) {
      const back = isChanged ? nextChange(other, pairs.slice(index + 1)) : undefined;
      if (!back || !sameJson(back.value, one.value)) continue;
      const actual = "something else once, and then the same again";
      const facts = { difference: "answers-differ", expected: SAME, actual } as const;
      const wrong = { entry: other.entry, offending: "/result" };
      return violationBy("suspected", facts, one.entry, wrong, back.entry);
    }
  return undefined;
}

/** Returns the answer that differs next, if no write came before it. */
function nextChange(shown: ShownValue, pairs: readonly ReadPair[]): ShownValue | undefined {
  let latest = shown;
  for (const { one, other, isChanged } of pairs) {
    if (one !== latest) return undefined;
    if (isChanged) return other;
    latest = other;
  }
  return undefined;
}

/** Returns a read that shows if the only change is undone. */
function readsIfChangePasses(history: History, operation: Operation): NeededReads[] {
  const part = partsAndPages(history, operation).find(
    ({ pairs }) => pairs.at(-1)?.isChanged && pairs.filter(({ isChanged }) => isChanged).length === 1,
  );
  const lastPair = part?.pairs.at(-1);
  return lastPair ? [{ again: lastPair.other.entry, way: "soon", times: READS_AFTER_CHANGE }] : [];
}

function partsAndPages(history: History, operation: Operation): ReadSeries[] {
  return [...seriesOf(history, operation, idsIn), ...recordSeries(history, operation)];
}

function idsIn({ spec }: History, { operation, page }: Answer): ReadonlyMap<string, unknown> {
  const identity = identityOf(spec, operation);
  return new Map(page ? [["the page", page.items.map((item) => String(item[identity])).sort()]] : []);
}
