/** A suspicion is confirmed before it is told: a check that found a violation is tried again from scratch. */

import type { Check } from "../client/check.ts";
import { exchangeSize } from "../reports/exchange.ts";
import type { CheckResult, Exchange } from "../reports/report.ts";
import { type Turn, Turns } from "./turns.ts";

/** A check that found a fault which one answer does not prove. */
export interface Suspect {
  check: Check;
  result: CheckResult;
}

/** What came of trying a check again, and what it asked last. */
export interface SecondTry {
  result: CheckResult;
  shown: Exchange[];
  /** Whether the run had made room for it: what it had switched on before was switched off. */
  roomMade?: boolean;
}

/** How suspects are tried again. */
export interface Confirming {
  again(check: Check, found: CheckResult, turn: Turn): Promise<SecondTry>;
  tell(result: CheckResult): void;
  /** Why the suspects that were not tried again yet are not tried any more; undefined if they are. */
  stopped?(): Stopped | undefined;
}

/** Why confirming stopped: as a skip reason, and in a few words. */
interface Stopped {
  reason: "interrupted" | "budget";
  why: string;
}

/**
 * Tries suspects again, one at a time, and tells the result of each; while one only waits for what may show late, the
 * next one is tried. What shows again is a finding; what does not is `unsteady`. Suspects of one requirement at one
 * operation are tried until one shows again: the others are then findings with it, so a service that is thoroughly
 * broken is not asked everything twice.
 */
export async function confirmSuspects(suspects: readonly Suspect[], confirming: Confirming): Promise<void> {
  const turns = new Turns();
  const groups = groupsOf(suspects);
  // Checks of the history share its requests: none of them may hold a turn that another one needs to send them.
  const sharing = groups.filter((group) => group.some(({ check }) => check.probes !== undefined));
  const others = groups.filter((group) => !sharing.includes(group));
  // To make room for a refused resource, all that is active is switched off: nobody may be waiting for it then.
  const refusals = others.filter((group) => group.some(({ result }) => isRefusal(result)));
  const alone = others.filter((group) => !refusals.includes(group));
  const oneByOne = async (some: Suspect[][]) => {
    for (const group of some) await confirmGroup(group, turns, confirming);
  };
  await Promise.all([oneByOne(sharing), ...alone.map((group) => oneByOne([group]))]);
  await oneByOne(refusals);
}

async function confirmGroup(group: Suspect[], turns: Turns, confirming: Confirming): Promise<void> {
  const { again, tell, stopped } = confirming;
  let confirmedBy: string | undefined;
  for (const { check, result } of group) {
    if (confirmedBy !== undefined) {
      tell(alongWith(result, confirmedBy));
      continue;
    }
    const settled = await turns.take(async (turn) => {
      const before = stopped?.();
      if (before !== undefined) return notConfirmed(result, before);
      const second = await again(check, result, turn);
      // A second try that was cut off decides nothing.
      const meanwhile = second.result.reason === "interrupted" ? stopped?.() : undefined;
      return meanwhile === undefined ? settle(result, second) : notConfirmed(result, meanwhile);
    });
    if (settled.outcome === result.outcome) confirmedBy = result.id;
    tell(settled);
  }
}

/** What was seen, as a skip: it was not tried again, so it is neither a finding nor `unsteady`. */
function notConfirmed({ reproduce: _, ...result }: CheckResult, { reason, why }: Stopped): CheckResult {
  return {
    ...result,
    outcome: "skip",
    reason,
    message: `not confirmed (${why}): ${result.message ?? result.title}`,
  };
}

function groupsOf(suspects: readonly Suspect[]): Suspect[][] {
  const groups = new Map<string, Suspect[]>();
  for (const suspect of suspects) {
    const { requirements, operation } = suspect.check;
    const key = JSON.stringify([requirements, operation]);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [suspect]);
    else members.push(suspect);
  }
  return [...groups.values()];
}

/** A finding if the second try found a violation too, with the evidence that takes less to read; else `unsteady`. */
function settle(first: CheckResult, { result: second, shown, roomMade }: SecondTry): CheckResult {
  if (second.outcome === first.outcome) return sizeOf(second) < sizeOf(first) ? second : first;
  // If the second try hit the quota, the first one did too.
  if (second.outcome === "skip" && second.reason === "declined" && isRefusal(first)) return second;
  if (second.outcome === "pass" && roomMade && isRefusal(first)) return second;
  const { message = first.title } = first;
  const { message: why } = second;
  const told =
    second.outcome === "skip"
      ? `tried again, it could not be told${why === undefined ? "" : `: ${why}`}`
      : "tried again, it did not show";
  const evidence = [...first.evidence, ...(second.evidence.length > 0 ? second.evidence : shown)];
  return { ...first, outcome: "unsteady", message: `${message}; ${told}`, evidence };
}

/** Whether what was found is that a call was refused. */
export function isRefusal({ evidence }: Pick<CheckResult, "evidence">): boolean {
  const last = evidence.at(-1);
  const status = last?.response?.status ?? 0;
  return last?.offending === "status" && status >= 400 && status < 500;
}

function alongWith(result: CheckResult, confirmedBy: string): CheckResult {
  const message = `${result.message ?? result.title} (shown again by ${confirmedBy})`;
  return { ...result, message };
}

function sizeOf({ evidence }: CheckResult): number {
  return evidence.reduce((sum, exchange) => sum + exchangeSize(exchange), 0);
}
