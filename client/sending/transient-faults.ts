/**
 * Server errors that pass (rulings on 5xx): 502, 503 and 504 are waited out like a rate limit, any other is asked for
 * once more. What a caller gets is an error that stayed, or the answer that came instead.
 */

import type { Operation } from "../../spec/model/spec.ts";
import { type Answer, isServerError, isUnavailable, SIMULTANEOUS } from "../target.ts";
import { type Load, retryAfter, wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const ATTEMPTS = 5;
/** Request Timeout: the request may be repeated (RFC 9110 section 15.5.9). */
const TIMED_OUT = 408;
/** Milliseconds that a service is waited for which has answered nothing else so far: nobody would know why it is silent. */
const FIRST_PATIENCE = 5_000;
/** Milliseconds before the second attempt where the service names none; twice as many before each next one. */
const FIRST_PAUSE = 100;

/**
 * Asks again, equal in everything, what was answered with a server error. A race is not asked again by itself: it is
 * tried again as a race. `passed` takes an error that did not stay, and the answer that came instead.
 */
export function overTransientFaults(
  next: Sender,
  load: Load,
  signal: AbortSignal,
  passed: (error: Answer, instead: Answer) => void,
): Sender {
  /** Operations at which an error outlasted the patience: they are given one more try, not all. */
  const lasting = new Set<Operation>();
  let wasAvailable = false;
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    const first = await next(outgoing, use);
    wasAvailable ||= !isUnavailable(first);
    if (use.role === SIMULTANEOUS) return first;
    // Request Timeout may be what stands before the service says of a slow connection: what stays is the answer.
    if (first.status === TIMED_OUT) return next(outgoing, use);
    if (!isServerError(first)) return first;
    let answer = first;
    const attempts = isUnavailable(first) && !lasting.has(operation) ? ATTEMPTS : 2;
    for (let attempt = 1; attempt < attempts && isServerError(answer); attempt++) {
      if (isUnavailable(answer)) {
        const named = retryAfter(answer.headers);
        const isTooLong = named !== undefined && (named > FIRST_PATIENCE || lasting.size > 0);
        if (isTooLong && !wasAvailable && !load.isPatient) break;
        if (named !== undefined) load.pause(Math.min(named, load.longestWait));
        else await wait(FIRST_PAUSE * 2 ** (attempt - 1), signal);
      }
      answer = await next(outgoing, use);
      wasAvailable ||= !isUnavailable(answer);
    }
    if (isServerError(answer)) lasting.add(operation);
    else passed(first, answer);
    return answer;
  };
}
