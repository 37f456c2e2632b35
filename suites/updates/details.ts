/** Updates show lists in the sent order, and mail addresses in the sent case (SHOULD). */

import { describeDifferences, echoDifferences } from "../../history/differences.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import type { SeenUpdate } from "../../history/updates-seen.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { historyRule } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/rule.ts";
import { walkOf } from "./probes.ts";
import { updatesOf } from "./updating.ts";

const details = historyRule({
  requirement: "UPDATE-ECHO-DETAILS",
  targets: updatesOf,
  title: ({ operation }) =>
    `${operation.key} shows lists in the order, and mail addresses in the case, that were sent`,
  probes: ({ operation }) => [walkOf(operation)],
  writes: true,
  check(history, { operation }) {
    const shown = history
      .updates(operation)
      .filter(({ accepted, answer, sent }) => accepted && answer && history.isPlainlyValid(operation, sent));
    const violations = shown.flatMap((update) => respelled(history, operation, update));
    return judged(
      violations,
      shown.map(({ entry }) => entry),
      notExercised("no-data", "no answer to an accepted update shows a resource"),
    );
  },
});

/** Differences of an answer from the sent body only in the order of lists, or the case of mail addresses. */
export function respelled(
  history: History,
  operation: Operation,
  { entry, sent, answer }: Pick<SeenUpdate, "entry" | "sent" | "answer">,
): Violation[] {
  const { schemas } = history.spec;
  const context = {
    schemas,
    sentSchema: operation.body ?? {},
    shownSchema: operation.resource ?? {},
    resolveReference: history.references(operation.body ?? {}),
  };
  const lacking = new Set(echoDifferences(sent, answer, context).map(({ pointer }) => pointer));
  const differences = echoDifferences(sent, answer, { ...context, exact: true }).filter(
    ({ pointer }) => !lacking.has(pointer),
  );
  if (differences.length === 0) return [];
  const offending = `/result${differences[0]?.pointer ?? ""}`;
  return [{ certainty: "proven", ...describeDifferences(differences), shownBy: [{ entry, offending }] }];
}

export const updateDetails = suiteOf("updates", details);
