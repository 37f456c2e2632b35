import type { Operation } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";

const FIRST_PAUSE_MS = 25;
const MOST_IN_VAIN = 2;

export interface Lateness {
  late: boolean;
  inVain: number;
}

/** Returns whether changes showed late, and how many waits were in vain. A confirmation waits all the same. */
export function latenessOf(target: Target, operation: Operation, after = ""): Promise<Lateness> {
  return target.memoize(`lateness ${operation.id} ${after}`, async () => {
    const { inVain } = await waitedFor(target, operation, after);
    return { late: false, inVain: Math.min(inVain, MOST_IN_VAIN - 1) };
  });
}

function waitedFor(target: Target, operation: Operation, after: string): Promise<{ inVain: number }> {
  return target.memoizeUnjudged(`waited for ${operation.id} ${after}`, async () => ({ inVain: 0 }));
}

/** Looks until `isDone` or the consistency timeout, but only once if waiting after such requests was often in vain. */
export async function eventually<T>(
  target: Target,
  operation: Operation,
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
  after = "",
): Promise<T> {
  const lateness = await latenessOf(target, operation, after);
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
    (await waitedFor(target, operation, after)).inVain++;
  }
  return seen;
}

/** Looks again, with growing pauses, until `isDone` or the end of the milliseconds. Returns the last look. */
async function lookUntil<T>(
  target: Target,
  milliseconds: number,
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
): Promise<{ seen: T; done: boolean }> {
  const deadline = performance.now() + milliseconds;
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    const seen = await look();
    const left = deadline - performance.now();
    const done = isDone(seen);
    if (done || left <= 0) return { seen, done };
    await target.pause(Math.min(pause, Math.ceil(left)));
  }
}

/** Pauses once in a round, however many probes ask for this pause. */
export function restAtTheEnd(target: Target, milliseconds: number): Promise<void> {
  return target.memoize(`rest of ${milliseconds} ms at the end`, () => target.pause(milliseconds));
}

/** Most services show a change after this many milliseconds. */
const BRIEF_PAUSE_MS = 300;

/** Pauses for the consistency timeout, but only briefly if it is long. */
export function restBriefly(target: Target): Promise<void> {
  return restAtTheEnd(target, Math.min(target.settings.visibilityDelay, BRIEF_PAUSE_MS));
}

/** The least wait in milliseconds before old values are wrong. */
const LEAST_MS = 1_000;
const MORE_MS = 100;
const MOST_MS = 3_000;

/** Pauses until late effects of the run must show, once in a round. */
export function lateAtTheEnd(target: Target): Promise<void> {
  return restAtTheEnd(target, msUntilLate(target));
}

/** Pauses until late effects of the requests so far must show. */
export function untilLate(target: Target): Promise<void> {
  return target.pause(msUntilLate(target));
}

function msUntilLate({ settings: { visibilityDelay } }: Target): number {
  return Math.min(Math.max(LEAST_MS, visibilityDelay + MORE_MS), MOST_MS);
}
