import { decisiveExchange } from "../../reports/exchange.ts";
import { findingResults } from "../../reports/findings.ts";
import {
  isStrict,
  type OperationFacts,
  operationResults,
  requirementOutcome,
  requirementScope,
  requirementWaived,
  summarise,
  verdict,
} from "../../reports/outcome.ts";
import { withoutPersonalData } from "../../reports/personal-data.ts";
import type { CheckResult, Coverage, Report, RequirementResult } from "../../reports/report.ts";
import { definedOnly } from "../../spec/defined-only.ts";
import { groupedByEach } from "../../spec/grouped.ts";
import { isObject } from "../../spec/json.ts";
import type { CheckFacts } from "../../spec/model/check.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Operation, Requirement, Spec } from "../../spec/model/spec.ts";
import { type SpecificationText, sectionsOf } from "../../spec/specification-text.ts";
import { isFinding, skippedResult } from "../judge.ts";
import type { Execution } from "../loop.ts";
import { packageIdentity } from "../package-root.ts";
import type { PlannedCheck } from "../planning/plan.ts";
import { applyBaseline, type Baseline } from "./baseline.ts";
import { applyWaivers, type WaivedResults, type Waiver } from "./waivers.ts";

export interface RunFacts {
  spec: Spec;
  settings: Settings;
  planned: readonly PlannedCheck[];
  untried?: readonly CheckFacts[];
  rulesOff?: readonly string[];
  specification?: SpecificationText;
  execution: Execution;
  options: Record<string, unknown>;
  waivers: readonly Waiver[];
  baseline?: Baseline;
  startedAt: Date;
  durationMs: number;
  interrupted: boolean;
  judged?: Report["judged"];
}

/** Joins the results, the coverage and the facts of the run to the report. */
export function assembleReport(facts: RunFacts): Report {
  const { spec, settings, execution } = facts;
  const { results, missing } = allResults(facts);
  const judged = withWaiversAndBaseline(facts, results);
  const problem = execution.problem ?? suiteProblem(facts, missing);
  const coverage = withOutcomes(
    execution.summary?.coverage ?? { operations: {}, fields: {}, constraints: {} },
    results,
  );
  const draft: Omit<Report, "verdict"> = {
    schemaVersion: 1,
    suite: packageIdentity(),
    spec: {
      title: spec.title,
      versions: spec.versions,
      sha256: spec.sha256,
      ...definedOnly({ rulesOff: unlessEmpty(facts.rulesOff) }),
    },
    target: { baseUrl: settings.baseUrl, paths: settings.paths, embedded: settings.embedded },
    ...(settings.profile
      ? { profile: { name: settings.profile.name, sha256: settings.profile.sha256 } }
      : {}),
    run: runOf(facts, missing),
    labels: labelsOf(facts.options),
    depth: settings.depth,
    leftToOtherSeeds: facts.untried?.length ?? 0,
    ...definedOnly({
      endedEarly: execution.summary?.endedEarly,
      problem,
      complaints: unlessEmpty(judged.complaints),
      notices: unlessEmpty(judged.notices),
    }),
    summary: summarise(judged.results),
    requirements: requirementResults(spec, judged.results, facts.options),
    checks:
      facts.options.showPersonalData === true ? judged.results : judged.results.map(withoutPersonalData),
    operations: operationResults(
      spec.operations.map(operationFacts),
      judged.results,
      coverage,
      facts.options.requireComplete === true,
    ),
    created: execution.summary?.created ?? [],
    observations: execution.summary?.observations ?? [],
    ...definedOnly({ assumed: unlessEmpty(execution.summary?.traits) }),
    coverage,
    ...definedOnly({ judged: facts.judged }),
  };
  const report: Report = {
    ...draft,
    ...definedOnly({ specification: citedSections(judged.results, spec, facts.specification) }),
    verdict: verdict(draft, isStrict(draft)),
  };
  return { ...report, findings: findingResults(report) };
}

function runOf({ execution, settings, ...facts }: RunFacts, missing: number): Report["run"] {
  return {
    startedAt: facts.startedAt.toISOString(),
    durationMs: Math.round(facts.durationMs),
    seed: settings.seed,
    requests: execution.summary?.requests ?? 0,
    partial: facts.interrupted || (missing > 0 && execution.problem === undefined),
    options: facts.options,
  };
}

function operationFacts({ key, section, kind }: Operation): OperationFacts {
  return { operation: key, section, shown: kind !== "named" && kind !== "other" };
}

function unlessEmpty<T>(items: readonly T[] | undefined): T[] | undefined {
  return items === undefined || items.length === 0 ? undefined : [...items];
}

