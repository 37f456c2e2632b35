/**
 * Quotas of updates, which are not specified either: so many in an hour, or of one resource. A service that refuses an
 * update, and then the fullest and the plainest one, having taken updates before, has had enough for today.
 */

import { withBody } from "../generators/request.ts";
import type { Operation } from "../spec/model/spec.ts";
import { Untestable } from "./check.ts";
import { betweenStories } from "./controls.ts";
import { sendBody, validRequest } from "./subjects.ts";
import { validBody } from "./supply.ts";
import { isRejected, type Target } from "./target.ts";
import { allowedOf, usualVersion } from "./version-choice.ts";

/** How often it is asked for and not met. */
const MOST_ASKED = 3;

interface Quota {
  asked: number;
  met: boolean;
  /** While it is being asked for. */
  asking?: Promise<boolean> | undefined;
}

/** Whether an operation that has taken updates takes none any more: what it refuses then says nothing. */
export async function takesNoMoreUpdates(target: Target, operation: Operation): Promise<boolean> {
  if (operation.kind !== "update" || !target.answers.hasAccepted(operation)) return false;
  const quota = await target.remember<Quota>(`quota ${operation.id}`, async () => ({ asked: 0, met: false }));
  if (quota.met || (!quota.asking && quota.asked >= MOST_ASKED)) return quota.met;
  if (!quota.asking) {
    quota.asked++;
    quota.asking = takesNothing(target, operation);
  }
  quota.met = await quota.asking;
  quota.asking = undefined;
  return quota.met;
}

async function takesNothing(target: Target, operation: Operation): Promise<boolean> {
  const usual = usualVersion(target, operation);
  // A version may be all that is refused.
  const [other = usual] = allowedOf(target, operation).filter((version) => version !== usual);
  try {
    // So may a value be that it has, or one that it has not.
    for (const [extent, version, salt] of [
      ["full", usual, 0],
      ["full", usual, 1],
      ["minimal", other, 0],
    ] as const) {
      const plain = await validRequest(target, operation, version);
      const plan = withBody(plain, await validBody(target, operation, extent, salt));
      const answer = await betweenStories(target, operation, () => sendBody(target, plan, "probe", true));
      if (!isRejected(answer)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof Untestable) return false;
    throw error;
  }
}
