/** Rules: a request between equal accepted ones is accepted. */

import type { Suite } from "../client/check.ts";
import { validRequests } from "../history/answers/acceptances.ts";
import { isOfNewResource, namesNewItem, type Outlier, outliers } from "../history/answers/outliers.ts";
import { isServed, nothingServed } from "../history/answers/served.ts";
import { type Entry, endOf, statusOf } from "../history/entry.ts";
import type { History } from "../history/history.ts";
import { judged, type RuleResult, type Violation } from "../history/result.ts";
import type { Operation } from "../spec/model/spec.ts";
import { historyRule, suiteOf } from "./shared/history-rule.ts";

/** The least number of rejections: a quota or a busy resource may explain fewer. */
const ENOUGH_REJECTIONS = 3;

function acceptedAgainSuite(suite: string, kind: Operation["kind"], requirement: string): Suite {
  const again = historyRule({
    requirement,
    targets: ({ operations }) =>
      operations
        .filter((operation) => operation.kind === kind && operation.response)
        .map((operation) => ({ operation, detail: "between equal requests" })),
    title: ({ operation }) =>
      `${operation.key} accepts a request if it accepts equal ones before and after it`,
    probes: () => [],
    namesWhoAsked: true,
    mayBeExcused: true,
    check(history, { operation }) {
      const { unexcused, excused } = outliers(history, operation);
      const isProven = operation.method === "GET" && unexcused.length >= ENOUGH_REJECTIONS;
      const result = judged(
        unexcused.map((outlier) => violationOf(outlier, isProven ? "proven" : "suspected")),
        servedBy(history, operation),
        nothingServed(history, operation),
      );
      const [likeliest] = excused.sort((one, other) => restBefore(other) - restBefore(one));
      if (unexcused.length > 0 || !likeliest) return result;
      const violation = violationOf(likeliest, "suspected");
      const isNew = (entry: Entry) =>
        namesNewItem(history, operation, entry) || isOfNewResource(history, entry);
      const unexplained = excused.find(({ entry }) => !isNew(entry));
      const isUnsteady = operation.method === "GET" && unexplained !== undefined;
      const otherwise = isUnsteady ? unsteadyResult(violationOf(unexplained, "suspected")) : result;
      return { outcome: "excused", violation, otherwise };
    },
  });
  return suiteOf(suite, again);
}

function restBefore({ before, entry }: Outlier): number {
  return before ? entry.startedAt - endOf(before) : 0;
}

function servedBy(history: History, operation: Operation): Entry[] {
  return validRequests(history, operation)
    .filter(isServed)
    .map(({ entry }) => entry);
}

/** Returns the violation that a request was rejected between equal ones that were accepted. */
function violationOf({ before, entry, after }: Outlier, certainty: Violation["certainty"]): Violation {
  const shown = (others: Entry | undefined) => (others ? [{ entry: others }] : []);
  return {
    certainty,
    expected: "the request to be accepted, as others like it",
    actual: `status ${statusOf(entry)}`,
    shownBy: [...shown(before), { entry, offending: "status" }, ...shown(after)],
  };
}

function unsteadyResult({ expected, actual, shownBy }: Violation): RuleResult {
  return { outcome: "unsteady", message: `expected ${expected}, got ${actual} once`, shownBy };
}

export const acceptedAgain: Suite[] = [
  acceptedAgainSuite("versions", "list", "VERSION-ACCEPTED"),
  acceptedAgainSuite("reads", "read", "READ-ACCEPTED"),
  acceptedAgainSuite("bodies", "create", "CREATE-ACCEPTED"),
  acceptedAgainSuite("bodies", "update", "UPDATE-ACCEPTED"),
];
