import type { History } from "../history/history.ts";
import type { Observed, RuleResult } from "../history/result.ts";
import type { CheckFacts, Stage } from "../spec/model/check.ts";
import type { Exchange, Remedy, SkipReason } from "../spec/model/result.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import type { CheckTarget, Probe } from "./target.ts";

/** Checks of these stages disturb each other, so they run one at a time. */
export const ONE_BY_ONE: readonly Stage[] = ["race", "burst", "finish"];

export const AFTER_PROBES: readonly Stage[] = [...ONE_BY_ONE, "provoke"];

/** Returns the stage of probes that send the operation, by its method. */
export function stageOf({ method }: Pick<Operation, "method">): "read" | "write" {
  return method === "GET" ? "read" : "write";
}

export interface Check extends CheckFacts {
  probes: Probe[];
  verdict(history: History): RuleResult;
  observed(history: History): Observed[];
  /** True if the run looks for another cause of the violation. */
  mayBeExcused?: boolean;
  /** True if violations name the checks whose requests showed them. */
  namesWhoAsked?: boolean;
  /**
   * Sends the probes and follow-ups, and returns the last verdict. An excused violation has its other result.
   * @throws NotTested if a probe could not send
   */
  run(target: CheckTarget): Promise<RuleResult>;
}

export type Suite = (spec: Spec) => Check[];

export class NotTested extends Error {
  override name = "NotTested";
  constructor(
    readonly reason: SkipReason,
    message: string,
    readonly evidence: Exchange[] = [],
    readonly remedy?: Remedy,
  ) {
    super(message);
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
