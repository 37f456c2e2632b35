import { isFault, isStrict, isTested, OUTCOMES, requirementOutcome, summarise, verdict } from "./outcome.ts";
import type { Report, RequirementResult } from "./report.ts";

/** Finds contradictions between a report and its own checks: somebody may have changed the report by hand. */
export function contradictionIn(report: Report): string | undefined {
  const counts = summarise(report.checks);
  const counted = [...OUTCOMES, "waived" as const].find(
    (outcome) => (report.summary[outcome] ?? counts[outcome]) !== counts[outcome],
  );
  if (counted !== undefined)
    return `its summary counts ${report.summary[counted]} checks as "${counted}", but it has ${counts[counted]}`;
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  for (const requirement of report.requirements) {
    const own = requirement.checks.flatMap((id) => checks.get(id) ?? []);
    const actual = requirementOutcome(own);
    if (own.length === requirement.checks.length && isBetter(requirement, actual))
      return `${requirement.id} says "${requirement.outcome}", but its checks give "${actual}"`;
  }
  // Earlier releases asked less of operations and checks.
  const { operations: _, checks: __, ...facts } = report;
  const due = verdict(facts, isStrict(report));
  const isTooGood = report.verdict === "conformant" || due === "nonconformant";
  return isTooGood && due !== report.verdict
    ? `its verdict is "${report.verdict}", but its requirements give "${due}"`
    : undefined;
}

function isBetter({ outcome }: RequirementResult, actual: RequirementResult["outcome"]): boolean {
  return outcome !== actual && (isTested({ outcome }) || isFault({ outcome: actual }, true));
}
