/** Waiting for what a service may show only after a short delay: in lists, and in reads after a write. */

import type { Operation } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";

/** Milliseconds between the first look and the second; each pause after it is twice as long. */
const FIRST_PAUSE = 25;
/** An operation that never showed anything late is waited for in vain so often, and then no more. */
const MOST_IN_VAIN = 2;

/** What is known of how an operation shows what was written. */
export interface Lateness {
  /** Whether it has shown something only after a while. */
  late: boolean;
  /** How often the whole delay was waited for in vain. */
  inVain: number;
}

/**
 * What is known of an operation so far. A check that is tried again begins anew: it waits once, even if the run has
 * waited in vain before.
 */
export function latenessOf(target: Target, operation: Operation): Promise<Lateness> {
  return target.once(`lateness ${operation.id}`, async () => {
    const { inVain } = await waitedFor(target, operation);
    return { late: false, inVain: Math.min(inVain, MOST_IN_VAIN - 1) };
  });
}

/** How often the run has waited in vain for an operation, confirmation included. */
function waitedFor(target: Target, operation: Operation): Promise<{ inVain: number }> {
  return target.remember(`waited for ${operation.id}`, async () => ({ inVain: 0 }));
}

/**
 * Looks at once, and again until `isDone` holds or the visibility delay of the settings is over; the last look comes
 * when it is over, never before. Returns what was seen last, done or not. If an operation shows nothing late, but does
 * not show what is waited for either, it is waited for no more.
 */
export async function patient<T>(
  target: Target,
  operation: Operation,
  look: () => Promise<T>,
  isDone: (seen: T) => boolean | Promise<boolean>,
): Promise<T> {
  const lateness = await latenessOf(target, operation);
  const isHopeless = !lateness.late && lateness.inVain >= MOST_IN_VAIN;
  let looks = 0;
  const { seen, done } = await lookUntil(
    target,
    isHopeless ? 0 : target.settings.visibilityDelay,
    () => {
      looks++;
      return look();
    },
    isDone,
  );
  if (looks > 1 && done) lateness.late = true;
  if (looks > 1 && !done) {
    lateness.inVain++;
    (await waitedFor(target, operation)).inVain++;
  }
  return seen;
}

/** Looks at once, and again until `isDone` holds or so many milliseconds are over; with a last look at their end. */
export async function lookUntil<T>(
  target: Target,
  milliseconds: number,
  look: () => Promise<T>,
  isDone: (seen: T) => boolean | Promise<boolean>,
): Promise<{ seen: T; done: boolean }> {
  const deadline = performance.now() + milliseconds;
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const seen = await look();
    const left = deadline - performance.now();
    const done = await isDone(seen);
    if (done || left <= 0) return { seen, done };
    await target.giveWay(Math.min(pause, Math.ceil(left)));
  }
}

/**
 * Waits for what may come late, after all that the run has caused: once for all who look at the end, `milliseconds` at
 * most.
 */
export function restAtTheEnd(target: Target, milliseconds: number): Promise<void> {
  return target.once(`rest of ${milliseconds} ms at the end`, () => target.pause(milliseconds));
}
