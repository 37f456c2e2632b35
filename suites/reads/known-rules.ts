/** Rule: a read without a list shows its resource (sections 4.6 to 4.13). */

import { mustBeAccepted, validRequests } from "../../history/answers/acceptances.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { isOfNewResource } from "../../history/answers/outliers.ts";
import { type Entry, hasExcusedStatus, isAccepted, isRejected } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { mayBeUnwritten } from "../../history/journal/unwritten-parts.ts";
import { notExercised } from "../../history/result.ts";
import { operationsOf } from "../../spec/operations.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { readAfterTimeout, readEachWay } from "./probes.ts";
import { isOfRecord } from "./records.ts";

export const readsKnown = historyRule<RuleTarget>({
  requirement: "READ-ACCEPTED",
  targets: (spec) =>
    operationsOf(spec, "read")
      .filter((operation) => !isOfRecord(operation))
      .map((operation) => ({ operation })),
  title: ({ operation }) => `${operation.key} reads a resource`,
  probes: ({ operation }) => [readEachWay(operation)],
  check(history, { operation }) {
    const sent = validRequests(history, operation);
    const due = sent.filter(({ entry }) => !isRejected(entry) || !isExcused(history, sent, entry));
    const [other] = sent;
    if (other && due.length === 0)
      return notExercised("no-data", "nothing was read that had to be there", [other.entry]);
    return mustBeAccepted(history, operation, due, "a valid read");
  },
  followUp(result, { operation }, history) {
    const violations = result.outcome === "violated" ? result.violations : [];
    const rejected = violations.flatMap(({ shownBy: [first] }) => first?.entry ?? []);
    const early = rejected.find((entry) => isOfNewResource(history, entry));
    return early && readAfterTimeout(operation, early);
  },
});

/** True if a replica may not know the resource yet, or if the part is made by its first update. */
function isExcused(history: History, reads: readonly Answer[], entry: Entry): boolean {
  if (hasExcusedStatus(entry) && mayBeUnwritten(history, entry)) return true;
  const isLater = ({ entry: other }: Answer) => isAlike(other, entry) && other.begun > entry.ended;
  return isOfNewResource(history, entry) && reads.some((read) => isLater(read) && isAccepted(read.entry));
}

function isAlike(one: Entry, other: Entry): boolean {
  return one.request.url === other.request.url && one.version === other.version && one.space === other.space;
}
