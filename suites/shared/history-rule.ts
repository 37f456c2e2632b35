import { NotTested, STAGES, type Stage, Unsteady, Violation } from "../../client/check.ts";
import type { Probe, Target } from "../../client/target.ts";
import { type Entry, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { memoized } from "../../history/memoized.ts";
import type { Faulty } from "../../history/rejections.ts";
import {
  isProven,
  type Observed,
  type RuleResult,
  type Violation as RuleViolation,
} from "../../history/result.ts";
import type { ObservedBehaviour } from "../../spec/model/note.ts";
import type { RejectionCause } from "../../spec/model/profile.ts";
import type { Exchange } from "../../spec/model/result.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { versionsOf } from "../../spec/versions.ts";
import type { Rules } from "./suite.ts";

export interface RuleTarget {
  operation: Operation;
  /** The end of the check id (for example a field), different for each target of an operation. */
  detail?: string;
  requirement?: string;
}

export interface HistoryRule<At extends RuleTarget> {
  requirement?: string;
  formerSuite?: string;
  targets(spec: Spec): At[];
  title(at: At): string;
  probes(at: At): Probe[];
  /** A pure function. Returns a follow-up probe if the history leaves the rule open. */
  followUp?(result: RuleResult, at: At, history: History): Probe | undefined;
  /** By default, true unless the method is GET. */
  writes?: boolean | ((at: At) => boolean);
  /** By default `judge`, which comes before suspected violations are confirmed. */
  stage?: Stage;
  /** If true, a violation names the checks whose requests showed it. */
  namesWhoAsked?: boolean;
  /** True if the probes use up a fixture, so that a violation can't be confirmed. */
  consumes?: boolean;
  /**
   * True if the rule may return `excused`. The runner then looks for the request that causes the violation.
   */
  mayBeExcused?: boolean;
  notes?: ObservedBehaviour;
  /** Why the requests of the probes must be rejected. */
  cause?: RejectionCause | ((at: At) => RejectionCause);
  /** At depth quick, the seed picks one of the targets with the same text. */
  sampledGroup?(at: At): string | undefined;
  /** True if depth full samples the group, too. */
  alwaysSampled?: boolean;
  check(history: History, at: At): RuleResult;
  observe?(history: History, at: At): Observed[];
  /** Texts that earlier releases appended to the check id. Those ids stay valid. */
  formerDetails?(at: At): string[];
  /** Values of `detail` in earlier releases. Those ids stay valid. */
  otherDetails?(at: At): string[];
}

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

const FOLLOW_UP_ROUNDS = 3;

export function ifNotExercised<At extends RuleTarget>(
  probe: (at: At) => Probe | undefined,
): (result: RuleResult, at: At) => Probe | undefined {
  return ({ outcome }, at) => (outcome === "not-exercised" ? probe(at) : undefined);
}

export function historyRule<At extends RuleTarget>(rule: HistoryRule<At>): Rules {
  return (spec, suite) =>
    rule.targets(spec).map((at) => {
      const requirement = rule.requirement ?? at.requirement ?? "";
      const place = `${suite}/${requirement} ${at.operation.key}`;
      const id = at.detail === undefined ? place : `${place} ${at.detail}`;
      const probes = rule.probes(at);
      const group = rule.sampledGroup?.(at);
      const verdict = memoized((history: History, place: At) => rule.check(history, place));
      const formerId = id.replace(suite, rule.formerSuite ?? suite);
      return {
        id,
        formerIds: formerIds(spec, at.operation, id, [
          ...(formerId === id ? [] : [formerId]),
          ...(rule.formerDetails?.(at) ?? []).map(
            (former) => `${formerId}${former.startsWith(",") ? "" : " "}${former}`,
          ),
          ...(rule.otherDetails?.(at) ?? []).map((former) => `${place} ${former}`),
        ]),
        title: rule.title(at),
        suite,
        requirements: [requirement],
        operation: at.operation.key,
        stage: rule.stage ?? ("judge" as const),
        writes: factFor(rule.writes, at) ?? at.operation.method !== "GET",
        probes,
        ...(rule.notes === undefined ? {} : { notes: rule.notes }),
        ...(rule.cause === undefined ? {} : { cause: factFor(rule.cause, at) }),
        ...(rule.mayBeExcused === undefined ? {} : { mayBeExcused: rule.mayBeExcused }),
        ...(rule.consumes === undefined ? {} : { consumes: rule.consumes }),
        ...(rule.alwaysSampled === undefined ? {} : { alwaysSampled: rule.alwaysSampled }),
        ...(group === undefined ? {} : { sampledGroup: `${suite}/${requirement} ${group}` }),
        verdict: (history: History) => verdict(history, at),
        observed: (history: History) => rule.observe?.(history, at) ?? [],
        async run(target: Target) {
          const failures: (Error | undefined)[] = [];
          for (const stage of STAGES) {
            const due = probes.filter((probe) => probe.stage === stage);
            failures.push(...(await Promise.all(due.map((probe) => target.probe(probe)))));
          }
          const check = () => verdict(target.history(), at);
          let result = check();
          const followed = new Set<string>();
          while (followed.size < FOLLOW_UP_ROUNDS) {
            const probe = rule.followUp?.(result, at, target.history());
            if (!probe || followed.has(probe.id)) break;
            followed.add(probe.id);
            failures.push(await target.probe(probe));
            result = check();
          }
          for (const { note, by } of rule.observe?.(target.history(), at) ?? [])
            target.note(note, [{ ...target.exchangeOf(by), offending: "status" }]);
          const [failure] = failures.filter((each) => each !== undefined);
          if (result.outcome === "not-exercised" && failure) throw failure;
          if (!rule.namesWhoAsked) return conclude(target, result);
          conclude(target, (await rerunProbeOf(target, result)) ? check() : result, true);
        },
      };
    });
}

function factFor<At, T>(fact: T | ((at: At) => T), at: At): T {
  return fact instanceof Function ? fact(at) : fact;
}

async function rerunProbeOf(target: Target, result: RuleResult): Promise<boolean> {
  const shownBy = unproven(result);
  const shown = shownBy.find(({ offending }) => offending !== undefined) ?? shownBy[0];
  return shown !== undefined && target.rerun(shown.entry.probe ?? "");
}

function unproven(result: RuleResult): RuleViolation["shownBy"] {
  if (result.outcome === "excused") return unproven(result.otherwise);
  if (result.outcome === "unsteady") return result.shownBy;
  if (result.outcome !== "violated" || result.violations.some(isProven)) return [];
  return result.violations[0].shownBy;
}

/** Earlier releases had one check for each version, and those ids stay valid. */
function formerIds(spec: Spec, operation: Operation, id: string, former: string[]): string[] {
  const versioned = [id, ...former].flatMap((each) =>
    versionsOf(spec, operation).map((version) => `${each} @${version ?? "none"}`),
  );
  return [...new Set([...former, ...versioned])];
}

/** @throws Violation, Unsteady or NotTested */
function conclude(target: Target, result: RuleResult, namesWhoAsked = false): void {
  switch (result.outcome) {
    case "held":
      return;
    case "noted":
      for (const note of result.notes) target.note(note, result.evidence.map(target.exchangeOf));
      return;
    case "not-exercised":
      throw new NotTested(result.reason, result.message, (result.evidence ?? []).map(target.exchangeOf));
    case "excused":
      conclude(target, result.otherwise, namesWhoAsked);
      return;
    case "unsteady":
      throw new Unsteady(result.message, evidenceOf(target, result.shownBy));
    case "violated": {
      const [first] = result.violations;
      const shown = result.violations.find(isProven) ?? first;
      throw new Violation(shown.expected, shown.actual, evidenceOf(target, shown.shownBy), {
        conclusive: isProven(shown),
        difference: shown.difference,
        notImplemented: shown.notImplemented ?? false,
        together: namesWhoAsked ? whoAsked(target, shown.shownBy) : [],
      });
    }
  }
}

function whoAsked(target: Target, shownBy: RuleViolation["shownBy"]): string[] {
  const ids = shownBy.flatMap(({ entry }) => target.checkThatSends(entry.probe ?? "") ?? []);
  return [...new Set(ids)];
}

function evidenceOf(target: Target, shownBy: RuleViolation["shownBy"]): Exchange[] {
  return shownBy.map(({ entry, offending }) => ({
    ...target.exchangeOf(entry),
    ...(offending === undefined ? {} : { offending }),
  }));
}
