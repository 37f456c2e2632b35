/** After 502, 503 and 504, a request is tried several times, and after any other 5xx once more. */

import { isServerError } from "../../history/answers.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Answer, isUnavailable, SIMULTANEOUS } from "../target.ts";
import { type Load, retryAfter, wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const ATTEMPTS = 5;
/** Request Timeout: the request may be repeated (RFC 9110 section 15.5.9). */
const TIMED_OUT = 408;
const FIRST_WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 100;

export function overTransientFaults(next: Sender, load: Load, signal: AbortSignal): Sender {
  /** Operations whose errors outlasted all attempts are tried only once more. */
  const lasting = new Set<Operation>();
  let wasAvailable = false;
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    const isFault = ({ status }: Answer) => isServerError({ status, operation });
    const first = await next(outgoing, use);
    wasAvailable ||= !isUnavailable(first);
    if (use.role === SIMULTANEOUS) return first;
    // A proxy may answer 408 for a slow connection.
    if (first.status === TIMED_OUT) return next(outgoing, use);
    if (!isFault(first)) return first;
    let answer = first;
    const attempts = isUnavailable(first) && !lasting.has(operation) ? ATTEMPTS : 2;
    for (let attempt = 1; attempt < attempts && isFault(answer); attempt++) {
      if (isUnavailable(answer)) {
        const named = retryAfter(answer.headers);
        const isTooLong = named !== undefined && (named > FIRST_WAIT_MS || lasting.size > 0);
        if (isTooLong && !wasAvailable && !load.hasMaxWait) break;
        if (named !== undefined) load.pause(Math.min(named, load.longestWait));
        else await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1), signal);
      }
      answer = await next(outgoing, use);
      wasAvailable ||= !isUnavailable(answer);
    }
    if (isFault(answer)) lasting.add(operation);
    return answer;
  };
}
