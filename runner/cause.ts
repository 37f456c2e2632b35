/** Finds one earlier request without which a violation does not show. */

import { type Entry, isAccepted, isWrite } from "../history/entry.ts";
import { type Attempts, offendingIn, type Shrunk } from "./attempts.ts";
import { isCreation } from "./sent-again.ts";
import type { Steps } from "./steps-again.ts";

/** The violation must show in this many attempts with the cause, and in none without it. */
export const ATTEMPTS_WITH_CAUSE = 4;
/** An effect of the cause may last: the violation may show without it, but not in all of this many attempts. */
const MOST_LASTING = 2;

/**
 * Returns the violation with the request that causes it. An excused violation also counts if the cause changes
 * the answer until a reset.
 */
export async function shownWithCause(
  attempts: Attempts,
  steps: Steps,
  { isExcused }: { isExcused: boolean },
): Promise<Shrunk | undefined> {
  return (await showsWithSomeCause(attempts, steps, isExcused)) ? attempts.shown?.shrunk : undefined;
}

async function showsWithSomeCause(
  attempts: Attempts,
  { core, offending, causes, reset }: Steps,
  isExcused: boolean,
): Promise<boolean> {
  const updateBefore = updateJustBefore(offending, core);
  // If the core alone shows the violation, only the update just before the offending request can be the cause.
  if (updateBefore && (await attempts.shows(core))) {
    const others = core.filter((entry) => entry !== updateBefore);
    return isCausedBy(updateBefore, attempts, others, offending);
  }
  for (const cause of causes) {
    if (await isCausedBy(cause, attempts, core, offending)) return true;
    if (!isExcused || !offending || !reset || !hasChangedAnswer(cause, attempts.exchanges)) continue;
    if (await changesUntilReset(cause, reset, attempts, offending)) return true;
  }
  return false;
}

/** Returns the step before the offending request, if it is a write other than a create. */
function updateJustBefore(offending: Entry | undefined, core: readonly Entry[]): Entry | undefined {
  const before = offending && core[core.indexOf(offending) - 1];
  return before && isWrite(before) && !isCreation(before) ? before : undefined;
}

/** True if all attempts show the violation with the cause, and none without it, unless its effect lasts. */
async function isCausedBy(
  cause: Entry,
  attempts: Attempts,
  without: readonly Entry[],
  offending: Entry | undefined,
): Promise<boolean> {
  const withCause = without.flatMap((entry) => (entry === offending ? [cause, entry] : [entry]));
  // The service may still process an accepted write, so all attempts but the first pause after it.
  let effectTakesTime = isWrite(cause) && isAccepted(cause);
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    const showsWithCause = () =>
      attempts.shows(withCause, { cause, pausesAfterCause: effectTakesTime && time > 0 });
    // In a fixed order, a service that fails at every second attempt would seem to have this cause.
    const isCauseFirst = time % 2 === 0;
    if (!isCauseFirst) {
      if ((await attempts.shows(without)) || !(await showsWithCause())) return false;
      continue;
    }
    if (!(await showsWithCause())) return false;
    if (await attempts.shows(without)) {
      if (await alwaysShows(without, attempts)) return false;
      effectTakesTime = true;
    }
  }
  return true;
}

async function alwaysShows(steps: readonly Entry[], attempts: Attempts): Promise<boolean> {
  for (let time = 0; time < MOST_LASTING; time++) if (!(await attempts.shows(steps))) return false;
  return true;
}

/** True if the answers just before and just after the cause differ. */
function hasChangedAnswer(cause: Entry, exchanges: readonly Entry[]): boolean {
  const index = exchanges.findIndex(({ request }) => request.url === cause.request.url);
  const before = exchanges[index - 1];
  const after = exchanges[index + 1];
  return before !== undefined && after !== undefined && !isAnsweredAlike(before, after);
}

function isAnsweredAlike({ response: one }: Entry, { response: other }: Entry): boolean {
  if (!("status" in one && "status" in other)) return false;
  return one.status === other.status && one.body.text === other.body.text;
}

/** True if the read shows the violation right after the cause, and not after a reset, at each attempt. */
async function changesUntilReset(
  cause: Entry,
  reset: Entry,
  attempts: Attempts,
  read: Entry,
): Promise<boolean> {
  const steps = [reset, read, read, cause, read, reset, read];
  const indexAfterCause = steps.indexOf(cause) + 1;
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    if (!(await attempts.shows(steps, { cause }))) return false;
    const offending = attempts.shown && offendingIn(attempts.shown.shrunk);
    if (offending !== attempts.exchanges[indexAfterCause]) return false;
  }
  return true;
}
