import type { CheckResult } from "../../reports/report.ts";

/** Returns the ids of the checks, and of those whose requests showed their violations. */
export function withThoseThatAsked(checks: readonly Pick<CheckResult, "id" | "reproduce">[]): string[] {
  return [...new Set(checks.flatMap(({ id, reproduce }) => [id, ...(reproduce?.with ?? [])]))];
}
