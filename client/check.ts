/** Checks, and what may come of trying one. */

import type { History } from "../history/history.ts";
import type { RuleResult } from "../history/result.ts";
import type { CheckFacts, Stage } from "../spec/model/check.ts";
import type { Exchange, SkipReason } from "../spec/model/result.ts";
import type { Spec } from "../spec/model/spec.ts";
import type { Probe, Target } from "./target.ts";

export { STAGES, type Stage } from "../spec/model/check.ts";

/** Stages whose checks measure what others would disturb: of these, one check at a time. */
export const ONE_BY_ONE: readonly Stage[] = ["race", "burst", "finish"];

/** What a check is, and what it does. */
export interface Check extends CheckFacts {
  /** Probes that the check is judged by. Each is sent in its own stage. */
  probes?: Probe[];
  /** The verdict over a history, if the check is judged by one; pure. */
  verdict?(history: History): RuleResult;
  run(target: Target): Promise<void>;
}

/** Derives checks from a Spec; each suite exports one. */
export type Suite = (spec: Spec) => Check[];

/** The smallest input that a property found to show a fault, and fast-check's path back to it. */
export interface Counterexample {
  path: string;
  value: unknown;
}

/** What shows something: answers, exchanges, and what may have one. What is not there shows nothing. */
export type Evidence = readonly (Exchange | { exchange?: Exchange } | undefined)[];

/** The exchanges of what shows something, in its order. */
export function exchangesOf(evidence: Evidence): Exchange[] {
  return evidence.flatMap((shown) => {
    if (shown === undefined) return [];
    return "request" in shown ? [shown] : (shown.exchange ?? []);
  });
}

/** The exchange of an answer, with what of it is at fault. */
export function offending({ exchange }: { exchange: Exchange }, place: string): Exchange {
  return { ...exchange, offending: place };
}

/**
 * The service broke the requirement that the check is for. What one answer proves by itself (its shape, its count, a
 * limit that it exceeds) is `certain`; anything else is a suspect until the check, tried again from scratch, shows it
 * once more.
 */
export class Violation extends Error {
  override name = "Violation";
  readonly expected: string;
  readonly actual: string;
  readonly evidence: Exchange[];
  readonly counterexample: Counterexample | undefined;
  /** Ids of the checks whose requests showed it, when they were not this check's own. */
  readonly together: string[];
  /** Whether one answer proves it by itself; all else is tried again before it is told. */
  readonly certain: boolean;
  /** Whether the operation is not there at all. */
  readonly notImplemented: boolean;
  constructor(
    expected: string,
    actual: string,
    evidence: Evidence = [],
    more: {
      counterexample?: Counterexample | undefined;
      together?: string[];
      certain?: boolean;
      notImplemented?: boolean;
    } = {},
  ) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.evidence = exchangesOf(evidence);
    this.counterexample = more.counterexample;
    this.together = more.together ?? [];
    this.certain = more.certain ?? false;
    this.notImplemented = more.notImplemented ?? false;
  }
}

/** Something that showed once and not again: it is shown, and no evidence for the requirement. */
export class Unsteady extends Error {
  override name = "Unsteady";
  readonly evidence: Exchange[];
  constructor(message: string, evidence: Evidence = []) {
    super(message);
    this.evidence = exchangesOf(evidence);
  }
}

/** Nothing can be said: the check ends as a skip with a reason, which is never a pass. */
export class Untestable extends Error {
  override name = "Untestable";
  readonly reason: SkipReason;
  readonly evidence: Exchange[];
  constructor(reason: SkipReason, message: string, evidence: Evidence = []) {
    super(message);
    this.reason = reason;
    this.evidence = exchangesOf(evidence);
  }
}
