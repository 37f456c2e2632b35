import { readFileSync } from "node:fs";
import type { Check, Stage } from "../../client/check.ts";
import type { CheckResult } from "../../reports/report.ts";
import { loadSpec } from "../../spec/loading/load.ts";

const file = (name: string) => ({
  name,
  text: readFileSync(new URL(`../../spec/${name}`, import.meta.url), "utf8"),
});

export const spec = loadSpec(file("openapi.yaml"), file("requirements.yaml"));

export function exampleCheck(id: string, change: Partial<Check> = {}): Check {
  return {
    id,
    title: `tries ${id}`,
    suite: "lists",
    requirements: ["LIST-COUNT"],
    operation: "GET /webhooks",
    stage: "read" satisfies Stage,
    writes: false,
    run: () => Promise.resolve(),
    verdict: () => ({ outcome: "held", times: 1, evidence: [] }),
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
