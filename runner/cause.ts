/** Finds one earlier request without which a violation does not show. */

import { type Entry, isRejected, isWrite } from "../history/entry.ts";
import { type Attempts, offendingIn, type ShownAttempt } from "./attempts.ts";
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
): Promise<ShownAttempt | undefined> {
  const { core, offending, causes, reset } = steps;
  const updateBefore = updateJustBefore(offending, core);
  // If the core alone shows the violation, only the update just before the offending request can be the cause.
  if (updateBefore && (await attempts.shown(core))) {
    const others = core.filter((entry) => entry !== updateBefore);
    return shownOnlyWith(updateBefore, attempts, others, offending);
  }
  for (const cause of causes) {
    const shown = await shownOnlyWith(cause, attempts, core, offending);
    if (shown) return shown;
    if (!isExcused || !offending || !reset || !mayLast(cause, offending, attempts.lastExchanges)) continue;
    const changed = await shownUntilReset(cause, reset, attempts, offending);
    if (changed) return changed;
  }
  return undefined;
}

/** Returns the step before the offending request, if it is a write other than a create. */
function updateJustBefore(offending: Entry | undefined, core: readonly Entry[]): Entry | undefined {
  const before = offending && core[core.indexOf(offending) - 1];
  return before && isWrite(before) && !isCreation(before) ? before : undefined;
}

/** Returns the last attempt with the cause if all these show the violation, and none without, unless its effect lasts. */
async function shownOnlyWith(
  cause: Entry,
  attempts: Attempts,
  without: readonly Entry[],
  offending: Entry | undefined,
): Promise<ShownAttempt | undefined> {
  const withCause = without.flatMap((entry) => (entry === offending ? [cause, entry] : [entry]));
  let last: ShownAttempt | undefined;
  // The service may be busy with a write for a while, so all attempts but the first pause after it.
  let effectTakesTime = isWrite(cause);
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    const shownWithIt = () =>
      attempts.shown(withCause, { cause, pausesAfterCause: effectTakesTime && time > 0 });
    // In a fixed order, a service that fails at every second attempt would seem to have this cause.
    const isCauseFirst = time % 2 === 0;
    if (!isCauseFirst && (await attempts.shown(without))) return undefined;
    last = await shownWithIt();
    if (!last) return undefined;
    if (isCauseFirst && (await attempts.shown(without))) {
      if (await alwaysShows(without, attempts)) return undefined;
      effectTakesTime = true;
    }
  }
  return last;
}

async function alwaysShows(steps: readonly Entry[], attempts: Attempts): Promise<boolean> {
  for (let time = 0; time < MOST_LASTING; time++) if (!(await attempts.shown(steps))) return false;
  return true;
}

/** True if the effect of the cause seems to last. A reset may then end it. */
function mayLast(cause: Entry, { operation }: Entry, exchanges: readonly Entry[]): boolean {
  if (!operation?.body) return hasChangedAnswer(cause, exchanges);
  // The last attempt ended with the write, which is still rejected.
  return exchanges.slice(-1).some(isRejected);
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

/** Returns the last attempt if each shows the violation right after the cause, and not after a reset. */
async function shownUntilReset(
  cause: Entry,
  reset: Entry,
  attempts: Attempts,
  offending: Entry,
): Promise<ShownAttempt | undefined> {
  const rest = [reset, offending];
  // If each update is the cause of the next rejection, two updates in a row would show it without this cause.
  const steps = areUpdatesOfOne(cause, offending)
    ? [reset, cause, offending, ...rest]
    : [reset, offending, offending, cause, offending, ...rest];
  const indexAfterCause = steps.indexOf(cause) + 1;
  let last: ShownAttempt | undefined;
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    last = await attempts.shown(steps, { cause, pausesAfterCause: isWrite(cause) });
    if (!last || offendingIn(last) !== last.exchanges[indexAfterCause]) return undefined;
  }
  return last;
}

function areUpdatesOfOne(one: Entry, other: Entry): boolean {
  return one.operation?.kind === "update" && one.request.url === other.request.url;
}
