/** A request is accepted if equal ones are accepted before and after it. */

import type { Suite } from "../client/check.ts";
import { type Outlier, outliers, validRequests } from "../history/acceptances.ts";
import { statusOf } from "../history/entry.ts";
import type { History } from "../history/history.ts";
import { judged, notExercised, type RuleResult, type Violation } from "../history/result.ts";
import { isServed } from "../history/served.ts";
import type { Operation } from "../spec/model/spec.ts";
import { historyRule } from "./shared/history-rule.ts";
import { suiteOf } from "./shared/rule.ts";

/** So many rejected reads are no accident. Quotas and busy resources may explain fewer. */
const ENOUGH = 3;

function accepted(suite: string, kind: Operation["kind"], requirement: string): Suite {
  const again = historyRule({
    requirement,
    targets: ({ operations }) =>
      operations
        .filter((operation) => operation.kind === kind && operation.response)
        .map((operation) => ({ operation, detail: "between equal requests" })),
    title: ({ operation }) =>
      `${operation.key} accepts a request if it accepts equal ones before and after it`,
    probes: () => [],
    writes: kind === "create" || kind === "update",
    namesWhoAsked: true,
    check(history, { operation }) {
      const all = outliers(history, operation);
      const found = all.filter(({ isExcused }) => !isExcused);
      const isProven = operation.method === "GET" && found.length >= ENOUGH;
      const [excused] = all;
      if (found.length === 0 && excused && operation.method === "GET")
        return unsteady(violationOf(excused, "suspected"));
      return judged(
        found.map((outlier) => violationOf(outlier, isProven ? "proven" : "suspected")),
        validRequests(history, operation, () => true)
          .filter(isServed)
          .map(({ entry }) => entry),
        unserved(history, operation),
      );
    },
  });
  return suiteOf(suite, again);
}

function violationOf({ before, entry, after }: Outlier, certainty: Violation["certainty"]): Violation {
  return {
    certainty,
    expected: "the request to be accepted, as equal ones were before and after it",
    actual: `status ${statusOf(entry)}`,
    shownBy: [{ entry: before }, { entry, offending: "status" }, { entry: after }],
  };
}

function unsteady(violation: Violation): RuleResult {
  const { expected, actual, shownBy } = violation;
  return { outcome: "unsteady", message: `expected ${expected}, got ${actual} once`, shownBy, violation };
}

/** The result if no request was accepted, with the reason, such as a resource that the user did not name. */
function unserved({ head }: History, { key, pathParameter }: Operation): RuleResult {
  const { read, write } = pathParameter?.fixture ?? {};
  const name = write ?? read;
  return name !== undefined && head.fixtures[name] === undefined
    ? notExercised("no-fixture", `give --fixture ${name}=ID to test ${key}`)
    : notExercised("no-data", "no valid request was answered with the requested resource");
}

export const acceptedAgain: Suite[] = [
  accepted("versions", "list", "VERSION-ACCEPTED"),
  accepted("reads", "read", "READ-ACCEPTED"),
  accepted("bodies", "create", "CREATE-ACCEPTED"),
  accepted("bodies", "update", "UPDATE-ACCEPTED"),
];
