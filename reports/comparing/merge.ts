import { groupedByEach } from "../../spec/grouped.ts";
import { findingResults } from "../findings.ts";
import { isInsecure } from "../headline.ts";
import {
  isStrict,
  OUTCOMES,
  operationResults,
  requirementOutcome,
  requirementScope,
  requirementWaived,
  summarise,
  verdict,
} from "../outcome.ts";
import type { CheckResult, Coverage, Observation, Report, RequirementResult, Trait } from "../report.ts";

export class MergeError extends Error {}

/**
 * Returns one report of all shards of a run.
 * @throws MergeError if reports are of different runs, of whole ones, of the same shard, or of recorded traffic
 */
export function mergeReports(reports: readonly Report[], allowInconclusive = false): Report {
  const [first, ...others] = reports;
  if (first === undefined) throw new MergeError("there is no report to merge");
  if (reports.some(({ judged }) => judged !== undefined))
    throw new MergeError("a report on recorded traffic can't be merged: judge takes several files");
  for (const other of others) requireSame(first, other);
  refuseRepeated(reports);
  const checks = mergeChecks(reports);
  const missing = checks.some((check) => check.reason === "shard");
  const starts = reports.map((report) => Date.parse(report.run.startedAt));
  const ends = reports.map((report, index) => (starts[index] ?? 0) + report.run.durationMs);
  const { shard: _, ...shared } = first.run.options;
  const options: Report["run"]["options"] = { ...shared, allowInconclusive };
  const problems = [...new Set(reports.flatMap(({ problem }) => problem ?? []))];
  const complaints = [...new Set(reports.flatMap((report) => report.complaints ?? []))];
  const labels = mergeLabels(reports);
  const notices = [...new Set([...reports.flatMap((report) => report.notices ?? []), ...labels.notices])];
  const coverage = mergeCoverage(reports, checks);
  const merged: Report = {
    ...first,
    run: {
      ...first.run,
      startedAt: new Date(Math.min(...starts)).toISOString(),
      durationMs: Math.max(...ends) - Math.min(...starts),
      requests: sumOf(reports, (report) => report.run.requests),
      partial: missing || reports.some((report) => report.run.partial),
      options,
    },
    ...specificationIn(reports),
    labels: labels.shared,
    summary: summarise(checks),
    requirements: mergeRequirements(reports, checks),
    checks,
    observations: mergeObservations(reports),
    coverage,
  };
  if (first.operations !== undefined) {
    const complete = options.requireComplete === true;
    merged.operations = operationResults(first.operations, checks, coverage, complete);
  }
  const assumed = mergeTraits(reports);
  if (assumed.length > 0) merged.assumed = assumed;
  const ended = reports.find(({ endedEarly }) => endedEarly !== undefined);
  if (ended?.endedEarly !== undefined) merged.endedEarly = ended.endedEarly;
  const created = reports.flatMap((report) => report.created ?? []);
  if (created.length > 0) merged.created = created;
  delete merged.problem;
  delete merged.complaints;
  if (problems.length > 0) merged.problem = problems.join("; ");
  if (complaints.length > 0) merged.complaints = complaints;
  if (notices.length > 0) merged.notices = notices;
  const judged: Report = { ...merged, verdict: verdict(merged, isStrict(merged)) };
  return first.findings === undefined ? judged : { ...judged, findings: findingResults(judged) };
}

/** Returns the cited sections of all reports together. */
function specificationIn(reports: readonly Report[]): Pick<Report, "specification"> {
  const known = reports.flatMap(({ specification }) => specification ?? []);
  const [first] = known;
  if (first === undefined) return {};
  return {
    specification: {
      file: first.file,
      sections: Object.assign({}, ...known.map(({ sections }) => sections)),
    },
  };
}

const COMMON: Record<string, (report: Report) => string> = {
  suite: ({ suite }) => `${suite.name} ${suite.version}`,
  specification: ({ spec }) => spec.sha256,
  // The embedded service of each shard has its own port.
  target: ({ target }) => (target.embedded ? "the embedded reference service" : target.baseUrl),
  paths: ({ target }) => target.paths,
  profile: ({ profile }) => (profile ? `${profile.name} ${profile.sha256}` : "none"),
  seed: ({ run }) => String(run.seed),
  depth: ({ depth }) => depth ?? "full",
  ...Object.fromEntries(
    ["only", "skip", "within", "preset", "offers", "readOnly", "serviceVersion", "runs"].map((name) => [
      name,
      ({ run }: Report) => JSON.stringify(run.options[name] ?? null),
    ]),
  ),
  strict: ({ run }) => String(run.options.strict === true),
  requireComplete: ({ run }) => String(run.options.requireComplete === true),
  insecure: (report) => String(isInsecure(report)),
};

function requireSame(first: Report, other: Report): void {
  for (const [name, textOf] of Object.entries(COMMON)) {
    const [a, b] = [textOf(first), textOf(other)];
    if (a !== b)
      throw new MergeError(`the reports are not of one run: ${name} is ${a} in one and ${b} in another`);
  }
}

/**
 * Checks that the reports are different shards of one run.
 * @throws MergeError if they are not.
 */
