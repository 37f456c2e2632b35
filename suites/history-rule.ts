/** Rules that judge the recorded history. A rule sends nothing: its probes make the history worth judging. */

import { Untestable, Violation } from "../client/check.ts";
import type { Probe, Target } from "../client/target.ts";
import { versionsOf } from "../client/version-choice.ts";
import type { History } from "../history/history.ts";
import type { RuleResult } from "../history/result.ts";
import type { NotedPractice } from "../spec/model/note.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import type { Rules } from "../trials/rule.ts";

/** Where a rule applies. */
export interface RuleTarget {
  operation: Operation;
  /** Tells targets of one operation apart, e.g. a field. */
  detail?: string;
  requirement?: string;
}

export interface HistoryRule<At extends RuleTarget> {
  /** The target's own if left out. */
  requirement?: string;
  targets(spec: Spec): At[];
  /** What must hold. */
  title(at: At): string;
  /** What is sent so that the rule is exercised. */
  probes(at: At): Probe[];
  /** Whether the probes write. */
  writes: boolean;
  /** What it records if the specification is silent. */
  notes?: NotedPractice;
  /** The verdict over a history; pure. */
  check(history: History, at: At): RuleResult;
}

/** The checks of a rule, one for each target. They are judged when all requests but the last provocations are sent. */
export function historyRule<At extends RuleTarget>(rule: HistoryRule<At>): Rules {
  return (spec, suite) =>
    rule.targets(spec).map((at) => {
      const requirement = rule.requirement ?? at.requirement ?? "";
      const detail = at.detail === undefined ? "" : ` ${at.detail}`;
      const probes = rule.probes(at);
      const id = `${suite}/${requirement} ${at.operation.key}${detail}`;
      return {
        id,
        // There was a check for each version; now versions are evidence.
        formerIds: versionsOf(spec, at.operation).map((version) => `${id} @${version ?? "none"}`),
        title: rule.title(at),
        suite,
        requirements: [requirement],
        operation: at.operation.key,
        serviceVersion: null,
        versioned: false,
        stage: "judge" as const,
        writes: rule.writes,
        probes,
        ...(rule.notes === undefined ? {} : { notes: rule.notes }),
        verdict: (history: History) => rule.check(history, at),
        async run(target: Target) {
          const failures = await Promise.all(probes.map((probe) => target.probe(probe)));
          const result = rule.check(target.history(), at);
          const [failure] = failures.filter((each) => each !== undefined);
          if (result.outcome === "not-exercised" && failure) throw failure;
          conclude(target, result);
        },
      };
    });
}

/** Ends a check with the result of its rule. Throws Violation or Untestable. */
function conclude(target: Target, result: RuleResult): void {
  switch (result.outcome) {
    case "held":
      return;
    case "noted":
      for (const note of result.notes) target.note(note, result.evidence.map(target.exchangeOf));
      return;
    case "not-exercised":
      throw new Untestable(result.reason, result.message, (result.evidence ?? []).map(target.exchangeOf));
    case "violated": {
      const proven = result.violations.find(({ certainty }) => certainty === "proven");
      const { certainty, expected, actual, shownBy } = proven ?? result.violations[0];
      const evidence = shownBy.map(({ entry, offending }) => ({
        ...target.exchangeOf(entry),
        ...(offending === undefined ? {} : { offending }),
      }));
      throw new Violation(expected, actual, evidence, { certain: certainty === "proven" });
    }
  }
}
