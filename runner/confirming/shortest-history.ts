import { type Check, NotTested, unlessNotTested } from "../../client/check.ts";
import { type Entry, hasExcusedStatus, inOrder, isAccepted, isWrite } from "../../history/entry.ts";
import type { Violation } from "../../history/result.ts";
import { pointerTokens } from "../../spec/json.ts";
import { Attempts, type Resending, type ShownHistory } from "./attempts.ts";
import { ATTEMPTS_WITH_CAUSE, shownWithCause } from "./cause.ts";
import { type Steps, stepsOf } from "./steps.ts";

const MOST_REQUESTS = 60;
/** Reads change nothing, so more can be tried. */
const MOST_READS = 150;
/** Numbers of the latest other requests that join the core. */
const LENGTHS_TRIED = { writes: [1, 2, 4, 8], all: [4, 12, 24] };
/** Fewer are tried, because attempts on a fixture wait for the consistency timeout. */
const LENGTHS_ON_FIXTURES = { writes: [2, 8], all: [8] };

const MOST_RACES = 8;
const LEAST_SHOWN = 2;

/**
 * Returns the shortest history found that shows the violation again, or `undefined`. On a fixture, an unsteady
 * violation must show four times, which a volatile field seldom does.
 */
export async function shortestHistory(
  check: Check,
  violation: Violation,
  resending: Resending,
  { isUnsteady = false, isExcused = false } = {},
): Promise<ShownHistory | undefined> {
  const steps = stepsOf(violation, resending.history);
  const isUnsteadyOnFixture = isUnsteady && !steps.isOwn;
  const isUnsteadyRead = isUnsteadyOnFixture && !steps.core.some(isWrite);
  const isOneRequest = steps.core.length < 2;
  const needsCause = isExcused || isUnsteadyRead || (isUnsteady && isOneRequest && !steps.accepted);
  if (isOneRequest && !isUnsteady && !needsCause) return undefined;
  const attempts = new Attempts(check, resending, {
    mostRequests: isUnsteadyRead ? MOST_READS : MOST_REQUESTS,
    pausesBefore: !needsCause && isUnsteadyOnFixture,
    pausesAtRandom: isExcused && !steps.isOwn,
    pausesAfterCreates: violation.needsOlderResource ?? false,
    changed: isUnsteady ? changedIn(violation) : undefined,
  });
  try {
    if (isUnsteady && steps.beside && steps.offending)
      return await shownInRace(attempts, steps.beside, steps.offending);
    if (needsCause) return await shownWithCause(attempts, steps, { isExcused });
    if (isOneRequest)
      return (await shownAgain(attempts, steps)) ?? (await shownAfterAccepted(attempts, steps));
    const timesMore = isUnsteadyOnFixture ? ATTEMPTS_WITH_CAUSE - 1 : Number(isUnsteady);
    const lengths = isUnsteadyOnFixture ? LENGTHS_ON_FIXTURES : LENGTHS_TRIED;
    await findShortest(attempts, steps, lengths, timesMore);
    for (let time = 0; time < timesMore; time++)
      if (!attempts.lastShown || !(await attempts.shown(attempts.lastShown.steps))) return undefined;
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    if (isUnsteady) return undefined;
  }
  return attempts.lastShown;
}

function changedIn({ difference, shownBy }: Violation): string | undefined {
  const place = shownBy.find(({ offending }) => offending?.startsWith("/"))?.offending;
  return difference === "changed" && place !== undefined ? pointerTokens(place).at(-1) : undefined;
}

/** Returns the write and the read at the same time if two of several races show the violation, or `undefined`. */
async function shownInRace(attempts: Attempts, write: Entry, read: Entry): Promise<ShownHistory | undefined> {
  let times = 0;
  for (let race = 0; race < MOST_RACES && times < LEAST_SHOWN; race++)
    if (await attempts.shownBeside(write, read)) times++;
  return times < LEAST_SHOWN ? undefined : attempts.lastShown;
}

/**
 * Returns the core if it shows the violation in every attempt, or `undefined`. Another update must be
 * accepted, so neither state nor quota explains the rejection.
 */
async function shownAgain(attempts: Attempts, { core, accepted }: Steps): Promise<ShownHistory | undefined> {
  if (!accepted) return undefined;
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    // A service may reject an update soon after another, so the order changes.
    const steps = time % 2 === 0 ? [accepted, ...core] : [...core, accepted];
    const shown = await attempts.shown(steps);
    const other = shown?.exchanges[steps.indexOf(accepted)];
    if (!other || !isAccepted(other)) return undefined;
  }
  return attempts.lastShown;
}

/**
 * Returns the history of a rejected update and of the earlier update that causes its rejection, or `undefined`. A service
 * that is busy after any update may answer some statuses, so these prove no cause.
 */
async function shownAfterAccepted(attempts: Attempts, steps: Steps): Promise<ShownHistory | undefined> {
  const { accepted, core, offending } = steps;
  if (!accepted || !offending || hasExcusedStatus(offending)) return undefined;
  return shownWithCause(attempts, { ...steps, core: [accepted, ...core] }, { isExcused: false });
}

/** Sends the whole history again. Returns `undefined` if it shows no violation now, or can't be sent. */
export async function sendAllAgain(check: Check, resending: Resending): Promise<ShownHistory | undefined> {
  const attempts = new Attempts(check, resending, { mostRequests: MOST_REQUESTS });
  return unlessNotTested(() => attempts.shown(resending.history.entries));
}

async function findShortest(
  attempts: Attempts,
  { core, writesBefore, writesAfter, nearest, readsBetween, others }: Steps,
  lengths: typeof LENGTHS_TRIED,
  timesMore: number,
): Promise<void> {
  if (await attempts.shown(core)) return;
  const additions = [
    ...latestOf(writesBefore, lengths.writes),
    ...latestOf(writesAfter, lengths.writes),
    ...nearest.map((entry) => [entry]),
    ...(readsBetween.length > 1 ? [readsBetween] : []),
    ...latestOf(others, lengths.all),
  ];
  for (const added of additions)
    if (await attempts.shown(inOrder([...core, ...added]))) return leaveOut(attempts, core, added, timesMore);
}

function latestOf(entries: readonly Entry[], lengths: readonly number[]): Entry[][] {
  const isLonger = (_: number, at: number) => entries.length > (lengths[at - 1] ?? 0);
  return lengths.filter(isLonger).map((length) => entries.slice(-length));
}

/** Leaves out requests that the history does not need, while enough may be sent to show it `timesMore` times. */
async function leaveOut(
  attempts: Attempts,
  core: readonly Entry[],
  added: readonly Entry[],
  timesMore: number,
): Promise<void> {
  // The core alone did not show the violation.
  if (added.length < 2) return;
  let kept = added;
  for (const one of added) {
    const without = kept.filter((other) => other !== one);
    const needed = timesMore * (core.length + kept.length);
    if (attempts.requestsLeft < core.length + without.length + needed) return;
    if (await attempts.shown(inOrder([...core, ...without]))) kept = without;
  }
}