function refuseRepeated(reports: readonly Report[]): void {
  const seen = new Set<string>();
  for (const { run } of reports.length > 1 ? reports : []) {
    if (run.options.shard === undefined)
      throw new MergeError("one of the reports is of a whole run, not of a shard: compare shows two runs");
    const shard = JSON.stringify(run.options.shard);
    if (seen.has(shard)) throw new MergeError(`two of the reports are of the same shard, ${shard}`);
    seen.add(shard);
  }
}

function mergeChecks(reports: readonly Report[]): CheckResult[] {
  const merged = new Map<string, CheckResult>();
  for (const check of reports.flatMap((report) => report.checks)) {
    const known = merged.get(check.id);
    if (known === undefined || outweighs(check, known)) merged.set(check.id, check);
  }
  return [...merged.values()];
}

function outweighs(a: CheckResult, b: CheckResult): boolean {
  const rank = (check: CheckResult) => OUTCOMES.indexOf(check.outcome) + (check.reason === "shard" ? 1 : 0);
  return rank(a) < rank(b);
}

/** Returns the result of each requirement from the checks of all shards. */
function mergeRequirements(reports: readonly Report[], checks: CheckResult[]): RequirementResult[] {
  const testing = groupedByEach(checks, ({ requirements }) => requirements);
  const known = new Map<string, RequirementResult>();
  for (const requirement of reports.flatMap((report) => report.requirements)) {
    if (!known.has(requirement.id)) known.set(requirement.id, requirement);
  }
  const options = reports[0]?.run.options ?? {};
  return [...known.values()].map((requirement) => {
    const own = testing.get(requirement.id) ?? [];
    if (own.length === 0) return requirement;
    const { id, level, section, statement } = requirement;
    return {
      id,
      level,
      section,
      statement,
      outcome: requirementOutcome(own),
      checks: own.map((check) => check.id),
      ...requirementScope(level, own, options.requireComplete === true),
      ...(requirementWaived(own, options.strict === true) ? { waived: true } : {}),
    };
  });
}

/** Returns the labels that all shards share, and notices about labels that differ. */
function mergeLabels(reports: readonly Report[]): { shared: Record<string, string>; notices: string[] } {
  const shared: Record<string, string> = {};
  const notices: string[] = [];
  for (const name of new Set(reports.flatMap(({ labels = {} }) => Object.keys(labels)))) {
    const values = [...new Set(reports.map(({ labels = {} }) => labels[name] ?? "none"))];
    if (values.length === 1 && values[0] !== undefined) shared[name] = values[0];
    else notices.push(`The label ${name} differs: ${values.join(", ")}.`);
  }
  return { shared, notices };
}

function mergeObservations(reports: readonly Report[]): Observation[] {
  const merged = new Map<string, Observation>();
  for (const observation of reports.flatMap((report) => report.observations)) {
    const { requirement, operation, subject, value } = observation;
    merged.set(JSON.stringify([requirement, operation, subject, value]), observation);
  }
  return [...merged.values()];
}

function mergeTraits(reports: readonly Report[]): Trait[] {
  const merged = new Map<string, Trait>();
  for (const each of reports.flatMap(({ assumed = [] }) => assumed)) {
    const key = JSON.stringify([each.trait, each.subject]);
    if (!merged.has(key)) merged.set(key, each);
  }
  return [...merged.values()];
}

/**
 * Returns the coverage of all shards together. Every shard lists every check, so outcomes come from the merged
 * checks.
 */
function mergeCoverage(reports: readonly Report[], checks: CheckResult[]): Coverage {
  const coverage: Coverage = { operations: {}, fields: {}, constraints: {} };
  for (const { coverage: part } of reports) {
    for (const [name, { requests, statuses }] of Object.entries(part.operations)) {
      const total = getOrPut(coverage.operations, name, (): Coverage["operations"][string] => ({
        requests: 0,
        statuses: {},
        outcomes: {},
      }));
      total.requests += requests;
      for (const [status, n] of Object.entries(statuses))
        total.statuses[status] = (total.statuses[status] ?? 0) + n;
    }
    for (const [name, field] of Object.entries(part.fields)) {
      const total = getOrPut(coverage.fields, name, () => ({ seen: 0, null: 0 }));
      total.seen += field.seen;
      total.null += field.null;
    }
    for (const [name, constraint] of Object.entries(part.constraints)) {
      const total = getOrPut(coverage.constraints, name, () => ({ valid: 0, violating: 0 }));
      total.valid += constraint.valid;
      total.violating += constraint.violating;
    }
  }
  for (const check of checks) {
    const outcomes = coverage.operations[check.operation]?.outcomes;
    if (outcomes !== undefined) outcomes[check.outcome] = (outcomes[check.outcome] ?? 0) + 1;
  }
  return coverage;
}

/**
 * Returns the record's value of this name, and makes it if there is none. A service may name a field
 * `__proto__`.
 */
function getOrPut<Value>(record: Record<string, Value>, name: string, make: () => Value): Value {
  const known = Object.hasOwn(record, name) ? record[name] : undefined;
  if (known !== undefined) return known;
  const made = make();
  Object.defineProperty(record, name, { value: made, enumerable: true, writable: true, configurable: true });
  return made;
}

function sumOf(reports: readonly Report[], countOf: (report: Report) => number): number {
  return reports.reduce((total, report) => total + countOf(report), 0);
}
