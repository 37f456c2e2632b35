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
  { core, offending, causes, reset }: Steps,
  { isExcused }: { isExcused: boolean },
): Promise<Shrunk | undefined> {
  const before = offending && core[core.indexOf(offending) - 1];
  // If the core alone shows the violation, only the write just before the offending request can be the cause.
  if (before && isWrite(before) && !isCreation(before) && (await attempts.shows(core))) {
    const without = core.filter((entry) => entry !== before);
    return (await isCausedBy(before, attempts, without, offending)) ? attempts.shown?.shrunk : undefined;
  }
  for (const cause of causes) {
    if (await isCausedBy(cause, attempts, core, offending)) return attempts.shown?.shrunk;
    if (!isExcused || !offending || !reset || !hasChangedAnswer(cause, attempts.exchanges)) continue;
    if (await changesUntilReset(cause, reset, attempts, offending)) return attempts.shown?.shrunk;
  }
  return undefined;
}

async function isCausedBy(
  cause: Entry,
  attempts: Attempts,
  without: readonly Entry[],
  offending: Entry | undefined,
): Promise<boolean> {
  const withCause = without.flatMap((entry) => (entry === offending ? [cause, entry] : entry));
  // The service may still process an accepted write, so all attempts but the first pause after it.
  let isBusyAfter = isWrite(cause) && isAccepted(cause);
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    const showsWithCause = () =>
      attempts.shows(withCause, { cause, pausesAfterCause: isBusyAfter && time > 0 });
    // In a fixed order, a service that fails at every second attempt would seem to have this cause.
    const isCauseFirst = time % 2 === 0;
    if (isCauseFirst && !(await showsWithCause())) return false;
    if (await attempts.shows(without)) {
      if (!isCauseFirst || (await alwaysShows(without, attempts))) return false;
      isBusyAfter = true;
    }
    if (!isCauseFirst && !(await showsWithCause())) return false;
  }
  return true;
}

async function alwaysShows(steps: readonly Entry[], attempts: Attempts): Promise<boolean> {
  for (let time = 0; time < MOST_LASTING; time++) if (!(await attempts.shows(steps))) return false;
  return true;
}

function hasChangedAnswer(cause: Entry, exchanges: readonly Entry[]): boolean {
  const at = exchanges.findIndex(({ request }) => request.url === cause.request.url);
  const [before, after] = [exchanges[at - 1], exchanges[at + 1]];
  return before !== undefined && after !== undefined && !isAnsweredAlike(before, after);
}

function isAnsweredAlike({ response: one }: Entry, { response: other }: Entry): boolean {
  if (!("status" in one && "status" in other)) return false;
  return one.status === other.status && one.body.text === other.body.text;
}

async function changesUntilReset(
  cause: Entry,
  reset: Entry,
  attempts: Attempts,
  read: Entry,
): Promise<boolean> {
  const steps = [reset, read, read, cause, read, reset, read];
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    if (!(await attempts.shows(steps, { cause }))) return false;
    const changed = attempts.shown && offendingIn(attempts.shown.shrunk);
    if (changed !== attempts.exchanges[steps.indexOf(cause) + 1]) return false;
  }
  return true;
}
