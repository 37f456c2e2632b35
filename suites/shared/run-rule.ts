import type { CheckTarget, Probe } from "../../client/target.ts";
import type { History } from "../../history/history.ts";
import { isProvenViolation, type Observed, type RuleResult, type Violation } from "../../history/result.ts";
import { STAGES } from "../../spec/model/check.ts";

interface RunnableRule {
  probes: readonly Probe[];
  verdict(history: History): RuleResult;
  observed(history: History): Observed[];
  followUp(result: RuleResult, history: History): Probe | undefined;
  namesWhoAsked: boolean;
}

const FOLLOW_UP_ROUNDS = 3;

/**
 * Sends the probes of the rule, and returns the verdict.
 * @throws the error of a probe that could not send, if nothing else was judged
 */
export async function runRule(target: CheckTarget, rule: RunnableRule): Promise<RuleResult> {
  const { result, failure } = await askedAndJudged(target, rule);
  for (const { note, by } of rule.observed(target.history()))
    target.note(note, [{ ...target.exchangeOf(by), offending: "status" }]);
  if (result.outcome === "not-exercised" && failure) throw failure;
  const shownBy = shownByUnproven(withoutExcuse(result));
  const shown = shownBy.find(({ offending }) => offending !== undefined) ?? shownBy[0];
  const isRerun = rule.namesWhoAsked && shown && (await target.rerun(shown.entry.probe ?? ""));
  const last = withoutExcuse(isRerun ? await judgedAfterWrites(target, rule.verdict) : result);
  if (last.outcome === "noted")
    for (const note of last.notes) target.note(note, last.evidence.map(target.exchangeOf));
  return last;
}

/** Returns the result that an excused violation gets, unless the run finds its cause. */
function withoutExcuse(result: RuleResult): RuleResult {
  return result.outcome === "excused" ? withoutExcuse(result.otherwise) : result;
}

/** Reads may show a write before its answer comes, so violations don't count meanwhile. */
async function judgedAfterWrites(target: CheckTarget, verdict: RunnableRule["verdict"]): Promise<RuleResult> {
  for (;;) {
    const result = verdict(target.history());
    const isFinding = result.outcome === "violated" || result.outcome === "unsteady";
    if (!isFinding || !(await target.writesRecorded())) return result;
  }
}

/** Runs the probes and follow-ups of the rule, and returns the last verdict. */
async function askedAndJudged(
  target: CheckTarget,
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

function shownByUnproven(result: RuleResult): Violation["shownBy"] {
  if (result.outcome === "unsteady") return result.shownBy;
  if (result.outcome !== "violated" || isProvenViolation(result)) return [];
  return result.violations[0].shownBy;
}
