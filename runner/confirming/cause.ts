import {
  ABOUT_ACCESS,
  type Entry,
  hasExcusedStatus,
  hasSameCaller,
  isRejected,
  isWrite,
  statusOf,
} from "../../history/entry.ts";
import { definedOnly } from "../../spec/defined-only.ts";
import { type Attempt, type Attempts, offendingIn, type ShownAttempt } from "./attempts.ts";
import { isCreation } from "./sent-again.ts";
import type { Steps } from "./steps.ts";

/** The violation must show in this many attempts with the cause, and in none without. */
export const ATTEMPTS_WITH_CAUSE = 4;
/** The field of an excused violation may change by itself, so more attempts are needed. */
const ATTEMPTS_IF_EXCUSED = 6;
/** A lasting effect may show in this many attempts without the cause. */
const MOST_LASTING = 2;

/** A field that changes by itself hardly shows the same two values in six histories. */
const ALIKE_HISTORIES = 6;

/** Returns the violation with its cause. If excused, the effect of the cause may last until a reset. */
export async function shownWithCause(
  attempts: Attempts,
  steps: Steps,
  { isExcused }: { isExcused: boolean },
): Promise<ShownAttempt | undefined> {
  const { offending, causes, reset, readsBetween } = steps;
  const core = withSecondCreate(steps);
  const times = isExcused && !steps.isOwn ? ATTEMPTS_IF_EXCUSED : ATTEMPTS_WITH_CAUSE;
  const updateBefore = updateJustBefore(offending, core);
  // If the core alone shows the violation, only the update just before can be the cause.
  if (updateBefore && (await attempts.shown(core))) {
    const others = core.filter((entry) => entry !== updateBefore);
    return shownOnlyWith([updateBefore], attempts, others, offending, times);
  }
  const alike = core.some(isWrite)
    ? undefined
    : ((await rejectedEachTime(attempts, core, offending)) ?? (await shownAlike(attempts, core)));
  if (alike) return alike;
  // A faulty service may remember a few reads only, such as the last cursors.
  const forgotten =
    readsBetween.length > 1 ? await shownOnlyWith(readsBetween, attempts, core, offending, times) : undefined;
  if (forgotten) return forgotten;
  for (const { cause, before } of causes) {
    const shown = await shownOnlyWith([cause], attempts, core, before, times);
    if (shown) return shown;
    if (!isExcused || !offending || !reset || !mayLast(cause, offending, attempts.last)) continue;
    const changed = await shownUntilReset(cause, reset, attempts, offending);
    if (changed) return changed;
  }
  return undefined;
}

/** Returns the core, and after a single rejected create another one, which shows that no quota explains it. */
function withSecondCreate({ core, offending, reset, twin }: Steps): readonly Entry[] {
  const isRejectedCreate = offending?.operation?.kind === "create" && isRejected(offending);
  return isRejectedCreate && core.length === 1 ? [offending, twin ?? reset ?? offending] : core;
}

/**
 * Returns the history of a valid read if it is rejected in every attempt, or `undefined`. Its cause may have lasted since
 * it was rejected first. A firewall may refuse access for a while, and a resource that is not found may be gone.
 */
async function rejectedEachTime(
  attempts: Attempts,
  core: readonly Entry[],
  offending: Entry | undefined,
): Promise<ShownAttempt | undefined> {
  if (!offending || !isRejected(offending) || hasExcusedStatus(offending)) return undefined;
  if (ABOUT_ACCESS.has(statusOf(offending))) return undefined;
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    const shown = await attempts.shown(core);
    if (!shown || statusOf(offendingIn(shown) ?? offending) !== statusOf(offending)) return undefined;
  }
  return attempts.lastShown;
}

/**
 * Returns the history that shows the violation alike several times, or `undefined`. A faulty service may
 * answer the second read on a connection otherwise. Each history has its own connection, so each shows the
 * same. Single reads between the histories prevent that a field which alternates does so, too.
 */
