import { decisiveExchange } from "../exchange.ts";
import { isFault, worstOutcome } from "../outcome.ts";
import type { CheckResult, Exchange, Outcome, Report, RequirementResult, SkipReason } from "../report.ts";

export interface ComparedPair {
  /** Is `after`, or else `before`. */
  item: ComparedItem;
  before: ComparedItem | undefined;
  after: ComparedItem | undefined;
}

export interface ComparedItem {
  kind: "requirement" | "check";
  id: string;
  title: string;
  requirements: string[];
  operation?: string;
  outcome: Outcome;
  waived: boolean;
  reason?: SkipReason;
  message?: string;
  exchange?: Exchange;
  command?: string;
}

/** Pairs the requirements and checks of two reports by their ids. Items of one report alone have no partner. */
export function pairsOf(old: Report, now: Report, leftOut: ReadonlySet<string>): ComparedPair[] {
  const [before, after] = withSameIds(
    comparableChecks(old.checks, leftOut),
    comparableChecks(now.checks, leftOut),
  );
  return [
    ...pairsById(old.requirements.map(ofRequirement), now.requirements.map(ofRequirement)),
    ...pairsById(before.map(ofCheck), after.map(ofCheck)),
  ];
}

function comparableChecks(checks: readonly CheckResult[], leftOut: ReadonlySet<string>): CheckResult[] {
  return checks.filter(({ id }) => !leftOut.has(id));
}

function pairsById(before: ComparedItem[], after: ComparedItem[]): ComparedPair[] {
  const olds = new Map(before.map((item) => [item.id, item]));
  const news = new Set(after.map((item) => item.id));
  return [
    ...after.map((item) => ({ item, before: olds.get(item.id), after: item })),
    ...before.filter((item) => !news.has(item.id)).map((item) => ({ item, before: item, after: undefined })),
  ];
}

function ofRequirement(requirement: RequirementResult): ComparedItem {
  const { id, statement, outcome, waived } = requirement;
  return { kind: "requirement", id, title: statement, requirements: [id], outcome, waived: waived === true };
}

/** Returns a check in the form in which comparisons hold it. */
function ofCheck(check: CheckResult): ComparedItem {
  const { id, title, requirements, operation, outcome, reason, message, reproduce } = check;
  const exchange = decisiveExchange(check);
  return {
    kind: "check",
    id,
    title,
    requirements,
    operation,
    outcome,
    waived: check.waived !== undefined,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    ...(exchange === undefined ? {} : { exchange }),
    ...(reproduce === undefined ? {} : { command: reproduce.command }),
  };
}

/** Returns ids of checks that the seed left out, or tested at another operation. */
export function leftOutBySeed(old: readonly CheckResult[], now: readonly CheckResult[]): Set<string> {
  const notSampled = [...old, ...now].filter(({ reason }) => reason === "not-sampled");
  const olds = new Map(old.map((check) => [check.id, check]));
  const moved = now.filter((check) => isUntestedAtOneOperation(olds.get(check.id), check));
  return new Set([...notSampled, ...moved].map(({ id }) => id));
}

function isUntestedAtOneOperation(before: CheckResult | undefined, after: CheckResult): boolean {
  if (!before || before.operation === after.operation || isFault(after, true)) return false;
  return isUntested(before) || isUntested(after);
}

/** Returns the untested requirements whose checks are left out of the comparison. */
export function untestedRequirements(
  { requirements, checks }: Report,
  leftOut: ReadonlySet<string>,
): string[] {
  const untested = new Set(
    checks
      .filter((check) => leftOut.has(check.id) && isUntested(check))
      .flatMap((check) => check.requirements),
  );
  return requirements.filter(({ id, outcome }) => outcome === "skip" && untested.has(id)).map(({ id }) => id);
}

const OF_VERSION = / @\S+$/;

/**
 * Returns the checks of both reports under ids that fit each other. Depth full has a check for each version
 * (`x @1`), which may count as `x`.
 */
function withSameIds(old: CheckResult[], now: CheckResult[]): [CheckResult[], CheckResult[]] {
  const ids = (checks: CheckResult[]) => new Set(checks.map(({ id }) => id));
  return [foldVersions(old, ids(now)), foldVersions(now, ids(old))];
}

/** Joins the checks of several versions to one if the other report has one for all versions. */
function foldVersions(checks: CheckResult[], others: ReadonlySet<string>): CheckResult[] {
  const folded = new Map<string, CheckResult>();
  for (const check of checks) {
    const bare = check.id.replace(OF_VERSION, "");
    const id = !others.has(check.id) && others.has(bare) ? bare : check.id;
    const known = folded.get(id);
    if (known === undefined || worstOutcome([known.outcome, check.outcome]) !== known.outcome)
      folded.set(id, id === check.id ? check : { ...check, id });
  }
  return [...folded.values()];
}

export function isUntested({ outcome }: { outcome: Outcome }): boolean {
  return outcome === "skip" || outcome === "unsteady";
}
