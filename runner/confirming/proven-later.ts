import type { Check } from "../../client/check.ts";
import { isProven, type RuleResult } from "../../history/result.ts";
import type { Histories } from "../histories.ts";

/**
 * Returns the checks whose violation is proven by answers of a confirmation, although the check was not the one to
 * be confirmed. The judgements of the history say where each violation shows.
 */
export function provenLater(checks: readonly Check[], histories: Histories) {
  const all = histories.ofConfirmations();
  if (all.entries.length === 0) return [];
  return checks.flatMap((check) => {
    // A judgement names one round, so a round must show the violation alone.
    for (const round of roundsWithProof(check.verdict(all))) {
      const verdict = check.verdict(histories.of(round));
      if (roundsWithProof(verdict).length === 0) continue;
      histories.judgedNow(check.id, round);
      return [{ check, verdict }];
    }
    return [];
  });
}

function roundsWithProof(verdict: RuleResult): number[] {
  if (verdict.outcome !== "violated") return [];
  const shownBy = verdict.violations.filter(isProven).flatMap((violation) => violation.shownBy);
  return [...new Set(shownBy.map(({ entry }) => entry.round))].filter((round) => round > 1);
}
