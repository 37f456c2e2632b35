import { isDeepStrictEqual } from "node:util";
import { KINDS } from "./causes.ts";
import { decisiveExchange } from "./exchange.ts";
import type { CheckResult, Exchange, FindingResult } from "./report.ts";

/** Checks of this suite judge each response by itself. */
const EACH_ANSWER = "responses";

interface Caused {
  kind: FindingResult["kind"];
  checks: CheckResult[];
  follows?: Caused;
}

/** Sets `follows` if all checks met another finding's violation at the same operation. */
export function linkFollowing(findings: readonly Caused[]): void {
  for (const finding of findings) {
    const cause = findings.find(
      (other) =>
        other !== finding &&
        other.follows === undefined &&
        KINDS.indexOf(other.kind) <= KINDS.indexOf(finding.kind) &&
        finding.checks.every((check) => other.checks.some((root) => followsFrom(check, root))),
    );
    if (cause === undefined || findings.some((other) => other.follows === finding)) continue;
    finding.follows = cause;
  }
}

/** True if the check probably fails because of the fault that the other one shows. */
function followsFrom(check: CheckResult, root: CheckResult): boolean {
  if (check.operation !== root.operation) return false;
  const [shown, cause] = [decisiveExchange(check), decisiveExchange(root)];
  if (shown === undefined || cause === undefined) return false;
  return (
    isSameViolation(check, root) ||
    isServerError(shown, root) ||
    isUnusable(check, cause, root) ||
    isEffectOfOpenAccess(check, cause)
  );
}

function isSameViolation(check: CheckResult, root: CheckResult): boolean {
  if (check.suite !== root.suite || check.requirements[0] === root.requirements[0]) return false;
  if (check.difference === undefined || check.difference !== root.difference) return false;
  const [shown, cause] = [decisiveExchange(check), decisiveExchange(root)];
  return shown?.offending !== "status" && isDeepStrictEqual(partOf(shown), partOf(cause));
}

/**
 * Returns the parts of the exchange by which two are equal. Equal requests may get different responses, so
 * both must be equal.
 */
function partOf(exchange: Exchange | undefined): unknown {
  const { request, response, offending } = exchange ?? {};
  return [request?.method, request?.url, request?.body, response?.status, response?.body, offending];
}

function isServerError({ response }: Exchange, root: CheckResult): boolean {
  return root.suite === EACH_ANSWER && isError(response) && isError(decisiveExchange(root)?.response);
}

function isError(response: Exchange["response"]): boolean {
  return response !== undefined && response.status >= 500;
}

/** True for a wrong status or JSON, which makes the response useless to other checks. */
function isUnusable(check: CheckResult, cause: Exchange, root: CheckResult): boolean {
  if (root.suite !== EACH_ANSWER) return false;
  const shown = decisiveExchange(check);
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

/**
 * True if the check fails because a request without valid credentials was accepted. Its effect is no second
 * violation.
 */
function isEffectOfOpenAccess(check: CheckResult, { request, response, offending }: Exchange): boolean {
  const accepted = offending === "status" && response !== undefined && response.status < 300;
  if (!accepted || hasValidCredential(request)) return false;
  return (
    decisiveExchange(check)?.offending !== "status" &&
    check.evidence.some(
      (each) =>
        each.response?.status === response.status &&
        each.request.credential === request.credential &&
        hasValidCredential(each.request) === hasValidCredential(request),
    )
  );
}

function hasValidCredential({ headers, credential }: Exchange["request"]): boolean {
  return (
    credential === undefined && Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
  );
}
