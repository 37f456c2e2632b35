import type { SpecificationSection } from "../spec/specification-text.ts";
import { causeOf, findingKind, KINDS } from "./causes.ts";
import { decisiveExchange, exchangeSize } from "./exchange.ts";
import { linkFollowing } from "./follows.ts";
import { isFailing, isStrict } from "./outcome.ts";
import type { CheckResult, FindingResult, Report, RequirementResult } from "./report.ts";
import { count } from "./text.ts";

/** The example `first` is the shortest, preferably a GET. */
export interface Finding {
  requirement: RequirementResult;
  cause: string;
  kind: FindingResult["kind"];
  first: CheckResult;
  checks: CheckResult[];
  operations: string[];
  versions: string[];
  cited?: { file: string; number: string; section: SpecificationSection };
  follows?: Finding;
}

export function underCauses(findings: readonly Finding[]): { finding: Finding; following: Finding[] }[] {
  return findings
    .filter(({ follows }) => follows === undefined)
    .map((finding) => ({ finding, following: findings.filter(({ follows }) => follows === finding) }));
}

export function failures(report: Report): Finding[] {
  const strict = isStrict(report);
  return groupedFindings(report, (check) => isFailing(check, strict));
}

export function knownFindings(report: Report): Finding[] {
  return groupedFindings(report, (check) => check.known === true && check.waived === undefined);
}

export function warnings(report: Report): Finding[] {
  if (isStrict(report)) return [];
  return groupedFindings(report, (check) => check.outcome === "warn" && check.waived === undefined);
}

export function unsteadyFindings(report: Report): Finding[] {
  return groupedFindings(report, (check) => check.outcome === "unsteady");
}

export function waivedFindings(report: Report): Finding[] {
  return groupedFindings(
    report,
    (check) => check.waived !== undefined && ["fail", "warn"].includes(check.outcome),
  );
}

/** Returns the findings by the section of the report that shows them. */
export function findingSections(
  report: Report,
): Record<"failures" | "known" | "warnings" | "waived" | "unsteady", Finding[]> {
  return {
    failures: failures(report),
    known: knownFindings(report),
    warnings: warnings(report),
    waived: waivedFindings(report),
    unsteady: unsteadyFindings(report),
  };
}

/** Returns the findings as `report.json` lists them, without the waived ones. */
export function findingResults(report: Report): FindingResult[] {
  const { waived: _, ...sections } = findingSections(report);
  return Object.values(sections)
    .flat()
    .map((finding) => ({
      cause: nameOf(finding),
      requirement: finding.requirement.id,
      outcome: finding.first.outcome as FindingResult["outcome"],
      kind: finding.kind,
      checks: finding.checks.map(({ id }) => id),
      operations: finding.operations,
      versions: finding.versions,
      ...(finding.first.known === true ? { known: true as const } : {}),
      ...(finding.follows === undefined ? {} : { followsFrom: nameOf(finding.follows) }),
    }));
}

function nameOf({ requirement, cause }: Finding): string {
  return `${requirement.id}: ${cause}`;
}

/** Groups the checks that belong here to findings: one requirement, broken in one way. */
function groupedFindings(report: Report, belongs: (check: CheckResult) => boolean): Finding[] {
  const catalogue = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const groups = new Map<string, Finding>();
  const missing = notImplemented(report, belongs);
  for (const check of report.checks) {
    if (!belongs(check)) continue;
    // Operations that are not implemented form one finding.
    const root = missing.get(check.operation);
    const requirement = requirementOf(root ?? check, catalogue);
    const cause = root ? `not implemented: ${count(missing.size, "operation")}` : causeOf(check);
    const key = JSON.stringify(root ? [cause] : [requirement.id, check.outcome, cause]);
    const found = groups.get(key) ?? {
      requirement,
      cause,
      kind: findingKind(check),
      first: root ?? check,
      checks: [],
      operations: [],
      versions: [],
      ...citationOf(report, requirement.section),
    };
    groups.set(key, found);
    found.checks.push(check);
    if (!found.operations.includes(check.operation)) found.operations.push(check.operation);
    const version = check.serviceVersion;
    if (version !== null && !found.versions.includes(version)) found.versions.push(version);
    if (root === undefined && isBetterExample(check, found.first)) found.first = check;
  }
  return worstFirst([...groups.values()], report);
}

/**
 * Returns the check that shows an operation to be missing, by operation. All other failures of an operation
 * that is not implemented follow from that.
 */
function notImplemented(
  { checks }: Report,
  belongs: (check: CheckResult) => boolean,
): Map<string, CheckResult> {
  const found = checks.filter((check) => check.notImplemented === true && belongs(check));
  return new Map(found.map((check) => [check.operation, check]));
}

function citationOf({ specification }: Report, number: string): Pick<Finding, "cited"> {
  const section = specification?.sections[number];
  return specification && section ? { cited: { file: specification.file, number, section } } : {};
}

/**
 * Returns the findings in the order in which reports show them. The worst harm comes first. A cut list still
 * names all requirements.
 */
function worstFirst(findings: Finding[], report: Report): Finding[] {
  const order = new Map(report.requirements.map((requirement, index) => [requirement.id, index]));
  const place = ({ requirement }: Finding) => order.get(requirement.id) ?? order.size;
  const sorted = findings.sort(
    (a, b) =>
      Number(b.first.notImplemented === true) - Number(a.first.notImplemented === true) ||
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

/** Returns the requirement that the check broke, or the first that it names. */
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

/** Returns how large an example the check gives. A GET is a better example than a write. */
/** A check with a place in its evidence comes first, because values of secrets have none. Then the shorter one. */
function isBetterExample(one: CheckResult, other: CheckResult): boolean {
  const hasPlace = ({ evidence }: CheckResult) => evidence.some(({ offending }) => offending !== undefined);
  if (hasPlace(one) !== hasPlace(other)) return hasPlace(one);
  return sizeOfExample(one) < sizeOfExample(other);
}

function sizeOfExample(check: CheckResult): number {
  const exchange = decisiveExchange(check);
  if (exchange === undefined) return Number.POSITIVE_INFINITY;
  return exchangeSize(exchange) + (exchange.request.method === "GET" ? 0 : 100_000);
}

export function findingsInWords(findings: readonly Finding[]): string {
  const following = findings.filter(({ follows }) => follows !== undefined).length;
  const note = following === 0 ? "" : ` (${count(following, "follows", "follow")} from others)`;
  return `${count(findings.length, "finding")}${note}`;
}
