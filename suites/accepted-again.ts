/** Rules: a request between equal accepted ones is accepted. */

import type { Suite } from "../client/check.ts";
import { validRequests } from "../history/answers/acceptances.ts";
import { isOfNewResource, namesNewItem, type Outlier, outliers } from "../history/answers/outliers.ts";
import { isServed, nothingServed } from "../history/answers/served.ts";
import { type Entry, endOf } from "../history/entry.ts";
import { judged, type RuleResult, type Violation, violationMessage, wrongStatus } from "../history/result.ts";
import type { Operation } from "../spec/model/spec.ts";
import { historyRule, suiteOf, targetsAt } from "./shared/history-rule.ts";

/** The least number of rejections: a quota or a busy resource may explain fewer. */
const ENOUGH_REJECTIONS = 3;

function acceptedAgainSuite(suite: string, kind: Operation["kind"], requirement: string): Suite {
  const again = historyRule({
    requirement,
    targets: ({ operations }) =>
      targetsAt(
        operations.filter((operation) => operation.kind === kind && operation.response),
        "between equal requests",
      ),
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
        validRequests(history, operation)
          .filter(isServed)
          .map(({ entry }) => entry),
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

/** Returns the violation that a request was rejected between equal ones that were accepted. */
function violationOf({ before, entry, after }: Outlier, certainty: Violation["certainty"]): Violation {
  const violation = wrongStatus("the request to be accepted, as others like it", entry, before && [before]);
  const shownBy = [...violation.shownBy, ...(after ? [{ entry: after }] : [])];
  return { ...violation, certainty, shownBy };
}

function unsteadyResult(violation: Violation): RuleResult {
  return { outcome: "unsteady", message: `${violationMessage(violation)} once`, shownBy: violation.shownBy };
}

export const acceptedAgain: Suite[] = [
  acceptedAgainSuite("versions", "list", "VERSION-ACCEPTED"),
  acceptedAgainSuite("reads", "read", "READ-ACCEPTED"),
  acceptedAgainSuite("bodies", "create", "CREATE-ACCEPTED"),
  acceptedAgainSuite("bodies", "update", "UPDATE-ACCEPTED"),
];
