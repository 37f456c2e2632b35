/** Suspicion is confirmed before it is told: a check that found a fault is tried again from scratch, alone. */

import type { Check } from "../client/check.ts";
import { exchangeSize } from "../reports/exchange.ts";
import type { CheckResult, Exchange } from "../reports/report.ts";

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

/**
 * Tries suspects again, one at a time, and tells the result of each. What shows again is a finding; what does not is
 * `unsteady`. Suspects of one requirement at one operation are tried until one shows again: the others are then
 * findings with it, so that a service that is thoroughly broken is not asked everything twice.
 */
export async function confirmSuspects(
  suspects: readonly Suspect[],
  again: (check: Check, found: CheckResult) => Promise<SecondTry>,
  tell: (result: CheckResult) => void,
): Promise<void> {
  for (const group of groupsOf(suspects)) {
    let confirmedBy: string | undefined;
    for (const { check, result } of group) {
      if (confirmedBy !== undefined) {
        tell(alongWith(result, confirmedBy));
        continue;
      }
      const settled = settle(result, await again(check, result));
      if (settled.outcome === result.outcome) confirmedBy = result.id;
      tell(settled);
    }
  }
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

/** A finding where the second try found a fault too, with the evidence that takes less to read; else `unsteady`. */
function settle(first: CheckResult, { result: second, shown, roomMade }: SecondTry): CheckResult {
  if (second.outcome === first.outcome) return sizeOf(second) < sizeOf(first) ? second : first;
  // A service that has had enough by now had enough when it refused the first time.
  if (second.outcome === "skip" && second.reason === "declined" && isRefusal(first)) return second;
  if (second.outcome === "pass" && roomMade && isRefusal(first)) return second;
  const { message = first.title } = first;
  const { message: why } = second;
  const told =
    second.outcome === "skip"
      ? `tried again, alone, it could not be told${why === undefined ? "" : `: ${why}`}`
      : "tried again, alone, it did not show";
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
