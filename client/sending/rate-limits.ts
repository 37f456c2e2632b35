/** A 429 is never evidence: it is waited out, and asked again. */

import { Untestable } from "../check.ts";
import { type Load, retryAfter } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const ATTEMPTS = 5;
const FIRST_PAUSE = 250;
/** Rate limits that outlast the patience this often end the waiting, until something is answered again. */
const LIMITED_AFTER = 3;

/**
 * Holds all requests back for as long as Retry-After says, or longer each time. Throws Untestable (rate-limited) when
 * the limit outlasts the longest wait: a longer one that is named is waited for once, as far as the longest wait goes.
 * `seen` hears of each 429, and whether it had a Retry-After.
 */
export function overRateLimits(next: Sender, load: Load, seen: (named: boolean) => void): Sender {
  let outlasted = 0;
  return async (outgoing, use) => {
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const answer = await next(outgoing, use);
      if (answer.status !== 429) {
        outlasted = 0;
        return answer;
      }
      seen(answer.headers["retry-after"] !== undefined);
      const named = retryAfter(answer.headers);
      const pause = Math.min(pauseFor(named, attempt), load.longestWait);
      if (
        attempt >= ATTEMPTS ||
        outlasted >= LIMITED_AFTER ||
        (attempt > 1 && waited + pause > load.longestWait)
      ) {
        outlasted++;
        throw new Untestable("rate-limited", limitedFor(outgoing.plan.operation.key, attempt, named, load), [
          answer,
        ]);
      }
      // Several at once, without a time to come again: it may be their number alone that is too high.
      if (named === undefined && load.pausedFor > 0) load.ease();
      load.pause(pause);
      waited += pause;
    }
  };
}

function limitedFor(key: string, attempt: number, named: number | undefined, load: Load): string {
  const told = `${key} was answered 429 ${attempt} times`;
  if (named === undefined || named <= load.longestWait) return told;
  return `${told}; the service asks for ${Math.ceil(named / 1_000)} s, and --max-wait allows ${load.longestWait / 1_000} s`;
}

/** As long as the service says, or longer each time; what it says is too short where it limits again. */
function pauseFor(named: number | undefined, attempt: number): number {
  if (named === undefined) return FIRST_PAUSE * 2 ** attempt;
  return attempt === 1 ? named : Math.max(named, FIRST_PAUSE * 2 ** (attempt - 2));
}
