import { NotTested, STAGES, Unsteady, Violation } from "../../client/check.ts";
import type { Probe, Target } from "../../client/target.ts";
import type { History } from "../../history/history.ts";
import {
  isProven,
  type Observed,
  type RuleResult,
  type Violation as RuleViolation,
} from "../../history/result.ts";
import type { Exchange } from "../../spec/model/result.ts";

interface RunnableRule {
  probes: readonly Probe[];
  verdict(history: History): RuleResult;
  observed(history: History): Observed[];
  followUp(result: RuleResult, history: History): Probe | undefined;
  namesWhoAsked: boolean;
}

const FOLLOW_UP_ROUNDS = 3;

/**
 * Sends the probes of the rule, judges the history, and ends the check with the outcome.
 * @throws Violation, Unsteady, NotTested, or the error of a probe that could not send
 */
export async function runRule(target: Target, rule: RunnableRule): Promise<void> {
  const { result, failure } = await askedAndJudged(target, rule);
  for (const { note, by } of rule.observed(target.history()))
    target.note(note, [{ ...target.exchangeOf(by), offending: "status" }]);
  if (result.outcome === "not-exercised" && failure) throw failure;
  if (!rule.namesWhoAsked) return conclude(target, result);
  const isRerun = await rerunProbeOf(target, result);
  conclude(target, isRerun ? await judgedAfterWrites(target, rule.verdict) : result, true);
}

/** Reads may show a write before its answer comes, so violations don't count meanwhile. */
async function judgedAfterWrites(target: Target, verdict: RunnableRule["verdict"]): Promise<RuleResult> {
  for (;;) {
    const result = verdict(target.history());
    const isFinding = result.outcome === "violated" || result.outcome === "unsteady";
    if (!isFinding || !(await target.writesRecorded())) return result;
  }
}

/** Runs the probes and follow-ups of the rule, and returns the last verdict. */
async function askedAndJudged(
  target: Target,
  { probes, verdict, followUp }: RunnableRule,
): Promise<{ result: RuleResult; failure: Error | undefined }> {
  const failures: (Error | undefined)[] = [];
  for (const stage of STAGES) {
    const due = probes.filter((probe) => probe.stage === stage);
    failures.push(...(await Promise.all(due.map((probe) => target.probe(probe)))));
  }
  let result = await judgedAfterWrites(target, verdict);
  const followed = new Set<string>();
  while (followed.size < FOLLOW_UP_ROUNDS) {
    const probe = followUp(result, target.history());
    if (!probe || followed.has(probe.id)) break;
    followed.add(probe.id);
    failures.push(await target.probe(probe));
    result = await judgedAfterWrites(target, verdict);
  }
  return { result, failure: failures.find((failure) => failure !== undefined) };
}

async function rerunProbeOf(target: Target, result: RuleResult): Promise<boolean> {
  const shownBy = shownByUnproven(result);
  const shown = shownBy.find(({ offending }) => offending !== undefined) ?? shownBy[0];
  return shown !== undefined && target.rerun(shown.entry.probe ?? "");
}

function shownByUnproven(result: RuleResult): RuleViolation["shownBy"] {
  if (result.outcome === "excused") return shownByUnproven(result.otherwise);
  if (result.outcome === "unsteady") return result.shownBy;
  if (result.outcome !== "violated" || result.violations.some(isProven)) return [];
  return result.violations[0].shownBy;
}

/**
 * Turns the verdict to the outcome of the check.
 * @throws NotTested or a violation, unless the rule held.
 */
function conclude(target: Target, result: RuleResult, namesWhoAsked = false): void {
  switch (result.outcome) {
    case "held":
      return;
    case "noted":
      for (const note of result.notes) target.note(note, result.evidence.map(target.exchangeOf));
      return;
    case "not-exercised":
      throw new NotTested(
        result.reason,
        result.message,
        (result.evidence ?? []).map(target.exchangeOf),
        result.remedy,
      );
    case "excused":
      conclude(target, result.otherwise, namesWhoAsked);
      return;
    case "unsteady":
      throw new Unsteady(result.message, evidenceOf(target, result.shownBy));
    case "violated": {
      const [first] = result.violations;
      const shown = result.violations.find(isProven) ?? first;
      throw new Violation(shown.expected, shown.actual, evidenceOf(target, shown.shownBy), {
        isProven: isProven(shown),
        difference: shown.difference,
        notImplemented: shown.notImplemented ?? false,
        together: namesWhoAsked ? checksThatAsked(target, shown.shownBy) : [],
      });
    }
  }
}

function checksThatAsked(target: Target, shownBy: RuleViolation["shownBy"]): string[] {
  const ids = shownBy.flatMap(({ entry }) => target.checkThatSends(entry.probe ?? "") ?? []);
  return [...new Set(ids)];
}

function evidenceOf(target: Target, shownBy: RuleViolation["shownBy"]): Exchange[] {
  return shownBy.map(({ entry, offending }) => ({
    ...target.exchangeOf(entry),
    ...(offending === undefined ? {} : { offending }),
  }));
}