/** Returns the sections of the specification's text that failing requirements name. */
function citedSections(
  results: readonly CheckResult[],
  spec: Spec,
  specification: SpecificationText | undefined,
): Report["specification"] {
  if (specification === undefined) return undefined;
  const known = sectionsOf(specification.text);
  const found = results.filter(isFinding);
  const cited = new Set(
    found.flatMap(({ section, requirements }) => [
      section,
      ...requirements.flatMap((id) => spec.requirements.get(id)?.section ?? []),
    ]),
  );
  const sections = [...known].filter(([number]) => cited.has(number));
  return { file: specification.file, sections: Object.fromEntries(sections) };
}

/** Returns the results with the waivers applied, and compared with the earlier run that `--baseline` names. */
function withWaiversAndBaseline(facts: RunFacts, results: readonly CheckResult[]): WaivedResults {
  const { settings, baseline, execution } = facts;
  const run = {
    strict: facts.options.strict === true,
    today: facts.startedAt.toISOString().slice(0, 10),
    depth: settings.depth,
    planned: new Map(facts.planned.map(({ check }) => [check.id, check])),
    untried: facts.untried ?? [],
  };
  const waived = applyWaivers(results, execution.problem === undefined ? facts.waivers : [], run);
  if (baseline === undefined) return waived;
  const known = applyBaseline(waived.results, baseline, run);
  return { ...waived, results: known.results, notices: [...waived.notices, ...known.notices] };
}

function labelsOf({ labels }: Record<string, unknown>): Record<string, string> {
  return isObject(labels)
    ? Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
    : {};
}

/** Returns a result for each planned check, and counts the checks that should have reported and did not. */
function allResults(facts: RunFacts): { results: CheckResult[]; missing: number } {
  const { spec, planned, execution } = facts;
  const reported = new Map(execution.results.map((result) => [result.id, result]));
  const why = execution.problem ?? (facts.interrupted ? "the run ended first" : "the check never reported");
  let missing = 0;
  const results = planned.map(({ check, skip }) => {
    const result = reported.get(check.id);
    if (result !== undefined)
      return skippedIfDoubted(
        skippedIfSpoilt(result, execution.summary),
        execution.summary?.unproven?.[check.id],
      );
    missing++;
    const { reason, message } = skip ?? { reason: "interrupted" as const, message: why };
    return skippedResult(check, { spec }, reason, message);
  });
  return { results, missing };
}

function withOutcomes(coverage: Coverage, results: readonly CheckResult[]): Coverage {
  const operations = Object.fromEntries(
    Object.entries(coverage.operations).map(([key, facts]) => [key, { ...facts, outcomes: {} }]),
  ) as Coverage["operations"];
  for (const { operation, outcome } of results) {
    const outcomes = operations[operation]?.outcomes;
    if (outcomes !== undefined) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return { ...coverage, operations };
}

/** Skips a violation that was shown after the service was gone, because the fault may be of the environment. */
function skippedIfSpoilt(result: CheckResult, summary: Execution["summary"]): CheckResult {
  const { spoiltSince, endedEarly } = summary ?? {};
  const shown = decisiveExchange(result)?.startedAt;
  if (spoiltSince === undefined || shown === undefined || !isFinding(result)) return result;
  if (Date.parse(shown) < Date.parse(spoiltSince)) return result;
  const { expected: _, actual: __, difference: ___, reproduce: ____, ...rest } = result;
  return { ...rest, outcome: "skip", reason: "no-answer", message: endedEarly ?? "the service was gone" };
}

function skippedIfDoubted(result: CheckResult, doubt: string | undefined): CheckResult {
  if (doubt === undefined || result.outcome !== "pass") return result;
  return { ...result, outcome: "skip", reason: "control-rejected", message: doubt };
}

function suiteProblem(facts: RunFacts, missing: number): string | undefined {
  const { faults } = facts.execution;
  if (faults.length === 0 && (missing === 0 || facts.interrupted)) return undefined;
  const what = missing === 0 ? "" : ` ${missing} of ${facts.planned.length} checks never reported.`;
  const details = faults.length === 0 ? "" : ` ${faults.slice(0, 3).join("; ")}`;
  return `The suite itself failed, so the target is not judged.${what}${details}`;
}

function requirementResults(
  spec: Spec,
  checks: readonly CheckResult[],
  options: Record<string, unknown>,
): RequirementResult[] {
  const testing = groupedByEach(checks, (check) => check.requirements);
  return [...spec.requirements.values()].map((requirement) =>
    requirementResult(requirement, testing.get(requirement.id) ?? [], options),
  );
}

function requirementResult(
  requirement: Requirement,
  checks: CheckResult[],
  options: Record<string, unknown>,
): RequirementResult {
  const { id, level, section, statement, untested } = requirement;
  const scope =
    untested === undefined
      ? requirementScope(level, checks, options.requireComplete === true)
      : { inScope: false, scopeReason: untested };
  return {
    id,
    level,
    section,
    statement,
    outcome: requirementOutcome(checks),
    checks: checks.map((check) => check.id),
    ...scope,
    ...(requirementWaived(checks, options.strict === true) ? { waived: true } : {}),
  };
}
