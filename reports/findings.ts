/** What a reader is told first, whatever the format: the verdict in words, and the faults grouped by their kind. */
import { decisive, exchangeSize } from "./exchange.ts";
import { isFailing, isStrict, isTested, openQuestions, untestedMusts } from "./outcome.ts";
import type { CheckResult, Report, RequirementResult } from "./report.ts";
import { count, number } from "./text.ts";

/** Checks that break the same requirement in the same way; `first` is the one with the shortest exchange. */
export interface Finding {
  requirement: RequirementResult;
  first: CheckResult;
  checks: CheckResult[];
  operations: string[];
}

/** The checks that fail the run, grouped, in the order of the requirements. Under strict, warns are among them. */
export function failures(report: Report): Finding[] {
  const strict = isStrict(report);
  return group(report, (check) => isFailing(check, strict));
}

/** The warns that fail nothing, grouped. None under strict, where they are failures. */
export function warnings(report: Report): Finding[] {
  if (isStrict(report)) return [];
  return group(report, (check) => check.outcome === "warn" && check.waived === undefined);
}

/** What was violated once, and not when it was tried again, grouped. */
export function unsteadyFindings(report: Report): Finding[] {
  return group(report, (check) => check.outcome === "unsteady");
}

/** The violations that a waiver covers, grouped. */
export function waivedFindings(report: Report): Finding[] {
  return group(report, (check) => check.waived !== undefined && ["fail", "warn"].includes(check.outcome));
}

function group(report: Report, belongs: (check: CheckResult) => boolean): Finding[] {
  const catalogue = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const groups = new Map<string, Finding>();
  for (const check of report.checks) {
    if (!belongs(check)) continue;
    const key = JSON.stringify([check.requirements, alike(check.expected ?? check.message ?? check.title)]);
    const found = groups.get(key);
    if (found === undefined) {
      const requirement = requirementOf(check, catalogue);
      groups.set(key, { requirement, first: check, checks: [check], operations: [check.operation] });
      continue;
    }
    found.checks.push(check);
    if (!found.operations.includes(check.operation)) found.operations.push(check.operation);
    if (size(check) < size(found.first)) found.first = check;
  }
  const order = new Map(report.requirements.map((requirement, index) => [requirement.id, index]));
  const place = (finding: Finding) => order.get(finding.requirement.id) ?? order.size;
  return [...groups.values()].sort((a, b) => place(a) - place(b));
}

/** The worst of the requirements that a check names: the first that is not satisfied, else the first. */
function requirementOf(check: CheckResult, catalogue: Map<string, RequirementResult>): RequirementResult {
  const named = check.requirements.flatMap((id) => catalogue.get(id) ?? []);
  const broken = named.find((requirement) => requirement.outcome === check.outcome);
  return (
    broken ??
    named[0] ?? {
      id: check.requirements[0] ?? check.id,
      level: check.level,
      section: check.section,
      statement: check.title,
      outcome: check.outcome,
      checks: [check.id],
      inScope: true,
    }
  );
}

/** Two expectations that differ only in numbers and quoted values say the same thing. */
function alike(text: string): string {
  return text
    .slice(0, 500)
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "…")
    .replace(/[0-9]+/g, "#");
}

function size(check: CheckResult): number {
  const exchange = decisive(check);
  return exchange === undefined ? Number.POSITIVE_INFINITY : exchangeSize(exchange);
}

export interface MustCounts {
  total: number;
  inScope: number;
  tested: number;
  /** Tested, and not failing but by waiver. */
  held: number;
  failing: number;
  waived: number;
  untested: number;
  outOfScope: number;
}

/** How far the MUST requirements got. */
export function mustCounts(report: Report): MustCounts {
  const musts = report.requirements.filter((requirement) => requirement.level === "MUST");
  const inScope = musts.filter((requirement) => requirement.inScope);
  const fails = musts.filter((requirement) => requirement.outcome === "fail");
  const waived = fails.filter((requirement) => requirement.waived === true).length;
  const tested = musts.filter(isTested).length;
  return {
    total: musts.length,
    inScope: inScope.length,
    tested,
    held: tested - (fails.length - waived),
    failing: fails.length - waived,
    waived,
    untested: untestedMusts(report.requirements).length,
    outOfScope: musts.length - inScope.length,
  };
}

/** The verdict as a title and some sentences: the scope in numbers, what fails, and what stands in the way. */
export function headline(report: Report): { title: string; sentence: string } {
  const failing = failures(report);
  const title = {
    conformant: "Conformant in scope",
    nonconformant: "Not conformant",
    inconclusive: "Inconclusive",
  }[report.verdict];
  const sentences: string[] = [];
  if (report.verdict === "conformant") sentences.push(`${scopeInNumbers(report)} tested, and nothing fails.`);
  if (failing.length > 0) {
    const broken = new Set(failing.map((finding) => finding.requirement.id)).size;
    const checks = failing.reduce((sum, finding) => sum + finding.checks.length, 0);
    sentences.push(
      `${count(broken, "requirement is", "requirements are")} violated: ${count(failing.length, "finding")}, in ${count(checks, "check")}.`,
    );
    if (isStrict(report)) {
      const warns = failing.filter(({ first }) => first.outcome === "warn").length;
      if (warns > 0)
        sentences.push(`Under --strict ${count(warns, "warning counts", "warnings count")} as failures.`);
    }
  }
  if (report.complaints !== undefined && report.complaints.length > 0) {
    sentences.push(`${count(report.complaints.length, "complaint")} about the run itself.`);
  }
  const open = openQuestions(report);
  if (report.verdict === "inconclusive" && report.problem === undefined)
    sentences.push("Nothing fails, but:");
  sentences.push(...open);
  if (report.problem === undefined && report.verdict !== "conformant")
    sentences.push(`Scope: ${scopeInNumbers(report)} tested.`);
  return { title, sentence: sentences.join(" ") };
}

/** `16 of 25 operations, 118 of 136 MUST requirements`: how many were tested. */
export function scopeInNumbers(report: Report): string {
  const musts = mustCounts(report);
  const must = `${number(musts.tested)} of ${number(musts.total)} MUST requirements`;
  if (report.operations === undefined) return must;
  const tested = report.operations.filter(
    ({ shown, successes, musts: own }) => own.tested > 0 && (!shown || successes > 0),
  );
  return `${number(tested.length)} of ${count(report.operations.length, "operation")}, ${must}`;
}
