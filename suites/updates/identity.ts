import { pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult } from "../../history/result.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** Returns undefined if every answer shows the id of the path. */
export function differentId(history: History, update: Operation): RuleResult | undefined {
  const wrong = history.journal.wrongIds.filter(({ entry }) => entry.operation === update);
  if (wrong.length === 0) return undefined;
  const violations = wrong.map(({ entry, shown }) => ({
    certainty: "proven" as const,
    expected: `the resource ${pathId(entry)} that the path names`,
    actual: `the resource ${shown}`,
    shownBy: [{ entry, offending: "/result/id" }],
  }));
  return judged(violations, [], notExercised("no-data", ""));
}
