/** Which findings follow from another: what a fault brings with it is told under it. */
import { KINDS } from "./causes.ts";
import { decisive } from "./exchange.ts";
import type { CheckResult, Exchange, FindingResult } from "./report.ts";

/** The suite whose rules judge each answer by itself: what it finds is the cause of what others make of the answer. */
const EACH_ANSWER = "responses";

/** What of a finding tells whether it follows from another. */
interface Caused {
  kind: FindingResult["kind"];
  checks: CheckResult[];
  follows?: Caused;
}

/**
 * Links each finding to the one that it follows from: every one of its checks met the very fault of the other at the
 * same operation. Nothing is put under what weighs less, and what causes others follows from nothing itself.
 */
export function linkFollowing(findings: readonly Caused[]): void {
  for (const finding of findings) {
    const cause = findings.find(
      (other) =>
        other !== finding &&
        other.follows === undefined &&
        KINDS.indexOf(other.kind) <= KINDS.indexOf(finding.kind) &&
        finding.checks.every((check) => other.checks.some((root) => follows(check, root))),
    );
    if (cause === undefined || findings.some((other) => other.follows === finding)) continue;
    finding.follows = cause;
  }
}

function follows(check: CheckResult, root: CheckResult): boolean {
  if (check.operation !== root.operation) return false;
  const [shown, cause] = [decisive(check), decisive(root)];
  if (shown === undefined || cause === undefined) return false;
  return (
    isSameWords(check, root) ||
    isServerError(shown, root) ||
    isUnusable(check, cause, root) ||
    isOpen(check, cause)
  );
}

/** Two requirements that the same sentence breaks: the first of the catalogue is the cause. */
function isSameWords(check: CheckResult, root: CheckResult): boolean {
  return (
    check.suite === root.suite &&
    check.requirements[0] !== root.requirements[0] &&
    check.expected !== undefined &&
    check.expected === root.expected &&
    check.actual === root.actual &&
    !/^status \d/.test(check.actual ?? "")
  );
}

/** A server error where something else was tried is the server error. */
function isServerError({ response }: Exchange, root: CheckResult): boolean {
  return root.suite === EACH_ANSWER && isError(response) && isError(decisive(root)?.response);
}

function isError(response: Exchange["response"]): boolean {
  return response !== undefined && response.status >= 500;
}

/** What is found in an answer that is none by its status, or by its body: that is the fault. */
function isUnusable(check: CheckResult, cause: Exchange, root: CheckResult): boolean {
  if (root.suite !== EACH_ANSWER) return false;
  const shown = decisive(check);
  if (cause.offending === "status")
    return shown?.offending === "status" && shown.response?.status === cause.response?.status;
  return cause.offending === "" && isNoJson(cause) && check.evidence.some(isNoJson);
}

function isNoJson({ response }: Exchange): boolean {
  if (response === undefined || response.truncated === true) return false;
  try {
    JSON.parse(response.body ?? "");
    return false;
  } catch {
    return true;
  }
}

/** Where a call without proper credentials is accepted, that it took effect is no second fault. */
function isOpen(check: CheckResult, { request, response, offending }: Exchange): boolean {
  const accepted = offending === "status" && response !== undefined && response.status < 300;
  if (!accepted || isProper(request)) return false;
  return (
    decisive(check)?.offending !== "status" &&
    check.evidence.some(
      (each) =>
        each.response?.status === response.status &&
        each.request.credential === request.credential &&
        isProper(each.request) === isProper(request),
    )
  );
}

/** Whether a request carries the credentials that the user gave, unchanged. */
function isProper({ headers, credential }: Exchange["request"]): boolean {
  return (
    credential === undefined && Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
  );
}
