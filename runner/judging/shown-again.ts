/** In a recording of all traffic, a violation that shows twice is proven. */

import type { Check } from "../../client/check.ts";
import { type Entry, isAccepted, isOrdinary, isRejected, responseJson } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { isProvenViolation, type RuleResult, type Violation } from "../../history/result.ts";
import { keptIn } from "../../spec/memoized.ts";

export class ShownAgain {
  readonly #beginnings = new Map<number, History>();

  constructor(private readonly history: History) {}

  /** Returns the result, with suspected violations settled by what came later. */
  settled(check: Check, result: RuleResult): RuleResult {
    if (result.outcome !== "violated" || isProvenViolation(result)) return result;
    const later = result.violations.reduce((one, other) => (beginOf(other) > beginOf(one) ? other : one));
    const before = check.verdict(this.#beginning(beginOf(later)));
    if (before?.outcome !== "violated") return result;
    const both = [...before.violations, later];
    const entries = both.flatMap(({ shownBy }) => shownBy.map(({ entry }) => entry));
    if (!entries.every((entry) => this.#isOwnAnswer(entry))) return result;
    return { outcome: "violated", violations: [{ ...later, certainty: "proven" }] };
  }

  #beginning(length: number): History {
    const { spec, head, entries } = this.history;
    return keptIn(this.#beginnings, length, () => new History(spec, head, entries.slice(0, length)));
  }

  /** False if a firewall (no JSON) or a lasting quota (nothing accepted later) may have rejected it. */
  #isOwnAnswer(offending: Entry): boolean {
    if (!isRejected(offending)) return true;
    const { head, entries } = this.history;
    const isAcceptedAgain = entries.some(
      (entry) =>
        entry.operation === offending.operation &&
        entry.begun > offending.ended &&
        isAccepted(entry) &&
        isOrdinary(entry, head),
    );
    return isAcceptedAgain && responseJson(offending) !== undefined;
  }
}

function beginOf({ shownBy }: Violation): number {
  return Math.min(...shownBy.map(({ entry }) => entry.index));
}
