import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import type { Classification } from "../classification.ts";
import { type Entry, isAccepted, isRejected, statusOf } from "../entry.ts";
import type { History } from "../history.ts";
import { judged, notExercised, type RuleResult, type Violation, wrongStatus } from "../result.ts";
import type { Answer } from "./answers.ts";
import { isServed } from "./served.ts";

export interface Faulty {
  entry: Entry;
  twin: Entry | undefined;
  isProof: boolean;
}

interface AnsweredRequests {
  answers: readonly Answer[];
  accepted: readonly { entry: Entry; found: Classification }[];
  /** Places of doubtful values in accepted requests (`body/url`). */
  open: ReadonlySet<string>;
}

const answeredRequests = memoized((history: History, operation: Operation): AnsweredRequests => {
  const answers = history.answersOfRound(operation);
  const accepted = answers
    .filter(({ entry }) => isAccepted(entry))
    .map(({ entry }) => ({ entry, found: history.answers.classification(entry) }))
    .filter(({ found }) => found.kind !== "undocumented" && found.faults.length === 0);
  const open = new Set(accepted.flatMap(({ found }) => found.doubts.map(({ place }) => place)));
  return { answers, accepted, open };
});

/** Returns requests whose only fault breaks one of the requirements. */
export function faultyRequests(
  history: History,
  operation: Operation,
  requirements: readonly string[],
  isMeant: (entry: Entry) => boolean = () => true,
): Faulty[] {
  const { answers, accepted, open } = answeredRequests(history, operation);
  return answers.flatMap((answer): Faulty[] => {
    const { entry } = answer;
    if (!isMeant(entry)) return [];
    const found = history.answers.classification(entry);
    const [fault, ...others] = found.faults;
    if (!fault || !requirements.includes(fault.requirement) || others.length > 0) return [];
    const isOfVersion = fault.place === `header/${operation.version?.name.toLowerCase()}`;
    // A doubtful value that was never accepted may explain the rejection.
    const isOpenAlone = found.doubts.some(({ place }) => !open.has(place));
    const twins = accepted.filter(
      (other) =>
        (isOfVersion || other.entry.version === entry.version) && !isOpenAt(other.found, fault.place),
    );
    const twin = twins.findLast((other) => other.entry.ended < entry.begun) ?? twins[0];
    const isProof = fault.basis === "request" && isServed(answer);
    return [{ entry, twin: isOpenAlone ? undefined : twin?.entry, isProof }];
  });
}

/** True if a service may treat the place in either way. An accepted invented value is no doubt. */
function isOpenAt({ doubts }: Classification, place: string): boolean {
  return doubts.some((doubt) => doubt.place === place && doubt.behaviour !== "unheardOfValues");
}

/**
 * Judges requests that must be rejected. An accepted request is a violation if it has a valid twin, or is
 * proof. `describe` returns a noun phrase.
 */
export function mustBeRejected(requests: readonly Faulty[], describe: (entry: Entry) => string): RuleResult {
  const underAcceptedVersions = requests.filter(({ twin }) => twin !== undefined);
  const paired = underAcceptedVersions.map(({ entry }) => entry);
  const violations = requests
    // A request without an answer is no evidence.
    .filter(({ entry, twin, isProof }) => (twin !== undefined || isProof) && (statusOf(entry) ?? 400) < 400)
    .map(({ entry, isProof }): Violation => {
      const violation = wrongStatus(`${describe(entry)} to be rejected (4xx)`, entry);
      return isProof ? { ...violation, certainty: "proven" } : violation;
    });
  return judged(violations, paired.filter(isRejected), whyUnproven(requests, paired));
}

function whyUnproven(requests: readonly Faulty[], paired: readonly Entry[]): RuleResult {
  const [first] = requests;
  if (!first) return notExercised("no-data", "no request had this fault alone");
  const [answered] = paired;
  if (!answered)
    return notExercised(
      "control-rejected",
      "no valid request was accepted, so a rejection would prove nothing",
      [first.entry],
    );
  return notExercised("server-error", `it was answered ${statusOf(answered)}`, [answered]);
}
