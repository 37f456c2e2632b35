/** Excuses rejections by an exhausted quota, since they prove nothing. */

import { takesNoMoreActive } from "../client/active-quota.ts";
import type { Check } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import { takesNoMoreUpdates } from "../client/update-quotas.ts";
import { isRefusal } from "./confirm.ts";
import { type Judged, skipped } from "./judge.ts";

/**
 * The result, or a skip if a quota explains its rejection. A rejected active resource is excused only in a
 * confirmation (`again`), after the run has deactivated its resources.
 */
export async function unlessOfQuota(
  check: Check,
  found: Judged,
  target: Target,
  again: boolean,
): Promise<Judged> {
  const { spec, settings } = target;
  const operation = spec.operations.find(({ key }) => key === check.operation);
  const isRefused = isRefusal(found.result);
  if (!operation || !(isRefused || found.result.reason === "control-rejected")) return found;
  const body = found.result.evidence.at(-1)?.request.body ?? null;
  const hasHadEnough =
    (await takesNoMoreUpdates(target, operation)) ||
    (again && isRefused && (await takesNoMoreActive(target, operation, body)));
  if (!hasHadEnough) return found;
  const why = `${operation.key} no longer accepts what it accepted before: a quota, perhaps`;
  return { result: skipped(check, { spec, settings }, "declined", why), suspect: false };
}
