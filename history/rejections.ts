/** Requests with one fault, each with its valid twin: an accepted request without a fault. */

import type { Note } from "../spec/model/note.ts";
import type { Operation } from "../spec/model/spec.ts";
import type { Classification, Doubt } from "./classification.ts";
import { type Entry, isAccepted, isRejected, statusOf } from "./entry.ts";
import type { History } from "./history.ts";
import { judged, notExercised, type RuleResult } from "./result.ts";
import { isServed } from "./served.ts";

export interface Faulty {
  entry: Entry;
  /** The last accepted request before it, to the same operation under the same version. */
  twin: Entry | undefined;
  /**
   * One answer proves the violation: the request alone shows the fault, and the answer shows the requested
   * resource.
   */
  isProof: boolean;
}

/**
 * Requests whose only fault breaks one of the requirements. `mayHave` is false for requests that surely do
 * not have it.
 */
export function faultyRequests(
  history: History,
  operation: Operation,
  requirements: readonly string[],
  mayHave: (entry: Entry) => boolean = () => true,
): Faulty[] {
  const answers = history.answers.to(operation).filter(({ entry }) => history.isOfRound(entry));
  const entries = answers.map(({ entry }) => entry);
  return answers.flatMap((answer): Faulty[] => {
    const { entry } = answer;
    if (!mayHave(entry)) return [];
    const found = history.answers.classification(entry);
    if (found.kind === "valid") return [];
    const [fault, ...others] = found.faults;
    if (!fault || !requirements.includes(fault.requirement) || others.length > 0) return [];
    const isOfVersion = fault.place === `header/${operation.version?.name.toLowerCase()}`;
    const isTwin = (other: Entry) =>
      other.ended < entry.begun &&
      (isOfVersion || other.version === entry.version) &&
      isAccepted(other) &&
      isTwinOf(history.answers.classification(other), found, fault.place);
    const isProof = fault.basis === "request" && isServed(answer);
    return [{ entry, twin: entries.findLast(isTwin), isProof }];
  });
}

/**
 * No fault, nothing open at the place of the fault, and otherwise as open. Values that only the service knows
 * may be at the place: it has accepted them.
 */
function isTwinOf(other: Classification, faulty: Classification, place: string): boolean {
  if (other.kind === "faulty" || other.kind === "undocumented") return false;
  if (other.kind === "doubtful" && other.faults.length > 0) return false;
  const doubts = doubtsOf(other);
  if (doubts.some((doubt) => doubt.place === place && doubt.practice !== "unheardOfValues")) return false;
  const open = new Set(doubts.map((doubt) => doubt.place));
  return doubtsOf(faulty).every((doubt) => open.has(doubt.place));
}

function doubtsOf(found: Classification): Doubt[] {
  return found.kind === "doubtful" ? found.doubts : [];
}

/** `describe` returns a noun phrase. An answer that proves the violation needs no twin. */
export function mustBeRejected(requests: readonly Faulty[], describe: (entry: Entry) => string): RuleResult {
  const twinned = requests.filter(({ twin }) => twin !== undefined);
  const paired = twinned.map(({ entry }) => entry);
  const violations = requests
    .filter(({ entry, twin, isProof }) => (twin !== undefined || isProof) && (statusOf(entry) ?? 0) < 400)
    .map(({ entry, isProof }) => ({
      certainty: isProof ? ("proven" as const) : ("suspected" as const),
      expected: `${describe(entry)} to be rejected (4xx)`,
      actual: `status ${statusOf(entry)}`,
      shownBy: [{ entry, offending: "status" }],
    }));
  return judged(violations, paired.filter(isRejected), unproven(requests, paired));
}

function unproven(requests: readonly Faulty[], paired: readonly Entry[]): RuleResult {
  const [first] = requests;
  if (!first) return notExercised("no-data", "no request had this fault alone");
  const [answered] = paired;
  if (!answered)
    return notExercised(
      "control-rejected",
      "no valid request was accepted before, so a rejection would prove nothing",
      [first.entry],
    );
  return notExercised("server-error", `it was answered ${statusOf(answered)}`, [answered]);
}

/** Observes the status. `tried` describes the request. */
export function rejectionNote({ key }: Operation, by: Entry, tried: string): { by: Entry; note: Note } {
  const answer = { status: statusOf(by) ?? 0 };
  const note: Note = {
    requirement: "REJECTION-STATUS",
    operation: key,
    practice: "rejection",
    tried,
    answer,
  };
  return { by, note };
}
