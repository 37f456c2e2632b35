import { isRateLimit } from "../../history/entry.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { NotTested } from "../check.ts";
import { isRejected } from "../target.ts";
import { type Load, retryAfter } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 250;
const LIMITED_AFTER = 3;
const FORBIDDEN = 403;

/**
 * Waits and sends again. After a Retry-After beyond the longest wait, the operation is waited for only once. A 403 with
 * Retry-After is no rate limit if other rejections have it, too.
 * @throws NotTested (rate-limited) if the limit lasts longer
 */
export function overRateLimits(next: Sender, load: Load, seen: (named: boolean) => void): Sender {
  let outlasted = 0;
  let rejectionsNameTime = false;
  const closed = new Set<Operation>();
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const answer = await next(outgoing, use);
      const { status } = answer;
      const header = answer.headers["retry-after"];
      if (!isRateLimit(status, header)) {
        outlasted = 0;
        closed.delete(operation);
        rejectionsNameTime ||= isRejected(answer) && header !== undefined;
        return answer;
      }
      if (status === FORBIDDEN && rejectionsNameTime) return answer;
      seen(header !== undefined);
      const named = retryAfter(answer.headers);
      const pause = Math.min(pauseFor(named, attempt), load.longestWait);
      const isTooLong = named !== undefined && named > load.longestWait;
      if (
        (isTooLong && closed.has(operation)) ||
        attempt >= MOST_ATTEMPTS ||
        outlasted >= LIMITED_AFTER ||
        (attempt > 1 && waited + pause > load.longestWait)
      ) {
        outlasted++;
        if (isTooLong) closed.add(operation);
        throw new NotTested("rate-limited", limitedFor(operation.key, status, attempt, named, load), [
          answer.exchange,
        ]);
      }
      // Without Retry-After, the service may limit concurrent requests.
      if (named === undefined && load.pausedFor > 0) load.ease();
      load.pause(pause);
      waited += pause;
    }
  };
}

function limitedFor(
  key: string,
  status: number,
  attempt: number,
  named: number | undefined,
  load: Load,
): string {
  const message = `${key} was answered ${status} ${attempt} times`;
  if (named === undefined || named <= load.longestWait) return message;
  return `${message}; the service asks for ${Math.ceil(named / 1_000)} s, and --max-wait allows ${load.longestWait / 1_000} s`;
}

function pauseFor(named: number | undefined, attempt: number): number {
  if (named === undefined) return FIRST_PAUSE_MS * 2 ** attempt;
  return attempt === 1 ? named : Math.max(named, FIRST_PAUSE_MS * 2 ** (attempt - 2));
}
