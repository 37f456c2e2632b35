import type { Check } from "../../client/check.ts";
import { exchangeSize } from "../../reports/exchange.ts";
import type { CheckResult, Exchange } from "../../reports/report.ts";
import { groupedBy } from "../../spec/grouped.ts";

export interface SuspectedViolation {
  check: Check;
  result: CheckResult;
}

export interface Confirmation {
  result: CheckResult;
  shown: Exchange[];
  quotaFreed?: boolean;
}

export interface Confirming {
  tryAgain(check: Check, found: CheckResult): Promise<Confirmation>;
  tell(result: CheckResult): void;
  stopped?(): Stopped | undefined;
}

interface Stopped {
  reason: "interrupted" | "budget";
  why: string;
}

/**
 * Tries the suspected violations again, one at a time, because confirmations share requests. One violation confirms
 * all with the same requirements and operation, because they probably have one cause.
 */
export async function confirmSuspected(
  suspected: readonly SuspectedViolation[],
  confirming: Confirming,
): Promise<void> {
  const groups = groupedBy(suspected, ({ check }) => JSON.stringify([check.requirements, check.operation]));
  for (const group of groups.values()) await confirmGroup(group, confirming);
}

/** Tries the violations of one group again until one is confirmed. The others count as confirmed with it. */
async function confirmGroup(group: SuspectedViolation[], confirming: Confirming): Promise<void> {
  const { tell } = confirming;
  let confirmedBy: string | undefined;
  for (const { check, result } of group) {
    if (confirmedBy !== undefined) {
      tell(confirmedWith(result, confirmedBy));
      continue;
    }
    const settled = await triedAgain({ check, result }, confirming);
    if (settled.outcome === result.outcome) confirmedBy = result.id;
    tell(settled);
  }
}

async function triedAgain(
  { check, result }: SuspectedViolation,
  { tryAgain, stopped }: Confirming,
): Promise<CheckResult> {
  const before = stopped?.();
  if (before !== undefined) return notConfirmed(result, before);
  const second = await tryAgain(check, result);
  const meanwhile = second.result.reason === "interrupted" ? stopped?.() : undefined;
  return meanwhile === undefined ? settledResult(result, second) : notConfirmed(result, meanwhile);
}

function notConfirmed({ reproduce: _, ...result }: CheckResult, { reason, why }: Stopped): CheckResult {
  return {
    ...result,
    outcome: "skip",
    reason,
    message: `not confirmed (${why}): ${result.message ?? result.title}`,
  };
}

/** Decides between the first and the second attempt. If both agree, the smaller request is shown. */
function settledResult(first: CheckResult, { result: second, shown, quotaFreed }: Confirmation): CheckResult {
  if (second.outcome === first.outcome) return sizeOf(second) < sizeOf(first) ? second : first;
  if (second.outcome === "skip" && second.reason === "declined" && isRejection(first)) return second;
  // The second attempt shows that the value also changes without the run.
  if (second.outcome === "skip" && second.reason === "drift" && second.evidence.length > 0) return second;
  if (second.outcome === "pass" && quotaFreed && isRejection(first)) return second;
  const { message = first.title } = first;
  const { message: why } = second;
  const outcomeText =
    second.outcome === "skip"
      ? `tried again, the result is unclear${why === undefined ? "" : `: ${why}`}`
      : "tried again, it did not show";
  const evidence = [...first.evidence, ...(second.evidence.length > 0 ? second.evidence : shown)];
  return { ...first, outcome: "unsteady", message: `${message}; ${outcomeText}`, evidence };
}

/** True if the violation is that a valid request was rejected. */
export function isRejection({ evidence }: Pick<CheckResult, "evidence">): boolean {
  const last = evidence.at(-1);
  const status = last?.response?.status ?? 0;
  return last?.offending === "status" && status >= 400 && status < 500;
}

function confirmedWith(result: CheckResult, confirmedBy: string): CheckResult {
  const message = `${result.message ?? result.title} (shown again by ${confirmedBy})`;
  return { ...result, message };
}

function sizeOf({ evidence }: CheckResult): number {
  return evidence.reduce((sum, exchange) => sum + exchangeSize(exchange), 0);
}
