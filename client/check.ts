import type { History } from "../history/history.ts";
import type { Observed, RuleResult } from "../history/result.ts";
import type { CheckFacts, Stage } from "../spec/model/check.ts";
import type { DifferenceKind } from "../spec/model/difference.ts";
import type { Exchange, Remedy, SkipReason } from "../spec/model/result.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import type { Probe, Target } from "./target.ts";

export { STAGES, type Stage } from "../spec/model/check.ts";

/** Checks of these stages disturb each other, so they run one at a time. */
export const ONE_BY_ONE: readonly Stage[] = ["race", "burst", "finish"];

export const AFTER_PROBES: readonly Stage[] = [...ONE_BY_ONE, "provoke"];

/**
 * Returns the stage of a probe that sends the operation. Probes of one operation run in the stage of its
 * method.
 */
export function stageOf({ method }: Pick<Operation, "method">): "read" | "write" {
  return method === "GET" ? "read" : "write";
}

export interface Check extends CheckFacts {
  probes?: Probe[];
  verdict(history: History): RuleResult;
  observed?(history: History): Observed[];
  /** True if the run looks for another cause of the violation. */
  mayBeExcused?: boolean;
  run(target: Target): Promise<void>;
}

export type Suite = (spec: Spec) => Check[];

export type Evidence = readonly (Exchange | { exchange?: Exchange } | undefined)[];

function exchangesOf(evidence: Evidence): Exchange[] {
  return evidence.flatMap((shown) => {
    if (shown === undefined) return [];
    return "request" in shown ? [shown] : (shown.exchange ?? []);
  });
}

/** A violation is confirmed before it is reported, unless it is proven. */
export class Violation extends Error {
  override name = "Violation";
  readonly expected: string;
  readonly actual: string;
  readonly evidence: Exchange[];
  readonly together: string[];
  readonly isProven: boolean;
  readonly notImplemented: boolean;
  readonly difference: DifferenceKind | undefined;
  constructor(
    expected: string,
    actual: string,
    evidence: Evidence = [],
    more: {
      together?: string[];
      isProven?: boolean;
      notImplemented?: boolean;
      difference?: DifferenceKind | undefined;
    } = {},
  ) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.evidence = exchangesOf(evidence);
    this.together = more.together ?? [];
    this.isProven = more.isProven ?? false;
    this.notImplemented = more.notImplemented ?? false;
    this.difference = more.difference;
  }
}

export class Unsteady extends Error {
  override name = "Unsteady";
  readonly evidence: Exchange[];
  constructor(message: string, evidence: Evidence = []) {
    super(message);
    this.evidence = exchangesOf(evidence);
  }
}

export class NotTested extends Error {
  override name = "NotTested";
  readonly reason: SkipReason;
  readonly evidence: Exchange[];
  readonly remedy: Remedy | undefined;
  constructor(reason: SkipReason, message: string, evidence: Evidence = [], remedy?: Remedy) {
    super(message);
    this.reason = reason;
    this.evidence = exchangesOf(evidence);
    this.remedy = remedy;
  }
}

/** Returns the result of the work, or `undefined` if it throws NotTested. Other errors pass through. */
export async function unlessNotTested<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotTested) return undefined;
    throw error;
  }
}
