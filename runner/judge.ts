import { type Check, NotTested } from "../client/check.ts";
import type { CheckTarget, Target } from "../client/target.ts";
import type { Entry } from "../history/entry.ts";
import {
  isProven,
  isProvenViolation,
  type RuleResult,
  type Violation,
  violationMessage,
} from "../history/result.ts";
import { replayCommand, reproduction } from "../reports/formats/curl.ts";
import type { CheckResult, Exchange, Remedy, Reproduce, SkipReason } from "../reports/report.ts";
import { definedOnly } from "../spec/defined-only.ts";
import { operationWithKey } from "../spec/operations.ts";

export interface Judged {
  result: CheckResult;
  isSuspected: boolean;
}

/** Runs a check, and turns its verdict or the error that ended it into a result. */
export async function judge(check: Check, target: CheckTarget, wallTime: () => number): Promise<Judged> {
  const done = (result: CheckResult, verdict?: RuleResult): Judged => ({
    result: { ...result, durationMs: Math.round(wallTime()) },
    isSuspected: isSuspected(check, verdict, target),
  });
  return check.run(target).then(
    (verdict) => done(resultOfVerdict(check, verdict, target), verdict),
    (error: unknown) => done({ ...describeCheck(check, target), ...partsOfError(error) }),
  );
}

/** Returns the verdict as the result of the check. */
export function resultOfVerdict(check: Check, verdict: RuleResult, target: CheckTarget): CheckResult {
  const base = describeCheck(check, target);
  return { ...base, ...partsOfVerdict(check, base, verdict, target) };
}

/** True if the violation must be confirmed. A NOTE fails nothing, and another resource may be too costly. */
export function isSuspected(
  check: Check,
  verdict: RuleResult | undefined,
  context: Pick<Target, "spec">,
): boolean {
  if (verdict?.outcome !== "violated" || check.consumes) return false;
  return !isProvenViolation(verdict) && describeCheck(check, context).level !== "NOTE";
}

function partsOfVerdict(
  check: Check,
  base: CheckResult,
  verdict: RuleResult,
  target: CheckTarget,
): Partial<CheckResult> {
  switch (verdict.outcome) {
    case "violated":
      return partsOfViolation(check, base, verdict.violations, target);
    case "unsteady":
      return {
        outcome: "unsteady",
        message: verdict.message,
        evidence: evidenceOf(verdict.shownBy, target.exchangeOf),
      };
    case "not-exercised": {
      const { reason, message, evidence = [], remedy } = verdict;
      const shown = evidence.map(target.exchangeOf);
      return { outcome: "skip", reason, message, evidence: shown, ...definedOnly({ remedy }) };
    }
    default:
      return { outcome: base.level === "NOTE" ? "note" : "pass" };
  }
}

function partsOfError(error: unknown): Partial<CheckResult> {
  if (error instanceof NotTested) {
    const { reason, message, evidence, remedy } = error;
    return { outcome: "skip", reason, message, evidence, ...definedOnly({ remedy }) };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    outcome: "skip",
    reason: "suite-error",
    message: `the suite failed, not the service: ${message}`,
  };
}

/** Returns the exchanges that show a violation, with their offending parts marked. */
export function evidenceOf(
  shownBy: Violation["shownBy"],
  exchangeOf: (entry: Entry) => Exchange,
): Exchange[] {
  return shownBy.map(({ entry, offending }) => ({ ...exchangeOf(entry), ...definedOnly({ offending }) }));
}

export function skippedResult(
  check: Check,
  context: Pick<Target, "spec">,
  reason: SkipReason,
  message: string,
  remedy?: Remedy,
): CheckResult {
  return {
    ...describeCheck(check, context),
    outcome: "skip",
    reason,
    message,
    ...definedOnly({ remedy }),
  };
}

/** Returns the result of a check before it runs, with its level and section. */
export function describeCheck(check: Check, { spec }: Pick<Target, "spec">): CheckResult {
  const levels = check.requirements.map((id) => spec.requirements.get(id)?.level ?? "NOTE");
  const level = (["MUST", "SHOULD"] as const).find((each) => levels.includes(each)) ?? "NOTE";
  return {
    id: check.id,
    title: check.title,
    requirements: check.requirements,
    level,
    suite: check.suite,
    operation: check.operation,
    section: operationWithKey(spec, check.operation)?.section ?? "4",
    serviceVersion: null,
    ...definedOnly({ mustReject: check.cause }),
    outcome: "pass",
    durationMs: 0,
    evidence: [],
  };
}

/** Returns the outcome of a violated requirement of this level. */
export function outcomeOfViolation({ level }: Pick<CheckResult, "level">): "fail" | "warn" | "note" {
  return ({ MUST: "fail", SHOULD: "warn", NOTE: "note" } as const)[level];
}

/** True if the check found a violation of a MUST or a SHOULD. */
export function isViolated({ outcome }: Pick<CheckResult, "outcome">): boolean {
  return outcome === "fail" || outcome === "warn";
}

export function isFinding(result: Pick<CheckResult, "outcome">): boolean {
  return isViolated(result) || result.outcome === "unsteady";
}

function partsOfViolation(
  check: Check,
  base: CheckResult,
  violations: readonly [Violation, ...Violation[]],
  target: CheckTarget,
): Partial<CheckResult> {
  const violation = violations.find(isProven) ?? violations[0];
  const { expected, actual, difference, notImplemented } = violation;
  const isTriedOnce = check.consumes === true && !isProven(violation);
  const why = isTriedOnce ? " (not tried again, because that would use up another resource)" : "";
  const evidence = withStatusMarked(actual, evidenceOf(violation.shownBy, target.exchangeOf));
  return {
    outcome: outcomeOfViolation(base),
    message: `${violationMessage(violation)}${why}`,
    expected,
    actual,
    ...definedOnly({ difference, notImplemented }),
    evidence,
    reproduce: howToReproduce(check, violation, evidence, target),
  };
}

function withStatusMarked(actual: string, evidence: Exchange[]): Exchange[] {
  const [, status] = /^status (\d{3})\b/.exec(actual) ?? [];
  const last = evidence.at(-1);
  if (status === undefined || last === undefined || evidence.some(({ offending }) => offending !== undefined))
    return evidence;
  if (String(last.response?.status) !== status) return evidence;
  return [...evidence.slice(0, -1), { ...last, offending: "status" }];
}

function howToReproduce(
  check: Check,
  { shownBy }: Violation,
  evidence: Exchange[],
  { settings, checkThatSends }: CheckTarget,
): Reproduce {
  const { seed, command = "payments-conformance", reportFile = "report.json" } = settings;
  const asking = check.namesWhoAsked
    ? shownBy.flatMap(({ entry }) => checkThatSends(entry.probe ?? "") ?? [])
    : [];
  return {
    seed,
    ...definedOnly({
      curl: reproduction({ evidence }),
      with: asking.length > 0 ? [...new Set(asking)] : undefined,
    }),
    command: replayCommand(command, reportFile, check.id),
  };
}
