import { createHash } from "node:crypto";
import { type Check, NotTested, Unsteady, Violation } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import { replayCommand, reproduction } from "../reports/formats/curl.ts";
import type { CheckResult, Remedy, Reproduce, SkipReason } from "../reports/report.ts";
import { definedOnly } from "../spec/defined-only.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";

interface Context {
  spec: Spec;
  settings: Settings;
  wallTime?(): number;
}

/** Returns the seed of a check. A check that runs alone gets the same seed, so it sends the same values. */
export function checkSeed(runSeed: number, checkId: string): number {
  return createHash("sha256").update(`${runSeed} ${checkId}`).digest().readInt32BE(0);
}

export interface Judged {
  result: CheckResult;
  isSuspected: boolean;
}

/** Runs a check, and turns a thrown violation or error into a result. */
export async function judge(
  check: Check,
  context: Context,
  target: (seed: number) => Target,
): Promise<Judged> {
  const base = describeCheck(check, context);
  const done = (change: Partial<CheckResult>, isSuspected = false): Judged => {
    const durationMs = Math.round(context.wallTime?.() ?? 0);
    return { result: { ...base, ...change, durationMs } as CheckResult, isSuspected };
  };
  try {
    await check.run(target(checkSeed(context.settings.seed, check.id)));
    return done({ outcome: base.level === "NOTE" ? "note" : "pass" });
  } catch (error) {
    if (error instanceof Violation) {
      // A NOTE fails nothing, so it needs no confirmation.
      const isSuspected = !error.isProven && base.level !== "NOTE" && check.consumes !== true;
      return done(partsOfViolation(check, base, error, context), isSuspected);
    }
    if (error instanceof Unsteady)
      return done({ outcome: "unsteady", message: error.message, evidence: error.evidence });
    if (error instanceof NotTested)
      return done({
        outcome: "skip",
        reason: error.reason,
        message: error.message,
        evidence: error.evidence,
        ...definedOnly({ remedy: error.remedy }),
      });
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return done({
      outcome: "skip",
      reason: "suite-error",
      message: `the suite failed, not the service: ${message}`,
    });
  }
}

export function skippedResult(
  check: Check,
  context: Context,
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
export function describeCheck(check: Check, { spec }: Pick<Context, "spec">): CheckResult {
  const levels = check.requirements.map((id) => spec.requirements.get(id)?.level ?? "NOTE");
  const level = (["MUST", "SHOULD"] as const).find((each) => levels.includes(each)) ?? "NOTE";
  return {
    id: check.id,
    title: check.title,
    requirements: check.requirements,
    level,
    suite: check.suite,
    operation: check.operation,
    section: spec.operations.find((operation) => operation.key === check.operation)?.section ?? "4",
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
  violation: Violation,
  context: Context,
): Partial<CheckResult> {
  const { message, expected, actual, difference, isProven, notImplemented } = violation;
  const isTriedOnce = check.consumes === true && !isProven;
  const why = isTriedOnce ? " (not tried again, because that would use up another resource)" : "";
  return {
    outcome: outcomeOfViolation(base),
    message: `${message}${why}`,
    expected,
    actual,
    ...definedOnly({ difference, notImplemented: notImplemented ? (true as const) : undefined }),
    evidence: withStatusMarked(violation),
    reproduce: howToReproduce(check, violation, context.settings),
  };
}

function withStatusMarked({ actual, evidence }: Violation): CheckResult["evidence"] {
  const [, status] = /^status (\d{3})\b/.exec(actual) ?? [];
  const last = evidence.at(-1);
  if (status === undefined || last === undefined || evidence.some(({ offending }) => offending !== undefined))
    return evidence;
  if (String(last.response?.status) !== status) return evidence;
  return [...evidence.slice(0, -1), { ...last, offending: "status" }];
}

/** Returns the command and the request that show the violation again. */
function howToReproduce(check: Check, violation: Violation, settings: Settings): Reproduce {
  const { together } = violation;
  return {
    seed: settings.seed,
    ...definedOnly({ curl: reproduction(violation), with: together.length > 0 ? together : undefined }),
    command: replayCommand(
      settings.command ?? "payments-conformance",
      settings.reportFile ?? "report.json",
      check.id,
    ),
  };
}
