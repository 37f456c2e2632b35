import type { Check } from "../../client/check.ts";
import type { RuleResult } from "../../history/result.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { Stage } from "../../spec/model/check.ts";
import { spec } from "../spec/package-spec.ts";

export { spec };

export const HELD: RuleResult = { outcome: "held", times: 1, evidence: [] };

export function exampleCheck(id: string, change: Partial<Check> = {}): Check {
  return {
    id,
    title: `tries ${id}`,
    suite: "lists",
    requirements: ["LIST-COUNT"],
    operation: "GET /webhooks",
    stage: "read" satisfies Stage,
    writes: false,
    probes: [],
    run: async () => HELD,
    verdict: () => HELD,
    observed: () => [],
    ...change,
  };
}

export function exampleResult(check: Check, change: Partial<CheckResult> = {}): CheckResult {
  const { id, title, requirements, suite, operation } = check;
  return {
    id,
    title,
    requirements,
    suite,
    operation,
    serviceVersion: null,
    level: spec.requirements.get(requirements[0] ?? "")?.level ?? "MUST",
    section: "4.16",
    outcome: "pass",
    durationMs: 1,
    evidence: [],
    ...change,
  };
}
