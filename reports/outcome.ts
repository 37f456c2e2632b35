/**
 * From outcomes to a verdict. Every total in a report is computed here, from the checks, when a report is made
 * and again when reports are merged.
 */
import type {
  CheckResult,
  Level,
  Outcome,
  Report,
  RequirementResult,
  SkipReason,
  Verdict,
} from "./report.ts";

/** From the outcome that outweighs all others to the one that outweighs none. */
export const OUTCOMES: readonly Outcome[] = ["fail", "warn", "pass", "note", "unsteady", "skip"];

export const LEVELS: readonly Level[] = ["MUST", "SHOULD", "NOTE"];

/** Skips that come of what the user did not offer or asked to leave out: they take a MUST out of scope. */
const NOT_OFFERED: ReadonlySet<SkipReason> = new Set<SkipReason>([
  "no-fixture",
  "no-second-space",
  "no-callback",
  "read-only",
  "not-selected",
  "not-shown",
]);

/** Whether a check was skipped for what the user did not offer, or asked to leave out. */
export function isNotOffered(reason: SkipReason): boolean {
  return NOT_OFFERED.has(reason);
}

/** What each skip reason means, as the end of the sentence "not tested: …". */
export const REASON_TEXT: Readonly<Record<SkipReason, string>> = {
  "no-fixture": "the settings name no resource to test with",
  "no-data": "the service holds nothing to test with",
  "no-second-space": "the settings name no second space",
  "no-callback": "the settings give no callback address",
  "read-only": "the run was not allowed to write",
  "not-selected": "left out by the selection of checks",
  "not-shown": "the specification shows nothing to test",
  "control-rejected": "the valid request beside the probe was not accepted",
  drift: "the data changed while it was read",
  "rate-limited": "the service kept answering 429",
  budget: "the budget of requests or pages was used up",
  "no-answer": "the service did not answer",
  "server-error": "a server error stood in the way",
  declined: "the service declined what it is free to decline",
  shard: "belongs to another shard",
  interrupted: "the run ended first",
  "suite-error": "the suite itself failed",
};

/** The outcome that outweighs the others; `skip` when there is none. */
export function worstOutcome(outcomes: Iterable<Outcome>): Outcome {
  const seen = new Set(outcomes);
  return OUTCOMES.find((outcome) => seen.has(outcome)) ?? "skip";
}

/** The outcome of a requirement, from the checks that test it. One check that passed outweighs those skipped. */
export function requirementOutcome(checks: Iterable<Pick<CheckResult, "outcome">>): Outcome {
  return worstOutcome(Array.from(checks, (check) => check.outcome));
}

/** Whether a check counts against the service: a fail, under `strict` also a warn, that no waiver covers. */
export function isFailing(check: Pick<CheckResult, "outcome" | "waived">, strict = false): boolean {
  return isFault(check.outcome, strict) && check.waived === undefined;
}

function isFault(outcome: Outcome, strict: boolean): boolean {
  return outcome === "fail" || (strict && outcome === "warn");
}

/** Whether a requirement is violated and waivers cover all of what would fail it. */
export function requirementWaived(
  checks: readonly Pick<CheckResult, "outcome" | "waived">[],
  strict = false,
): boolean {
  const covered = checks.some((check) => check.waived !== undefined && isFault(check.outcome, true));
  return covered && !checks.some((check) => isFailing(check, strict));
}

/**
 * Whether a requirement is in scope, from its checks. A MUST that was not tested is out of scope when each of its
 * checks lacked something the user did not offer, or when it has none: what it is about is not in this edition. With
 * `requireComplete` only a missing callback excuses.
 */
export function requirementScope(
  level: Level,
  checks: readonly Pick<CheckResult, "outcome" | "reason">[],
  requireComplete = false,
): { inScope: boolean; scopeReason?: string } {
  if (level !== "MUST") return { inScope: false };
  if (checks.length === 0)
    return requireComplete ? { inScope: true } : { inScope: false, scopeReason: REASON_TEXT["not-shown"] };
  const reasons = new Set<SkipReason>();
  for (const check of checks) {
    if (check.outcome !== "skip" || check.reason === undefined) return { inScope: true };
    const excused = requireComplete ? check.reason === "no-callback" : NOT_OFFERED.has(check.reason);
    if (!excused) return { inScope: true };
    reasons.add(check.reason);
  }
  return { inScope: false, scopeReason: [...reasons].map((reason) => REASON_TEXT[reason]).join("; ") };
}

/** Counts of checks by outcome. A violation that a waiver covers counts as waived, not as what it is. */
export function summarise(
  checks: Iterable<Pick<CheckResult, "outcome" | "waived">>,
): Record<Outcome, number> & { waived: number } {
  const summary = { pass: 0, fail: 0, warn: 0, skip: 0, note: 0, unsteady: 0, waived: 0 };
  for (const check of checks) {
    const waived = check.waived !== undefined && isFault(check.outcome, true);
    summary[waived ? "waived" : check.outcome] += 1;
  }
  return summary;
}

/** Whether a requirement was tested: it passed, warned or failed. A note, a skip and what is unsteady are no test of it. */
export function isTested(requirement: Pick<RequirementResult, "outcome">): boolean {
  return ["pass", "warn", "fail"].includes(requirement.outcome);
}

/** The MUST requirements in scope that nothing tested: what stands between a clean run and `conformant`. */
export function untestedMusts(requirements: readonly RequirementResult[]): RequirementResult[] {
  return requirements.filter(
    (requirement) => requirement.level === "MUST" && requirement.inScope && !isTested(requirement),
  );
}

/**
 * The verdict. `nonconformant` when something fails that no waiver covers (or a complaint fails the run itself);
 * `inconclusive` when nothing fails but a MUST in scope was tested nowhere or the target could not be judged;
 * else `conformant`.
 */
export function verdict(
  report: Pick<Report, "requirements" | "complaints" | "problem">,
  strict = false,
): Verdict {
  const fails = report.requirements.some(
    (requirement) => isFault(requirement.outcome, strict) && requirement.waived !== true,
  );
  if (fails || (report.complaints?.length ?? 0) > 0) return "nonconformant";
  if (report.problem !== undefined || untestedMusts(report.requirements).length > 0) return "inconclusive";
  return "conformant";
}

/** Whether the run was asked to count a warn as a fail, as its settings say. */
export function isStrict(report: Pick<Report, "run">): boolean {
  return report.run.options.strict === true;
}
