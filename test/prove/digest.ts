/** The facts about a run that the proof needs. Worker processes send them, so they are small. */

import type { CheckResult, Level, Report, Verdict } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";

/** A violated check, or a check in which the suite itself failed. */
export interface Finding {
  check: string;
  suite: string;
  requirements: string[];
  operation: string;
  outcome: "fail" | "warn" | "suite-error";
  message: string;
}

export interface Digest {
  /** Why the service could not be judged. Null if it was judged. */
  problem: string | null;
  verdict: Verdict;
  /** Errors of the report according to its JSON Schema. */
  reportErrors: string[];
  findings: Finding[];
  /** The outcome of each check by its id. For a skip, the reason follows a colon. */
  outcomes: Record<string, string>;
  requests: number;
  seconds: number;
}

export function digest(report: Report): Digest {
  const validation = validateReport(JSON.parse(JSON.stringify(report)));
  return {
    problem: report.problem ?? null,
    verdict: report.verdict,
    reportErrors: validation.valid ? [] : validation.errors,
    findings: report.checks.flatMap((result) => {
      const outcome = complaint(result);
      if (outcome === undefined) return [];
      const { id: check, suite, requirements, operation, message = "" } = result;
      return [{ check, suite, requirements, operation, outcome, message: message.slice(0, 500) }];
    }),
    outcomes: Object.fromEntries(report.checks.map((result) => [result.id, outcomeText(result)])),
    requests: report.run.requests,
    seconds: report.run.durationMs / 1000,
  };
}

function complaint(result: CheckResult): Finding["outcome"] | undefined {
  if (result.outcome === "fail" || result.outcome === "warn") return result.outcome;
  return result.reason === "suite-error" ? "suite-error" : undefined;
}

function outcomeText({ outcome, reason }: CheckResult): string {
  return reason === undefined ? outcome : `${outcome}: ${reason}`;
}

export function findingAt(level: Level): Finding["outcome"] {
  return level === "MUST" ? "fail" : "warn";
}
