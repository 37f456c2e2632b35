import { type Check, NotTested } from "../../client/check.ts";
import { takesNoMoreActive } from "../../client/quotas.ts";
import { takesNoMoreCreates } from "../../client/resources.ts";
import type { Target } from "../../client/target.ts";
import { takesNoMoreUpdates } from "../../client/update-quotas.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import { operationWithKey } from "../../spec/operations.ts";
import { isViolated, type Judged, skippedResult } from "../judge.ts";
import { isRejection } from "./confirm.ts";

/** True if only a quota of active resources explains the rejection. */
export async function isRejectedForActiveQuota(
  check: Check,
  found: CheckResult,
  target: Target,
  wasActive: boolean,
): Promise<boolean> {
  const operation = operationWithKey(target.spec, check.operation);
  const body = found.evidence.at(-1)?.request.body ?? null;
  return (
    operation !== undefined && isRejection(found) && takesNoMoreActive(target, operation, body, wasActive)
  );
}

/** Returns the result, as skipped if a quota explains it. */
export async function skippedIfOfQuota(
  check: Check,
  found: Judged,
  target: Target,
  { isConfirming, resources }: { isConfirming: boolean; resources: { wasActive: boolean } },
): Promise<Judged> {
  const { result } = found;
  const operation = operationWithKey(target.spec, check.operation);
  if (!operation || !(isRejection(result) || result.reason === "control-rejected")) return found;
  try {
    const isOfQuota =
      (await takesNoMoreUpdates(target, operation)) ||
      (isViolated(result) && isRejection(result) && (await takesNoMoreCreates(target, operation))) ||
      (isConfirming && (await isRejectedForActiveQuota(check, result, target, resources.wasActive)));
    return isOfQuota ? { result: declinedResult(check, target), isSuspected: false } : found;
  } catch (error) {
    // Without an answer, a quota may be the reason or not.
    if (!(error instanceof NotTested)) throw error;
    return { result: skippedResult(check, target, error.reason, error.message), isSuspected: false };
  }
}

/** Returns a skipped result for a service that accepts nothing more. */
export function declinedResult(check: Check, context: Pick<Target, "spec">): CheckResult {
  const why = `${check.operation} no longer accepts what it accepted before: a quota, perhaps`;
  return skippedResult(check, context, "declined", why, { room: check.operation });
}
