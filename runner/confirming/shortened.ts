import { type Check, unlessNotTested } from "../../client/check.ts";
import type { Target } from "../../client/target.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import type { Cleanups } from "../cleanups.ts";
import { isViolated } from "../judge.ts";
import { declinedResult, isRejectedForActiveQuota } from "./excused.ts";
import type { RecordedFinding, Shortening } from "./shortening.ts";

interface Context {
  shortening: Shortening;
  cleanups: Cleanups;
  target: Target;
  replayed: RecordedFinding | undefined;
}

/** Returns the finding with the shortest history that shows it. */
export async function shortened(
  check: Check,
  found: CheckResult,
  { shortening, cleanups, target, replayed }: Context,
): Promise<CheckResult> {
  if (isViolated(found)) {
    // The confirmation may have used up a quota of active resources.
    const isPerhapsFull = await cleanups.freeActiveQuota(target, found);
    if (isPerhapsFull && (await shortening.isAcceptedAlone(check))) return declinedResult(check, target);
    return shortening.of(check, found);
  }
  const shown = replayed
    ? await shortening.replayed(check, found, replayed)
    : await shortening.of(check, found);
  if (shown === found) return found;
  // Without an answer, a quota may be the reason.
  const isFull = await unlessNotTested(() => isRejectedForActiveQuota(check, shown, target, true));
  return isFull === false ? shown : found;
}
