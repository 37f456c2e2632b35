import type { Operation } from "../../spec/model/spec.ts";
import type { Feature } from "../classification.ts";
import { hasValueOfAnother } from "../creates/held-values.ts";
import { type Entry, isAccepted, isRejected } from "../entry.ts";
import type { History } from "../history.ts";
import { judged, notExercised, type RuleResult, wrongStatus } from "../result.ts";
import { isExplainedByState } from "./actions-done.ts";
import type { Answer } from "./answers.ts";
import { isServed } from "./served.ts";

/** Returns this round's answers to valid requests in the spaces of the run. */
export function validRequests(
  history: History,
  operation: Operation,
  isMeant: (entry: Entry) => boolean = () => true,
): Answer[] {
  return withoutFault(history, operation, (entry) => isMeant(entry) && history.isOrdinary(entry));
}

/** Returns this round's answers to valid requests with a feature (a null) that the requirement names. */
export function featuredRequests(
  history: History,
  operation: Operation,
  requirement: string,
  isMeant: (features: readonly Feature[], entry: Entry) => boolean,
): Answer[] {
  return withoutFault(history, operation, (entry) => {
    const { features } = history.answers.classification(entry);
    return features.some((feature) => feature.requirement === requirement) && isMeant(features, entry);
  });
}

/** Returns answers to requests that the specification calls neither valid nor faulty. */
export function openRequests(
  history: History,
  operation: Operation,
  isMeant: (entry: Entry) => boolean,
): Answer[] {
  return history.answers.to(operation).filter(({ entry }) => {
    const found = history.answers.classification(entry);
    return found.kind === "doubtful" && found.faults.length === 0 && isMeant(entry);
  });
}

function withoutFault(history: History, operation: Operation, isMeant: (entry: Entry) => boolean): Answer[] {
  return history
    .answersOfRound(operation)
    .filter(({ entry }) => isMeant(entry) && history.answers.isValid(entry));
}

/** Returns the answers under versions that accepted a valid request. Rejections under others prove nothing. */
export function underAcceptedVersions(
  history: History,
  operation: Operation,
  answers: readonly Answer[],
): Answer[] {
  const versions = acceptedVersions(history, operation);
  return answers.filter(({ entry }) => versions.includes(entry.version));
}

function acceptedVersions(history: History, operation: Operation): (string | null)[] {
  return validRequests(history, operation, isAccepted).map(({ entry }) => entry.version);
}

/**
 * Judges requests that must be accepted. A rejection is a violation, unless it has another reason: the version, the
 * state of the resource, an action done before, or a value that another resource has.
 */
export function mustBeAccepted(
  history: History,
  operation: Operation,
  answers: readonly Answer[],
  what: string,
): RuleResult {
  const isExplained = isExplainedByState(history, operation);
  const versions = acceptedVersions(history, operation);
  const isVersionRejected = ({ version }: Entry) => versions.length > 0 && !versions.includes(version);
  const rejected = answers.map(({ entry }) => entry).filter(isRejected);
  const violations = rejected
    .filter((entry) => !isExplained(entry))
    .filter((entry) => !isVersionRejected(entry))
    .filter((entry) => !hasValueOfAnother(history, operation, entry))
    .map((entry) => wrongStatus(`${what} to be accepted`, entry));
  const served = answers.filter(isServed).map(({ entry }) => entry);
  return judged(violations, served, whyNotServed(history, operation, answers));
}

function whyNotServed(history: History, operation: Operation, [first]: readonly Answer[]): RuleResult {
  if (!first) return notExercised("no-data", "no valid request had this value alone");
  const { entry, status } = first;
  if (isRejected(entry) && hasValueOfAnother(history, operation, entry))
    return notExercised("control-rejected", "another resource has a value that was sent", [entry]);
  if (isRejected(entry))
    return notExercised("control-rejected", `version ${entry.version ?? "none"} is rejected`, [entry]);
  if (status >= 500) return notExercised("server-error", `it was answered ${status}`, [entry]);
  return notExercised("no-data", "it was accepted, but the answer shows no resource", [entry]);
}
