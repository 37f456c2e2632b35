import { NotTested } from "../../client/check.ts";
import type { Probe } from "../../client/target.ts";
import type { History } from "../../history/history.ts";
import type { Observed, RuleResult } from "../../history/result.ts";
import type { CheckFacts } from "../../spec/model/check.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { plainProbe } from "../shared/sampled.ts";

export interface Source extends CheckFacts {
  verdict(history: History): RuleResult;
  observed(history: History): Observed[];
}

/**
 * Waits for the checks that show if the promise is kept.
 * @throws NotTested if one was skipped
 */
export function callsOf(operation: Operation, what: string, sources: readonly Source[]): Probe {
  return plainProbe(`promised ${what} of`, operation, "finish", async ({ target }) => {
    const results = await Promise.all(sources.map((source) => target.resultOf(source)));
    const skipped = results.find(({ outcome }) => outcome === "skip");
    if (skipped)
      throw new NotTested(skipped.reason ?? "no-data", skipped.message ?? skipped.title, skipped.evidence);
  });
}
