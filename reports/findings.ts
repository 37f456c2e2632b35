/** What a reader is told first, whatever the format: the verdict in words, and the faults grouped by their cause. */

import type { SpecificationSection } from "../spec/specification-text.ts";
import { causeOf, findingKind, KINDS } from "./causes.ts";
import { decisive, exchangeSize } from "./exchange.ts";
import { linkFollowing } from "./follows.ts";
import { isFailing, isStrict, isTested, openQuestions, untestedMusts } from "./outcome.ts";
import type { CheckResult, FindingResult, Report, RequirementResult } from "./report.ts";
import { count, number } from "./text.ts";
import { decidingOffers } from "./unlocks.ts";

/** One fault of the service: checks that break one requirement in one way; `first` has the shortest exchange. */
export interface Finding {
  requirement: RequirementResult;
  /** The kind of difference, in words that hold for all of its checks. */
  cause: string;
  kind: FindingResult["kind"];
  first: CheckResult;
  checks: CheckResult[];
  operations: string[];
  versions: string[];
  /** Where the specification says it, if its text is known. */
  cited?: { file: string; number: string; section: SpecificationSection };
  /** The finding that this one follows from: it is told there. */
  follows?: Finding;
}

/** Findings that follow from no other, each with those that follow from it. */
export function underCauses(findings: readonly Finding[]): { finding: Finding; following: Finding[] }[] {
  return findings
    .filter(({ follows }) => follows === undefined)
    .map((finding) => ({ finding, following: findings.filter(({ follows }) => follows === finding) }));
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

/** The findings as `report.json` has them: failures, warnings and what is unsteady; what is waived is none. */
export function findingResults(report: Report): FindingResult[] {
  const found = [...failures(report), ...warnings(report), ...unsteadyFindings(report)];
  return found.map((finding) => ({
    cause: nameOf(finding),
    requirement: finding.requirement.id,
    outcome: finding.first.outcome as FindingResult["outcome"],
    kind: finding.kind,
    checks: finding.checks.map(({ id }) => id),
    operations: finding.operations,
    versions: finding.versions,
    ...(finding.follows === undefined ? {} : { followsFrom: nameOf(finding.follows) }),
  }));
}

/** What a finding is called: requirement and cause. */
function nameOf({ requirement, cause }: Finding): string {
  return `${requirement.id}: ${cause}`;
}

/** Grouped by requirement and cause, in the order in which a reader needs them. */
function group(report: Report, belongs: (check: CheckResult) => boolean): Finding[] {
  const catalogue = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const groups = new Map<string, Finding>();
  for (const check of report.checks) {
    if (!belongs(check)) continue;
    const requirement = requirementOf(check, catalogue);
    const cause = causeOf(check);
    const key = JSON.stringify([requirement.id, check.outcome, cause]);
    const found = groups.get(key) ?? {
      requirement,
      cause,
      kind: findingKind(check),
      first: check,
      checks: [],
      operations: [],
      versions: [],
      ...citation(report, requirement.section),
    };
    groups.set(key, found);
    found.checks.push(check);
    if (!found.operations.includes(check.operation)) found.operations.push(check.operation);
    const version = check.serviceVersion;
    if (version !== null && !found.versions.includes(version)) found.versions.push(version);
    if (size(check) < size(found.first)) found.first = check;
  }
  return ordered([...groups.values()], report);
}

function citation({ specification }: Report, number: string): Pick<Finding, "cited"> {
  const section = specification?.sections[number];
  return specification && section ? { cited: { file: specification.file, number, section } } : {};
}

/**
 * What endangers most comes first, and what is broken most widely; but each violated requirement has its first finding
 * before any has its second, so that a reader who stops early, or a format that is bounded, misses none.
 */
function ordered(findings: Finding[], report: Report): Finding[] {
  const order = new Map(report.requirements.map((requirement, index) => [requirement.id, index]));
  const place = ({ requirement }: Finding) => order.get(requirement.id) ?? order.size;
  const sorted = findings.sort(
    (a, b) =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
      place(a) - place(b) ||
      b.checks.length - a.checks.length,
  );
  const seen = new Set<string>();
  const first: Finding[] = [];
  const further: Finding[] = [];
  for (const finding of sorted) {
    (seen.has(finding.requirement.id) ? further : first).push(finding);
    seen.add(finding.requirement.id);
  }
  const inOrder = [...first, ...further];
  linkFollowing(inOrder);
  return inOrder;
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

/** How much there is to read; a request that changes nothing is the better example. */
function size(check: CheckResult): number {
  const exchange = decisive(check);
  if (exchange === undefined) return Number.POSITIVE_INFINITY;
  return exchangeSize(exchange) + (exchange.request.method === "GET" ? 0 : 100_000);
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

/** Of what would decide an inconclusive run, so much is told in the headline. */
const MOST_OFFERS = 3;

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
      `${count(broken, "requirement is", "requirements are")} violated: ${findingsInWords(failing)}, in ${count(checks, "check")}.`,
    );
    if (isStrict(report)) {
      const warns = failing.filter(({ first }) => first.outcome === "warn").length;
      if (warns > 0)
        sentences.push(
          `Under --strict ${count(warns, "warning counts as a failure", "warnings count as failures")}.`,
        );
    }
  }
  const unrefused = rejectsNothing(report);
  if (unrefused > 0)
    sentences.push(
      `The service rejects nothing: ${number(unrefused)} kinds of invalid calls were all accepted.`,
    );
  if (report.complaints !== undefined && report.complaints.length > 0) {
    sentences.push(`${count(report.complaints.length, "complaint")} about the run itself.`);
  }
  const open = openQuestions(report);
  if (report.verdict === "inconclusive" && report.problem === undefined)
    sentences.push("Nothing fails, but:");
  sentences.push(...open);
  if (report.verdict === "inconclusive") {
    const offers = decidingOffers(report).slice(0, MOST_OFFERS);
    if (offers.length > 0) sentences.push(`What would decide it: ${offers.join("; ")}.`);
  }
  if (report.problem === undefined && report.verdict !== "conformant")
    sentences.push(`Scope: ${scopeInNumbers(report)} tested.`);
  return { title, sentence: sentences.join(" ") };
}

