/** Refusals that are nobody's fault: an operation that takes nothing any more refuses whatever it is sent. */

import type { Check } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import { takesNoMoreUpdates } from "../client/update-quotas.ts";
import { isRefusal } from "./confirm.ts";
import { type Judged, skipped } from "./judge.ts";

/** What a check found; but a refusal by an operation that has had enough says nothing. */
export async function unlessOfQuota(check: Check, found: Judged, target: Target): Promise<Judged> {
  const { spec, settings } = target;
  const operation = spec.operations.find(({ key }) => key === check.operation);
  const isRefused = isRefusal(found.result) || found.result.reason === "control-rejected";
  if (!operation || !isRefused || !(await takesNoMoreUpdates(target, operation))) return found;
  const why = `${operation.key} no longer accepts what it accepted before: a quota, perhaps`;
  return { result: skipped(check, { spec, settings }, "declined", why), suspect: false };
}
