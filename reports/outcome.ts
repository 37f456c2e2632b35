import { JUDGED_QUESTION } from "./judged-words.ts";
import type {
  CheckResult,
  Level,
  OperationResult,
  Outcome,
  Report,
  RequirementResult,
  SkipReason,
  Summary,
  Verdict,
} from "./report.ts";
import { count } from "./text.ts";

export const OUTCOMES: readonly Outcome[] = ["fail", "warn", "pass", "note", "unsteady", "skip"];

export const LEVELS: readonly Level[] = ["MUST", "SHOULD", "NOTE"];

/** With these reasons, a MUST is out of scope, because the user did not offer what it needs. */
const NOT_OFFERED: ReadonlySet<SkipReason> = new Set<SkipReason>([
  "no-fixture",
  "no-second-space",
  "no-callback",
  "read-only",
  "not-selected",
  "not-offered",
  "left-out",
  "not-shown",
  // The merged report judges the checks of all shards.
  "shard",
  "needs-run",
]);

/** These reasons excuse a MUST even with `--require-complete`. */
const ALWAYS_EXCUSED: ReadonlySet<SkipReason> = new Set<SkipReason>(["no-callback", "not-offered"]);

const NOT_SELECTED: ReadonlySet<SkipReason> = new Set<SkipReason>([
  "not-selected",
  "left-out",
  "shard",
  "needs-run",
]);

export function isNotSelected(reason: SkipReason | undefined): boolean {
  return reason !== undefined && NOT_SELECTED.has(reason);
}

export function isNotOffered(reason: SkipReason): boolean {
  return NOT_OFFERED.has(reason);
}

/** Each text completes the sentence "not tested: …". */
export const REASON_TEXT: Readonly<Record<SkipReason, string>> = {
  "no-fixture": "the settings name no resource to test with",
  "used-up": "an earlier run used the fixture up",
  "no-data": "the service holds nothing to test with",
  "no-second-space": "the settings name no second space",
  "no-callback": "the settings give no callback address",
  "read-only": "the run was not allowed to write",
  "not-selected": "left out by the selection of checks",
  "not-offered": "the service is declared not to offer it",
  "left-out": "--within or --preset had room for the most valuable checks alone",
  "not-sampled": "left out by the seed; --depth full tries it",
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
  "needs-run": "only a run can test it: recorded traffic does not show it",
  uncertain: "recorded traffic shows a violation, which the writes of others may explain",
  "suite-error": "the suite itself failed",
};

export function worstOutcome(outcomes: Iterable<Outcome>): Outcome {
  const seen = new Set(outcomes);
  return OUTCOMES.find((outcome) => seen.has(outcome)) ?? "skip";
}

export function requirementOutcome(checks: Iterable<Pick<CheckResult, "outcome">>): Outcome {
  return worstOutcome(Array.from(checks, (check) => check.outcome));
}

/** True if the check makes the run fail. Waived and known violations do not fail. Warnings do if `strict`. */
export function isFailing(check: Pick<CheckResult, "outcome" | "waived" | "known">, strict = false): boolean {
  return isViolated(check, strict) && check.known !== true;
}

function isViolated(check: Pick<CheckResult, "outcome" | "waived">, strict: boolean): boolean {
  return isFault(check, strict) && check.waived === undefined;
}

export function isFault({ outcome }: { outcome: Outcome }, strict: boolean): boolean {
  return outcome === "fail" || (strict && outcome === "warn");
}

export function requirementWaived(
  checks: readonly Pick<CheckResult, "outcome" | "waived">[],
  strict = false,
): boolean {
  const covered = checks.some((check) => check.waived !== undefined && isFault(check, true));
  return covered && !checks.some((check) => isViolated(check, strict));
}

/**
 * Returns whether the requirement is in scope, and if not, why. With `requireComplete`, only a missing
 * callback address or operation puts a MUST out of scope.
 */
export function requirementScope(
  level: Level,
  checks: readonly Pick<CheckResult, "outcome" | "reason">[],
  requireComplete = false,
): { inScope: boolean; scopeReason?: string } {
  if (level !== "MUST") return { inScope: false };
  if (checks.length === 0) return { inScope: false, scopeReason: REASON_TEXT["not-shown"] };
  const reasons = new Set<SkipReason>();
  for (const check of checks) {
    if (check.outcome !== "skip" || check.reason === undefined) return { inScope: true };
    const excused = requireComplete ? ALWAYS_EXCUSED.has(check.reason) : NOT_OFFERED.has(check.reason);
    if (!excused) return { inScope: true };
    reasons.add(check.reason);
  }
  return { inScope: false, scopeReason: [...reasons].map((reason) => REASON_TEXT[reason]).join("; ") };
}

/** Counts the checks by outcome. Waived and known failures count apart. */
export function summarise(checks: Iterable<Pick<CheckResult, "outcome" | "waived" | "known">>): Summary {
  const summary = { pass: 0, fail: 0, warn: 0, skip: 0, note: 0, unsteady: 0, waived: 0 };
  let known: number | undefined;
  for (const check of checks) {
    const waived = check.waived !== undefined && isFault(check, true);
    summary[waived ? "waived" : check.outcome] += 1;
    if (check.known === true && !waived) known = (known ?? 0) + 1;
  }
  return known === undefined ? summary : { ...summary, known };
}

export function isTested({ outcome }: { outcome: Outcome }): boolean {
  return ["pass", "warn", "fail"].includes(outcome);
}

export type OperationFacts = Pick<OperationResult, "operation" | "section" | "shown">;