/** Fewer rejections that were asked for say nothing of the service as a whole. */
const ENOUGH_REJECTIONS = 10;

/** How many checks ask for a rejection, where the service gave none of them; 0 where it gave some. */
function rejectsNothing(report: Report): number {
  const asked = report.checks.filter(
    ({ title, outcome }) =>
      /\bis rejected\b|\brejects\b/.test(title) && ["pass", "fail", "warn"].includes(outcome),
  );
  const refused = asked.filter((check) => causeOf(check) !== "accepted what is to be rejected");
  return refused.length === 0 && asked.length >= ENOUGH_REJECTIONS ? asked.length : 0;
}

/** `12 findings (3 follow from others)`. */
export function findingsInWords(findings: readonly Finding[]): string {
  const following = findings.filter(({ follows }) => follows !== undefined).length;
  const note = following === 0 ? "" : ` (${count(following, "follows", "follow")} from others)`;
  return `${count(findings.length, "finding")}${note}`;
}

/** How many rules of the suite are off because the edition lacks their requirement; undefined if none are. */
export function rulesOffInWords({ spec: { rulesOff = [] } }: Report): string | undefined {
  if (rulesOff.length === 0) return undefined;
  return `${count(rulesOff.length, "rule")} of the suite ${rulesOff.length === 1 ? "is" : "are"} off: the edition has no such requirement (list names them).`;
}

/** `build=4.2.1, region=eu`: what the user says of the service; empty where that is nothing. */
export function labelsInWords({ labels = {} }: Pick<Report, "labels">): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
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
