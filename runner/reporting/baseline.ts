/** Violations of the baseline (an earlier report) do not fail the run. */

import { count } from "../../reports/text.ts";
import { type CheckFacts, idsOf } from "../../spec/model/check.ts";
import type { CheckResult, Outcome } from "../../spec/model/result.ts";

export interface Baseline {
  file: string;
  seed: number;
  depth: "quick" | "full";
  violated: ReadonlyMap<string, Outcome>;
}

/** Marks failures that the baseline has, too, as known. */
export function applyBaseline(
  results: readonly CheckResult[],
  baseline: Baseline,
  run: { strict: boolean; depth: "quick" | "full"; planned: ReadonlyMap<string, CheckFacts> },
): { results: CheckResult[]; notices: string[] } {
  const fails = (outcome: Outcome | undefined) => outcome === "fail" || (run.strict && outcome === "warn");
  const isKnown = (result: CheckResult) =>
    idsOf(run.planned.get(result.id) ?? result).some((id) => fails(baseline.violated.get(id)));
  const notices: string[] = [];
  const gone = results.filter((result) => result.outcome === "pass" && isKnown(result)).length;
  if (gone > 0)
    notices.push(
      `${count(gone, "check that fails", "checks that fail")} in the baseline ${gone === 1 ? "passes" : "pass"} now; a new baseline keeps them from failing again unseen`,
    );
  if (baseline.depth === "quick" && run.depth === "full")
    notices.push("the baseline has depth quick: it has none of the violations that only depth full finds");
  return {
    results: results.map((result) =>
      fails(result.outcome) && isKnown(result) ? { ...result, known: true } : result,
    ),
    notices,
  };
}