async function shownAlike(attempts: Attempts, core: readonly Entry[]): Promise<ShownAttempt | undefined> {
  const first = await attempts.shown(core);
  if (!first || !hasDifferingAnswers(first.exchanges)) return undefined;
  for (let time = 1; time < ALIKE_HISTORIES; time++) {
    for (let single = 0; single < 2 - (time % 2); single++) await attempts.shown(core.slice(0, 1));
    const shown = await attempts.shown(core);
    if (!shown || !areAnsweredAlike(shown.exchanges, first.exchanges)) return undefined;
  }
  return first;
}

function updateJustBefore(offending: Entry | undefined, core: readonly Entry[]): Entry | undefined {
  const before = offending && core[core.indexOf(offending) - 1];
  return before && isWrite(before) && !isCreation(before) ? before : undefined;
}

/** Returns the last attempt if the violation shows with the causes, and not always without them. */
async function shownOnlyWith(
  causes: readonly Entry[],
  attempts: Attempts,
  without: readonly Entry[],
  offending: Entry | undefined,
  times: number,
): Promise<ShownAttempt | undefined> {
  const place = offending ? without.indexOf(offending) : -1;
  const withCause = place === -1 ? without : without.toSpliced(place, 0, ...causes);
  const [cause] = causes.length === 1 ? causes : [];
  let last: ShownAttempt | undefined;
  // A write may keep the service busy, so later attempts pause after it.
  let effectTakesTime = causes.some(isWrite);
  for (let time = 0; time < times; time++) {
    const shownWithIt = () =>
      attempts.shown(withCause, { ...definedOnly({ cause }), pausesAfterCause: effectTakesTime && time > 0 });
    // In a fixed order, a service that fails every second time seems to have this cause.
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

function mayLast(cause: Entry, { operation }: Entry, last: Attempt): boolean {
  if (!operation?.body) return hasChangedAnswer(cause, last);
  // The last attempt ended with the write, which is still rejected.
  return last.exchanges.slice(-1).some(isRejected);
}

function hasChangedAnswer(cause: Entry, { steps, exchanges }: Attempt): boolean {
  const index = steps.indexOf(cause);
  const before = exchanges[index - 1];
  const after = exchanges[index + 1];
  return before !== undefined && after !== undefined && !isAnsweredAlike(before, after);
}

function hasDifferingAnswers(exchanges: readonly Entry[]): boolean {
  return exchanges.some((one) =>
    exchanges.some((other) => isSameRequest(one, other) && !isAnsweredAlike(one, other)),
  );
}

function isSameRequest(one: Entry, other: Entry): boolean {
  return one.request.url === other.request.url && one.version === other.version && hasSameCaller(one, other);
}

function areAnsweredAlike(some: readonly Entry[], others: readonly Entry[]): boolean {
  return some.every((one, index) => {
    const other = others[index];
    return other !== undefined && isAnsweredAlike(one, other);
  });
}

function isAnsweredAlike({ response: one }: Entry, { response: other }: Entry): boolean {
  if (!("status" in one && "status" in other)) return false;
  return one.status === other.status && one.body.text === other.body.text;
}

/** Returns the last attempt if all show the violation after the cause, and none after a reset. */
async function shownUntilReset(
  cause: Entry,
  reset: Entry,
  attempts: Attempts,
  offending: Entry,
): Promise<ShownAttempt | undefined> {
  const rest = [reset, offending];
  // Updates of one resource may cause each other's rejection, so these are not sent twice in a row.
  const steps = areUpdatesOfOne(cause, offending)
    ? [reset, cause, offending, ...rest]
    : [reset, offending, offending, cause, offending, ...rest];
  const indexAfterCause = steps.indexOf(cause) + 1;
  let last: ShownAttempt | undefined;
  for (let time = 0; time < ATTEMPTS_WITH_CAUSE; time++) {
    last = await attempts.shown(steps, { cause, pausesAfterCause: isWrite(cause) });
    if (!last || offendingIn(last) !== last.exchanges[indexAfterCause]) return undefined;
    // A service that is busy after each write also rejects the others.
    const { exchanges } = last;
    const isOther = (_: unknown, index: number) => steps[index] === offending && index !== indexAfterCause;
    if (exchanges.filter(isOther).some(isRejected)) return undefined;
  }
  return last;
}

function areUpdatesOfOne(one: Entry, other: Entry): boolean {
  return one.operation?.kind === "update" && one.request.url === other.request.url;
}
