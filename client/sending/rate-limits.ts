/** A 429 is never evidence: it is waited out, and asked again. */

import { Untestable } from "../check.ts";
import { LONGEST_PAUSE, type Load, retryAfter } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const ATTEMPTS = 5;
const FIRST_PAUSE = 250;
/** Rate limits that outlast the patience this often end the waiting, until something is answered again. */
const LIMITED_AFTER = 3;

/**
 * Holds all requests back for as long as Retry-After says, or longer each time. Throws Untestable (rate-limited) when
 * the limit outlasts the patience; one that is named and longer than all of it is waited for once. `seen` hears of each 429, and whether it had a Retry-After.
 */
export function overRateLimits(next: Sender, load: Load, seen: (named: boolean) => void): Sender {
  let outlasted = 0;
  return async (outgoing, use) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await next(outgoing, use);
      if (answer.status !== 429) {
        outlasted = 0;
        return answer;
      }
      seen(answer.headers["retry-after"] !== undefined);
      const named = retryAfter(answer.headers);
      const isHopeless = attempt > 1 && named !== undefined && named > ATTEMPTS * LONGEST_PAUSE;
      if (attempt >= ATTEMPTS || outlasted >= LIMITED_AFTER || isHopeless) {
        outlasted++;
        const { key } = outgoing.plan.operation;
        throw new Untestable("rate-limited", `${key} was answered 429 ${attempt} times`, [answer]);
      }
      // Several at once, without a time to come again: it may be their number alone that is too high.
      if (named === undefined && load.pausedFor > 0) load.ease();
      load.pause(Math.min(pauseFor(named, attempt), LONGEST_PAUSE));
    }
  };
}

/** As long as the service says, or longer each time; what it says is too short where it limits again. */
function pauseFor(named: number | undefined, attempt: number): number {
  if (named === undefined) return FIRST_PAUSE * 2 ** attempt;
  return attempt === 1 ? named : Math.max(named, FIRST_PAUSE * 2 ** (attempt - 2));
}
