/** Waiting for what a service may show only after a short delay (row 69: lists, and reads after a write). */

import type { Target } from "./target.ts";

/** Milliseconds between the first look and the second; each pause after it is twice as long. */
const FIRST_PAUSE = 25;

/**
 * Looks at once, and again until `isDone` holds or the visibility delay of the settings is over; the last look comes
 * when it is over, never before. Returns what was seen last, done or not.
 */
export async function patient<T>(
  target: Target,
  look: () => Promise<T>,
  isDone: (seen: T) => boolean | Promise<boolean>,
): Promise<T> {
  const deadline = performance.now() + target.settings.visibilityDelay;
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const seen = await look();
    const left = deadline - performance.now();
    if (left <= 0 || (await isDone(seen))) return seen;
    await target.pause(Math.min(pause, Math.ceil(left)));
  }
}

/**
 * Waits for what may come late, after all that the run has caused: once for all who look at the end, `milliseconds` at
 * most.
 */
export function restAtTheEnd(target: Target, milliseconds: number): Promise<void> {
  return target.once(`rest of ${milliseconds} ms at the end`, () => target.pause(milliseconds));
}