/**
 * Returns for each operation how far it was tested. Without success, an operation is out of scope if its
 * checks need a fixture or may not write.
 */
export function operationResults(
  operations: readonly OperationFacts[],
  checks: readonly Pick<CheckResult, "operation" | "level" | "outcome" | "reason">[],
  coverage: Report["coverage"],
  requireComplete = false,
): OperationResult[] {
  return operations.map(({ operation, section, shown }) => {
    const own = checks.filter((check) => check.operation === operation && check.level === "MUST");
    const tested = own.filter(isTested).length;
    const notSelected = own.filter(({ reason }) => isNotSelected(reason)).length;
    const successes = Object.entries(coverage.operations[operation]?.statuses ?? {}).reduce(
      (sum, [status, count]) => sum + (/^2\d\d$/.test(status) ? count : 0),
      0,
    );
    const absent = checks.some((check) => check.operation === operation && check.reason === "not-offered");
    const lacking = own.filter(({ reason }) => reason === "no-fixture" || reason === "read-only");
    const musts = { total: own.length, tested, notSelected };
    const facts = { operation, section, shown, successes, musts };
    if (absent) return { ...facts, offered: false, inScope: false, scopeReason: REASON_TEXT["not-offered"] };
    if (successes === 0 && lacking.length > 0 && !requireComplete)
      return { ...facts, inScope: false, scopeReason: reasonsOf(lacking) };
    return { ...facts, ...requirementScope("MUST", own, requireComplete) };
  });
}

export function reasonsOf(checks: readonly Pick<CheckResult, "reason">[]): string {
  const reasons = new Set(checks.flatMap(({ reason }) => (reason === undefined ? [] : REASON_TEXT[reason])));
  return [...reasons].join("; ");
}

/** Rejections alone prove nothing about an operation. */
export function silentOperations({ operations = [] }: Pick<Report, "operations">): OperationResult[] {
  return operations.filter(({ shown, inScope, successes }) => shown && inScope && successes === 0);
}

export function hardlyTested({ operations = [] }: Pick<Report, "operations">): OperationResult[] {
  return operations.filter(({ offered, shown, successes, musts }) => {
    if (offered === false) return false;
    const selected = musts.total - musts.notSelected;
    return selected > 0 && ((shown && successes === 0) || musts.tested * 2 < selected);
  });
}

export function untestedMusts(requirements: readonly RequirementResult[]): RequirementResult[] {
  return requirements.filter(
    (requirement) => requirement.level === "MUST" && requirement.inScope && !isTested(requirement),
  );
}

export type JudgedReport = Pick<
  Report,
  "requirements" | "complaints" | "problem" | "endedEarly" | "operations" | "judged"
> & {
  run?: Pick<Report["run"], "partial">;
  checks?: readonly Pick<CheckResult, "level" | "outcome" | "waived">[];
};

export function verdict(report: JudgedReport, strict = false): Verdict {
  const fails = report.requirements.some(
    (requirement) => isFault(requirement, strict) && requirement.waived !== true,
  );
  if (fails || (report.complaints?.length ?? 0) > 0) return "nonconformant";
  return openQuestions(report).length > 0 ? "inconclusive" : "conformant";
}

export function runFails(report: Pick<Report, "checks" | "complaints" | "run">): boolean {
  const strict = isStrict(report);
  return report.checks.some((check) => isFailing(check, strict)) || (report.complaints?.length ?? 0) > 0;
}

/** Says what keeps the report from a verdict. */
export function openQuestions(report: JudgedReport): string[] {
  const said: string[] = [];
  if (report.problem !== undefined)
    said.push(`The target could not be judged: ${withFullStop(report.problem)}`);
  if (report.endedEarly !== undefined) said.push(`The run ended early: ${withFullStop(report.endedEarly)}`);
  if (report.run?.partial === true)
    said.push("The run is partial: it did not do everything it set out to do.");
  if (report.problem !== undefined) return said;
  if (report.judged !== undefined) return [...said, JUDGED_QUESTION];
  const musts = report.requirements.filter(({ level }) => level === "MUST");
  if (!musts.some(isTested)) return [...said, "No MUST requirement was tested."];
  if (isAllWaived(report)) return [...said, "Nothing holds of what was tested: waivers cover all of it."];
  const untested = untestedMusts(report.requirements);
  if (untested.length > 0)
    said.push(
      `${count(untested.length, "MUST requirement")} in scope ${untested.length === 1 ? "was" : "were"} not tested.`,
    );
  const unsteady = untested.filter(({ outcome }) => outcome === "unsteady").map(({ id }) => id);
  if (unsteady.length > 0)
    said.push(
      `Of ${firstNames(unsteady, "requirements")} a violation was seen once and not again, which is no test of ${unsteady.length === 1 ? "it" : "them"}.`,
    );
  const silent = silentOperations(report);
  if (silent.length > 0)
    said.push(
      `No success was seen of ${firstNames(
        silent.map(({ operation }) => operation),
        "operations",
      )}.`,
    );
  return said;
}

function isAllWaived({ checks = [] }: JudgedReport): boolean {
  const tested = checks.filter((check) => check.level === "MUST" && isTested(check));
  return tested.length > 0 && tested.every(({ waived }) => waived !== undefined);
}

function firstNames(names: readonly string[], kind: string): string {
  const listed = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${listed} and ${names.length - 3} more ${kind}` : listed;
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export function isStrict(report: Pick<Report, "run">): boolean {
  return report.run.options.strict === true;
}
