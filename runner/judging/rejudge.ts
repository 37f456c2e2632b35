import type { Check } from "../../client/check.ts";
import { History } from "../../history/history.ts";
import type { Judgement, RecordedHistory } from "../../history/lines.ts";
import {
  isProven,
  isProvenViolation,
  type RuleResult,
  violationIn,
  violationMessage,
} from "../../history/result.ts";
import type { JudgedTraffic, Outcome } from "../../reports/report.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { keptIn } from "../../spec/memoized.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { evidenceOf, isSuspected } from "../judge.ts";
import { exchangeOf, type Found, resultOf, shownViolation } from "./found.ts";

/** Judges the recorded history of a run. Each check sees the same entries as in the run, so results must be equal. */
export function rejudge(spec: Spec, checks: readonly Check[], recorded: RecordedHistory): Found[] {
  const judge = new Judge(spec, recorded);
  const first = checks.map((check) => ({ check, result: judge.first(check) }));
  const confirmed = new Set<string>();
  const found: Found[] = [];
  for (const { check, result } of first) {
    if (result?.outcome === "excused") {
      found.push(excusedBy(check, result, judge.last(check)));
      continue;
    }
    const again = judge.last(check);
    const isProvenLater = result?.outcome !== "violated" && isProvenViolation(again);
    if (isProvenLater || !isSuspected(check, result, { spec })) {
      found.push(foundBy(check, isProvenLater ? again : result));
      continue;
    }
    // In the run, one violation confirmed its whole group.
    const group = JSON.stringify([check.requirements, check.operation]);
    const isConfirmed = again === undefined ? confirmed.has(group) : again.outcome === "violated";
    if (isConfirmed) confirmed.add(group);
    found.push(isConfirmed ? foundBy(check, result) : notConfirmed(check, result, again));
  }
  return found;
}

/** Returns the part of the history that the first round of the run had judged. */
export function lastJudged(spec: Spec, { head, entries, judgements }: RecordedHistory): History {
  const judged = judgements.flatMap((judgement) => (judgement.round === 1 ? judgement.entries : []));
  const context = judged.length === 0 ? entries : entries.slice(0, Math.max(...judged));
  const own = context.filter(({ round }) => round === 1);
  return new History(spec, head, own, context);
}

class Judge {
  readonly #byCheck: ReadonlyMap<string, Judgement[]>;
  readonly #histories = new Map<string, History>();

  constructor(
    private readonly spec: Spec,
    private readonly recorded: RecordedHistory,
  ) {
    this.#byCheck = groupedBy(recorded.judgements, ({ check }) => check);
  }

  first(check: Check): RuleResult | undefined {
    return this.#verdict(
      check,
      this.#byCheck.get(check.id)?.find(({ round }) => round === 1),
    );
  }

  last(check: Check): RuleResult | undefined {
    return this.#verdict(
      check,
      this.#byCheck.get(check.id)?.findLast(({ round }) => round > 1),
    );
  }

  #verdict(check: Check, judgement: Judgement | undefined): RuleResult | undefined {
    return judgement && check.verdict(this.#history(judgement));
  }

  #history({ round, entries, deliveries }: Judgement): History {
    return keptIn(this.#histories, `${round} ${entries} ${deliveries}`, () => {
      const context = this.recorded.entries.filter(({ index }) => index < entries);
      const own = context.filter((entry) => entry.round === round);
      const arrived = this.recorded.deliveries.slice(0, deliveries);
      return new History(this.spec, this.recorded.head, own, context, arrived);
    });
  }
}

/** Returns the result of a rule whose violation was excused. An excused violation counts if the run found its cause. */
function excusedBy(check: Check, result: RuleResult, again: RuleResult | undefined): Found {
  const violation = violationIn(again);
  return violation
    ? foundBy(check, { outcome: "violated", violations: [violation] })
    : foundBy(check, result);
}

function foundBy(check: Check, result: RuleResult | undefined): Found {
  const nothing = { check, held: 0, violated: 0 };
  switch (result?.outcome) {
    case undefined:
      return {
        ...nothing,
        unexercised: { reason: "not-selected", message: "the history does not say that the run tried it" },
      };
    case "held":
      return { ...nothing, held: result.times };
    case "noted":
      return { ...nothing, held: Math.max(1, result.evidence.length) };
    case "not-exercised":
      return { ...nothing, unexercised: { reason: result.reason, message: result.message } };
    case "excused":
      return foundBy(check, result.otherwise);
    case "unsteady":
      return {
        ...nothing,
        unsteady: { message: result.message, evidence: evidenceOf(result.shownBy, exchangeOf) },
      };
    case "violated": {
      const violation = result.violations.find(isProven) ?? result.violations[0];
      return { ...nothing, violated: result.violations.length, violation: shownViolation(violation) };
    }
  }
}

/** Returns a violation as not exercised if the run's second attempt in the history did not confirm it. */
function notConfirmed(check: Check, result: RuleResult | undefined, again: RuleResult | undefined): Found {
  const found = foundBy(check, result);
  const { violation, ...rest } = found;
  if (!violation) return found;
  const message = violationMessage(violation);
  if (again === undefined)
    return { ...rest, violated: 0, unexercised: { reason: "budget", message: `not confirmed: ${message}` } };
  return {
    ...rest,
    violated: 0,
    unsteady: { message: `${message}; tried again, it did not show`, evidence: violation.evidence },
  };
}

type Agreement = NonNullable<JudgedTraffic["agreement"]>;

/** Reasons for a skip that a history can't show. */
const SET_ASIDE = ["declined", "no-answer", "control-rejected", "budget", "interrupted"];

/** Compares outcomes with those of the recorded run. */
export function compareOutcomes(
  found: readonly Found[],
  reported: readonly { id: string; outcome: Outcome; reason?: string }[],
  spec: Spec,
): Agreement {
  const outcomes = new Map(reported.map((result) => [result.id, result]));
  const compared = found.flatMap((each) => {
    const run = outcomes.get(each.check.id);
    if (!run || SET_ASIDE.includes(run.reason ?? "")) return [];
    return [{ check: each.check.id, run: run.outcome, judged: resultOf(each, spec).outcome }];
  });
  return { compared: compared.length, differ: compared.filter(({ run, judged }) => run !== judged) };
}
