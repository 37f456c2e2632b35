/** Valid requests, and whether the service accepts them. */

import type { Operation } from "../spec/model/spec.ts";
import type { Answer } from "./answers.ts";
import { type Entry, isAccepted, isRejected, statusOf } from "./entry.ts";
import type { History } from "./history.ts";
import { judged, notExercised, type RuleResult } from "./result.ts";
import { isServed } from "./served.ts";

/** The answers of a round to requests that break no rule and carry the user's own token, if `isMeant`. */
export function validRequests(
  history: History,
  operation: Operation,
  isMeant: (entry: Entry) => boolean,
): Answer[] {
  return history.answers
    .to(operation)
    .filter(
      ({ entry }) =>
        history.isOfRound(entry) &&
        isMeant(entry) &&
        history.isOrdinary(entry) &&
        history.answers.classification(entry).kind === "valid",
    );
}

/** The verdict on valid requests. `what` names them as a noun phrase, for the message. */
export function mustBeAccepted(
  history: History,
  operation: Operation,
  answers: readonly Answer[],
  what: string,
): RuleResult {
  const rejected = answers.map(({ entry }) => entry).filter(isRejected);
  const violations = rejected
    .filter((entry) => !isVersionRejected(history, operation, entry))
    .map((entry) => ({
      certainty: "suspected" as const,
      expected: `${what} to be accepted`,
      actual: `status ${statusOf(entry)}`,
      shownBy: [{ entry, offending: "status" }],
    }));
  const served = answers.filter(isServed).map(({ entry }) => entry);
  return judged(violations, served, unserved(answers));
}

/** True if the operation accepts requests under other versions only: then the version is to blame for a rejection. */
function isVersionRejected(history: History, operation: Operation, { version }: Entry): boolean {
  const accepted = validRequests(history, operation, isAccepted).map(({ entry }) => entry.version);
  return accepted.length > 0 && !accepted.includes(version);
}

function unserved([first]: readonly Answer[]): RuleResult {
  if (!first) return notExercised("no-data", "no valid request had this value alone");
  const { entry, status } = first;
  if (isRejected(entry))
    return notExercised("control-rejected", `version ${entry.version ?? "none"} is rejected`, [entry]);
  if (status >= 500) return notExercised("server-error", `it was answered ${status}`, [entry]);
  return notExercised("no-data", "it was accepted, and shows nothing for it", [entry]);
}
