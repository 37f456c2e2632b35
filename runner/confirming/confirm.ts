import type { Check } from "../../client/check.ts";
import { exchangeSize } from "../../reports/exchange.ts";
import type { CheckResult, Exchange } from "../../reports/report.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { ConfirmationLock, type HeldLock } from "./confirmation-lock.ts";

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
  tryAgain(check: Check, found: CheckResult, held: HeldLock): Promise<Confirmation>;
  tell(result: CheckResult): void;
  stopped?(): Stopped | undefined;
}

interface Stopped {
  reason: "interrupted" | "budget";
  why: string;
}

/**
 * Tries the suspected violations again. To save requests, one violation confirms all with the same
 * requirements and operation.
 */
export async function confirmSuspected(
  suspected: readonly SuspectedViolation[],
  confirming: Confirming,
): Promise<void> {
  const lock = new ConfirmationLock();
  // Violations of the same requirements at the same operation probably have one cause.
  const groups = [
    ...groupedBy(suspected, ({ check }) => JSON.stringify([check.requirements, check.operation])).values(),
  ];
  // Checks with probes share requests, so their groups take turns.
  const sharing = groups.filter((group) => group.some(({ check }) => check.probes !== undefined));
  const others = groups.filter((group) => !sharing.includes(group));
  // Confirming a rejection may deactivate webhooks that other checks need, so these come last.
  const rejections = others.filter((group) => group.some(({ result }) => isRejection(result)));
  const alone = others.filter((group) => !rejections.includes(group));
  const oneByOne = async (some: SuspectedViolation[][]) => {
    for (const group of some) await confirmGroup(group, lock, confirming);
  };
  await Promise.all([oneByOne(sharing), ...alone.map((group) => oneByOne([group]))]);
  await oneByOne(rejections);
}

/** Tries the violations of one group again until one is confirmed. The others count as confirmed with it. */
async function confirmGroup(
  group: SuspectedViolation[],
  lock: ConfirmationLock,
  confirming: Confirming,
): Promise<void> {
  const { tryAgain, tell, stopped } = confirming;
  let confirmedBy: string | undefined;
  for (const { check, result } of group) {
    if (confirmedBy !== undefined) {
      tell(confirmedWith(result, confirmedBy));
      continue;
    }
    const settled = await lock.hold(async (held) => {
      const before = stopped?.();
      if (before !== undefined) return notConfirmed(result, before);
      const second = await tryAgain(check, result, held);
      const meanwhile = second.result.reason === "interrupted" ? stopped?.() : undefined;
      return meanwhile === undefined ? settledResult(result, second) : notConfirmed(result, meanwhile);
    });
    if (settled.outcome === result.outcome) confirmedBy = result.id;
    tell(settled);
  }
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
