/** Excuses rejections by an exhausted quota, since they prove nothing. */

import { takesNoMoreActive } from "../client/active-quota.ts";
import type { Check } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import { takesNoMoreUpdates } from "../client/update-quotas.ts";
import type { CheckResult } from "../spec/model/result.ts";
import { isRefusal } from "./confirm.ts";
import { type Judged, skipped } from "./judge.ts";

/**
 * True if a quota of active resources explains the rejection at this moment. For a violation that only its own
 * history showed again, without room for more active resources.
 */
export async function isOfActiveQuota(check: Check, found: CheckResult, target: Target): Promise<boolean> {
  const operation = target.spec.operations.find(({ key }) => key === check.operation);
  const body = found.evidence.at(-1)?.request.body ?? null;
  return operation !== undefined && isRefusal(found) && takesNoMoreActive(target, operation, body, true);
}

/**
 * The result, or a skip if a quota explains its rejection. A rejected active resource is excused only in a
 * confirmation (`again`), after the run has deactivated its resources, and if one `wasActive` in the run.
 */
export async function unlessOfQuota(
  check: Check,
  found: Judged,
  target: Target,
  again: { wasActive: boolean } | false,
): Promise<Judged> {
  const { spec, settings } = target;
  const operation = spec.operations.find(({ key }) => key === check.operation);
  const isRefused = isRefusal(found.result);
  if (!operation || !(isRefused || found.result.reason === "control-rejected")) return found;
  const body = found.result.evidence.at(-1)?.request.body ?? null;
  const hasHadEnough =
    (await takesNoMoreUpdates(target, operation)) ||
    (again && isRefused && (await takesNoMoreActive(target, operation, body, again.wasActive)));
  return hasHadEnough ? { result: declined(check, { spec, settings }), suspect: false } : found;
}

/** The skip of a check whose request was rejected, perhaps because of a quota. */
export function declined(check: Check, context: Pick<Target, "spec" | "settings">): CheckResult {
  const why = `${check.operation} no longer accepts what it accepted before: a quota, perhaps`;
  return skipped(check, context, "declined", why);
}
