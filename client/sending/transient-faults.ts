import { isServerError } from "../../history/answers/answers.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Answer, isUnavailable, SIMULTANEOUS } from "../target.ts";
import { type Load, retryAfter, wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const MOST_ATTEMPTS = 5;
/** Clients may repeat a request after 408 (RFC 9110 section 15.5.9). */
const TIMED_OUT = 408;
const FIRST_WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
/** After more failures in a row, fewer requests are sent concurrently. */
const EASED_AFTER = 2;
/** Spreads the waits, so that requests that failed together are not repeated together. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/** Sends again after 502, 503 and 504 several times, until they last, and after any other 5xx once. */
export function overTransientFaults(next: Sender, load: Load, signal: AbortSignal): Sender {
  const lasting = new Set<Operation>();
  const available = new Set<Operation>();
  let wasAvailable = false;
  let waits = 0;
  const waitAfter = async ({ headers, plan }: Answer, attempt: number): Promise<boolean> => {
    const named = retryAfter(headers);
    if (named === undefined) {
      if (attempt > EASED_AFTER && available.has(plan.operation)) load.ease();
      const spread = 1 + ((waits++ * GOLDEN_RATIO) % 1) / 2;
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1) * spread, signal);
      return true;
    }
    const isLong = named > FIRST_WAIT_MS || lasting.size > 0;
    if (isLong && !wasAvailable && !load.hasMaxWait) return false;
    load.pause(Math.min(named, load.longestWait));
    return true;
  };
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    const isFault = ({ status }: Answer) => isServerError({ status, operation });
    const ask = async () => {
      const answer = await next(outgoing, use);
      wasAvailable ||= !isUnavailable(answer);
      if (!isUnavailable(answer)) {
        available.add(operation);
        lasting.delete(operation);
      }
      return answer;
    };
    let answer = await ask();
    if (use.role === SIMULTANEOUS) return answer;
    // A proxy may answer 408 if the connection is slow.
    if (answer.status === TIMED_OUT) return ask();
    if (!isFault(answer)) return answer;
    const attempts = isUnavailable(answer) && !lasting.has(operation) ? MOST_ATTEMPTS : 2;
    for (let attempt = 1; attempt < attempts && isFault(answer); attempt++) {
      if (isUnavailable(answer) && !(await waitAfter(answer, attempt))) break;
      answer = await ask();
    }
    if (isFault(answer)) lasting.add(operation);
    return answer;
  };
}
