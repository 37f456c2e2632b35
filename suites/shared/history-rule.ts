import type { Check, Suite } from "../../client/check.ts";
import type { Probe } from "../../client/target.ts";
import { type Faulty, mustBeRejected } from "../../history/answers/rejections.ts";
import { type Entry, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { notExercised, type Observed, type RuleResult } from "../../history/result.ts";
import { definedOnly } from "../../spec/defined-only.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Stage } from "../../spec/model/check.ts";
import type { Note, NoteAnswers, ObservedBehaviour } from "../../spec/model/note.ts";
import type { RejectionCause } from "../../spec/model/profile.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { versionsOf } from "../../spec/versions.ts";
import { runRule } from "./run-rule.ts";

export interface RuleTarget {
  operation: Operation;
  /** The end of the check id (a field name). */
  detail?: string;
  requirement?: string;
}

export interface FieldTarget extends RuleTarget {
  field: string;
}

export interface HistoryRule<At extends RuleTarget> {
  /** Default: that of the target. */
  requirement?: string;
  /** The suite that earlier releases had the checks in. */
  formerSuite?: string;
  /** Returns the places where the requirement applies. Each gets a check. */
  targets(spec: Spec): At[];
  /** Says what must hold. */
  title(at: At): string;
  /** Returns what is asked before the check. */
  probes(at: At, spec: Spec): Probe[];
  /** Returns a probe that would decide what the result leaves open. */
  followUp?(result: RuleResult, at: At, history: History): Probe | undefined;
  /** True if the probes write. Default: true unless the operation is a GET. */
  writes?: boolean | ((at: At) => boolean);
  /** Default: `judge`, before suspected violations are confirmed. */
  stage?: Stage;
  /** True if violations name the checks whose requests showed them. */
  namesWhoAsked?: boolean;
  /** True if the probes use up a fixture, so nothing can be confirmed. */
  consumes?: boolean;
  /** True if the run looks for the request that causes an `excused` violation. */
  mayBeExcused?: boolean;
  /** The behaviour that the rule notes where the specification is silent. */
  notes?: ObservedBehaviour;
  /** The reason why the probes must be rejected. */
  cause?: RejectionCause | ((at: At) => RejectionCause);
  /** Names a group of targets, of which depth quick picks one by the seed. */
  sampledGroup?(at: At): string | undefined;
  /** True if depth full samples the group, too. */
  alwaysSampled?: boolean;
  /** Judges the history. Sends nothing. */
  check(history: History, at: At): RuleResult;
  /** Returns what is noted beside the result. */
  observe?(history: History, at: At): Observed[];
  /** Former texts of `detail`, so that old check ids stay valid. */
  formerDetails?(at: At, spec: Spec): string[];
  /** Former values of `RuleTarget.detail`. */
  otherDetails?(at: At): string[];
}

/** Returns a target for each operation. */
export function targetsAt<O extends Operation>(
  operations: readonly O[],
  detail?: string,
): { operation: O; detail?: string }[] {
  return operations.map((operation) => ({ operation, ...definedOnly({ detail }) }));
}

/** Returns a follow-up for rules that no request has tested. */
export function ifNotExercised<At extends RuleTarget>(
  probe: (at: At) => Probe | undefined,
): (result: RuleResult, at: At) => Probe | undefined {
  return ({ outcome }, at) => (outcome === "not-exercised" ? probe(at) : undefined);
}

/** Makes one check of the rule at each of its targets. */
export function historyRule<At extends RuleTarget>(rule: HistoryRule<At>): Rules {
  return (spec, suite) => rule.targets(spec).map((at) => checkOf(rule, at, spec, suite));
}

/** Returns the check of this rule at one target. */
function checkOf<At extends RuleTarget>(rule: HistoryRule<At>, at: At, spec: Spec, suite: string): Check {
  const { operation } = at;
  const requirement = rule.requirement ?? at.requirement ?? "";
  const { id, formerIds } = idsOf(rule, at, `${suite}/${requirement} ${operation.key}`, spec);
  const probes = rule.probes(at, spec);
  const group = rule.sampledGroup?.(at);
  const judged = memoized((history: History, place: At) => rule.check(history, place));
  const verdict = (history: History) => judged(history, at);
  const observed = (history: History) => rule.observe?.(history, at) ?? [];
  const followUp = (result: RuleResult, history: History) => rule.followUp?.(result, at, history);
  const { namesWhoAsked = false, notes, mayBeExcused, consumes, alwaysSampled } = rule;
  return {
    id,
    formerIds,
    title: rule.title(at),
    suite,
    requirements: [requirement],
    operation: operation.key,
    stage: rule.stage ?? "judge",
    writes: factFor(rule.writes, at) ?? operation.method !== "GET",
    probes,
    ...definedOnly({ notes, cause: factFor(rule.cause, at), mayBeExcused, consumes, alwaysSampled }),
    namesWhoAsked,
    ...definedOnly({ sampledGroup: group === undefined ? undefined : `${suite}/${requirement} ${group}` }),
    verdict,
    observed,
    run: (target) => runRule(target, { probes, verdict, observed, followUp, namesWhoAsked }),
  };
}

function factFor<At, T>(fact: T | ((at: At) => T), at: At): T {
  return fact instanceof Function ? fact(at) : fact;
}

/** Returns the check's id, and the ids that earlier versions gave it. */
function idsOf<At extends RuleTarget>(
  { formerSuite, formerDetails, otherDetails }: HistoryRule<At>,
  at: At,
  place: string,
  spec: Spec,
): { id: string; formerIds: string[] } {
  const id = at.detail === undefined ? place : `${place} ${at.detail}`;
  const formerId = formerSuite === undefined ? id : id.replace(/^[^/]+/, formerSuite);
  const longer = formerDetails?.(at, spec) ?? [];
  const former = [
    formerId,
    ...longer.map((text) => (text.startsWith(",") ? `${formerId}${text}` : `${formerId} ${text}`)),
    ...(otherDetails?.(at) ?? []).map((text) => `${place} ${text}`),
  ].filter((each) => each !== id);
  // In earlier releases each version had its own check.
  const versioned = [id, ...former].flatMap((each) =>
    versionsOf(spec, at.operation).map((version) => `${each} @${version ?? "none"}`),
  );
  return { id, formerIds: [...new Set([...former, ...versioned])] };
}

export type Rules = (spec: Spec, suite: string) => Check[];

/** Returns the checks of the rules. Their ids begin with the name of the suite. */
export function suiteOf(suite: string, ...rules: Rules[]): Suite {
  return (spec) => rules.flatMap((rule) => rule(spec, suite));
}

/** How the service behaved once. */
export interface Seen<P extends ObservedBehaviour> {
  answer: NoteAnswers[P];
  field?: string | undefined;
  /** The case that was tested, if the behaviour has several. */
  tried?: string;
  shownBy: Entry | Entry[];
}

interface NoteRule<At extends RuleTarget, P extends ObservedBehaviour>
  extends Omit<HistoryRule<At>, "check" | "observe"> {
  notes: P;
  seen(history: History, at: At): Seen<P>[];
  /** Why nothing was seen. Default: no request had such a value. */
  unseen?: string | ((history: History, at: At) => RuleResult);
}

const NOT_SENT = "no request had such a value";

/** Returns the rule that notes this behaviour for its requirement and operation. */
export function noteRule<At extends RuleTarget, P extends ObservedBehaviour>(rule: NoteRule<At, P>): Rules {
  const { seen, unseen, ...common } = rule;
  return historyRule<At>({
    ...common,
    check: (history, at) =>
      noted(at, rule.requirement ?? at.requirement ?? "", rule.notes, seen(history, at), () =>
        typeof unseen === "function" ? unseen(history, at) : notExercised("no-data", unseen ?? NOT_SENT),
      ),
  });
}

/** Returns a note for each time, or `otherwise` if there are none. What shows the last is evidence. */
export function noted<P extends ObservedBehaviour>(
  { operation }: RuleTarget,
  requirement: string,
  behaviour: P,
  seen: readonly Seen<P>[],
  otherwise = () => notExercised("no-data", NOT_SENT),
): RuleResult {
  const last = seen.at(-1);
  if (!last) return otherwise();
  const notes = seen.map(
    ({ shownBy: _, ...facts }) =>
      ({ requirement, operation: operation.key, behaviour, ...definedOnly(facts) }) as Note,
  );
  return { outcome: "noted", notes, evidence: [last.shownBy].flat() };
}

/** Returns each answer with its status, to note. */
export function statusesSeen(answers: readonly { entry: Entry; status: number }[]) {
  return answers.map(({ entry, status }) => ({ shownBy: entry, answer: { status } }));
}

interface RejectionRule<At extends RuleTarget> extends Omit<HistoryRule<At>, "check" | "observe"> {
  /** Returns the requests that must be rejected. */
  requests(history: History, at: At): Faulty[];
  /** Returns the request as a noun phrase (`GET /webhooks without a token`). */
  describe(entry: Entry, at: At, history: History): string;
  /** Returns the fault as the notes name it. Default: `describe`. */
  tried?(at: At): string;
  /** Judges what else shows the fault. `rejected` is the result for the requests. */
  check?(history: History, at: At, rejected: RuleResult): RuleResult;
}

/** Returns the rule that these requests are rejected. It notes the status of each rejection. */
export function rejectionRule<At extends RuleTarget>(rule: RejectionRule<At>): Rules {
  const { requests, describe, tried, check, ...common } = rule;
  return historyRule<At>({
    ...common,
    check(history, at) {
      const rejected = mustBeRejected(requests(history, at), (entry) => describe(entry, at, history));
      return check?.(history, at, rejected) ?? rejected;
    },
    observe: (history, at) =>
      observedRejections(requests(history, at), (entry) => tried?.(at) ?? describe(entry, at, history)),
  });
}

/** Notes the status of each rejection. */
export function observedRejections(
  requests: readonly Pick<Faulty, "entry">[],
  describe: (entry: Entry) => string,
): Observed[] {
  return requests.map(({ entry: by }) => ({
    by,
    note: {
      requirement: "REJECTION-STATUS",
      operation: by.operation?.key ?? "",
      behaviour: "rejection",
      tried: describe(by),
      answer: { status: statusOf(by) ?? 0 },
    },
  }));
}
