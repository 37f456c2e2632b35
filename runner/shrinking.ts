/** Finds the shortest history that still shows a violation. */

import { type Check, NotTested } from "../client/check.ts";
import type { RequestPlan } from "../generators/request.ts";
import { type Entry, isAccepted } from "../history/entry.ts";
import { History } from "../history/history.ts";
import { type Violation, violationIn } from "../history/result.ts";
import { Again, isCreation, type Sender } from "./sent-again.ts";
import { isWrite, type Steps, stepsOf } from "./steps-again.ts";

const MOST_REQUESTS = 60;
/** Reads change nothing, so more of them can be tried as the cause. */
const MOST_READS = 100;
const LENGTHS = [1, 2, 4, 8];
/** Requests of all kinds, tried if writes alone don't show the violation. */
const LENGTHS_WITH_READS = [4, 12, 24];
/** Each attempt on a fixture waits for the consistency timeout, so there are fewer. */
const LENGTHS_ON_FIXTURES = [2];
const LENGTHS_WITH_READS_ON_FIXTURES = [8];
const MOST_VAIN_WAITS = 3;
/** With its cause, a violation must show this often, and never without it. */
const TIMES = 4;
/** The effect of a cause (e.g. a lock) may last for some requests. */
const MOST_LASTING = 2;

export interface Shrinking {
  history: History;
  target(): { target: Sender; entries(): Entry[] };
  planOf(entry: Entry): RequestPlan;
  /** Accepted reads of the run, because a verdict needs the ids that they show, and its one-way changes. */
  known: readonly Entry[];
}

export interface Shrunk {
  entries: Entry[];
  violation: Violation;
}

/**
 * On a fixture, an unsteady violation must show four times, because a volatile field seldom changes so often.
 */
export async function shrink(
  check: Check,
  violation: Violation,
  shrinking: Shrinking,
  { isUnsteady = false, isExcused = false } = {},
): Promise<Shrunk | undefined> {
  const steps = stepsOf(violation, shrinking.history);
  const isOfReads = isUnsteady && !steps.isOwn && !steps.core.some(isWrite);
  const needsCause = isExcused || isOfReads;
  if (!needsCause && steps.core.length < 2) return undefined;
  const rests = !needsCause && isUnsteady && !steps.isOwn;
  const search = new Search(check, shrinking, { rests, limit: isOfReads ? MOST_READS : MOST_REQUESTS });
  try {
    if (needsCause) return await search.afterAnother(steps, isExcused);
    await search.run(steps);
    const timesMore = !isUnsteady ? 0 : steps.isOwn ? 1 : TIMES - 1;
    for (let time = 0; time < timesMore; time++) if (!(await search.showsAgain())) return undefined;
    return search.best;
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    return isUnsteady ? undefined : search.best;
  }
}

export async function repeated(check: Check, shrinking: Shrinking): Promise<Shrunk | undefined> {
  const search = new Search(check, shrinking);
  try {
    await search.repeat(shrinking.history.entries);
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
  }
  return search.best;
}

function offendingIn({ violation }: Shrunk): Entry | undefined {
  return violation.shownBy.find(({ offending }) => offending !== undefined)?.entry;
}

function isAnsweredAlike({ response: one }: Entry, { response: other }: Entry): boolean {
  if (!("status" in one && "status" in other)) return false;
  return one.status === other.status && one.body.text === other.body.text;
}

class Search {
  readonly #check: Check;
  readonly #shrinking: Shrinking;
  best: Shrunk | undefined;
  #steps: readonly Entry[] | undefined;
  #sent: Entry[] = [];
  #left: number;
  #vainWaits = 0;
  /** Earlier attempts may have a late effect, so the consistency timeout passes between them. */
  readonly #rests: boolean;

  constructor(check: Check, shrinking: Shrinking, { rests = false, limit = MOST_REQUESTS } = {}) {
    this.#check = check;
    this.#shrinking = shrinking;
    this.#rests = rests;
    this.#left = limit;
  }

  async run({ core, earlier, later, between }: Steps): Promise<void> {
    if (await this.#shows(core, [])) return;
    const lengths = this.#rests ? LENGTHS_ON_FIXTURES : LENGTHS;
    const lengthsWithReads = this.#rests ? LENGTHS_WITH_READS_ON_FIXTURES : LENGTHS_WITH_READS;
    const passes = [
      { before: earlier, lengths },
      { before: later, lengths },
      { before: between, lengths: lengthsWithReads },
    ];
    for (const { before, lengths } of passes)
      for (const [at, length] of lengths.entries()) {
        if (before.length <= (lengths[at - 1] ?? 0)) break;
        const added = before.slice(-length);
        if (await this.#shows(core, added)) return this.#leaveOut(core, added);
      }
  }

  /** Searches for one earlier request that causes the violation. */
  async afterAnother(
    { core, offending, causes, reset }: Steps,
    passes: boolean,
  ): Promise<Shrunk | undefined> {
    const before = offending && core[core.indexOf(offending) - 1];
    // If the violation shows at once, only the write before it can be the cause.
    if (before && isWrite(before) && !isCreation(before) && (await this.#showsInOrder(core))) {
      const others = core.filter((entry) => entry !== before);
      return (await this.#isCausedBy(others, before, offending)) ? this.best : undefined;
    }
    for (const cause of causes) {
      if (await this.#isCausedBy(core, cause, offending)) return this.best;
      if (!passes || !offending || !reset || !this.#isTurned(cause)) continue;
      if (await this.#isTurnedBy(offending, { cause, reset })) return this.best;
    }
    return undefined;
  }

  /** True if equal requests before and after the cause were answered differently. */
  #isTurned(cause: Entry): boolean {
    const at = this.#sent.findIndex(({ request }) => request.url === cause.request.url);
    const [before, after] = [this.#sent[at - 1], this.#sent[at + 1]];
    return before !== undefined && after !== undefined && !isAnsweredAlike(before, after);
  }

  /** True if only the cause changes the answer, and only `reset` changes it back. */
  async #isTurnedBy(read: Entry, { cause, reset }: { cause: Entry; reset: Entry }): Promise<boolean> {
    const steps = [reset, read, read, cause, read, reset, read];
    for (let time = 0; time < TIMES; time++) {
      if (!(await this.#showsInOrder(steps, { cause }))) return false;
      const turned = this.best && offendingIn(this.best);
      if (turned !== this.#sent[steps.indexOf(cause) + 1]) return false;
    }
    return true;
  }

  async #isCausedBy(alone: readonly Entry[], cause: Entry, offending?: Entry): Promise<boolean> {
    const after = alone.flatMap((entry) => (entry === offending ? [cause, entry] : entry));
    let isBusyAfter = isWrite(cause) && isAccepted(cause);
    for (let time = 0; time < TIMES; time++) {
      // A service may still process a write, so later attempts pause after it.
      const rests = isBusyAfter && time > 0;
      // The order alternates, because a service that fails at every second request would look the same.
      const tries = time % 2 === 0 ? [after, alone] : [alone, after];
      for (const [at, steps] of tries.entries()) {
        let shows = await this.#showsInOrder(steps, { cause, rests });
        if (shows && steps === alone && at > 0) {
          isBusyAfter = true;
          shows = await this.#lasts(alone);
        }
        if (shows !== (steps === after)) return false;
      }
    }
    return true;
  }

  async #lasts(steps: readonly Entry[]): Promise<boolean> {
    for (let time = 0; time < MOST_LASTING; time++) if (!(await this.#showsInOrder(steps))) return false;
    return true;
  }

  async repeat(steps: readonly Entry[]): Promise<void> {
    await this.#showsInOrder(steps);
  }

  async showsAgain(): Promise<boolean> {
    return this.#steps !== undefined && this.#showsInOrder(this.#steps);
  }

  async #leaveOut(core: readonly Entry[], added: readonly Entry[]): Promise<void> {
    let kept = [...added];
    for (const one of added) {
      const without = kept.filter((other) => other !== one);
      if (await this.#shows(core, without)) kept = without;
    }
  }

  async #shows(core: readonly Entry[], added: readonly Entry[]): Promise<boolean> {
    return this.#showsInOrder([...core, ...added].sort((one, other) => one.index - other.index));
  }

  async #showsInOrder(
    steps: readonly Entry[],
    { cause, rests = false }: { cause?: Entry; rests?: boolean } = {},
  ): Promise<boolean> {
    if (steps.length > this.#left) return false;
    const { target, entries } = this.#shrinking.target();
    const again = new Again(target, this.#shrinking);
    if (this.#rests) await target.pause(target.settings.visibilityDelay);
    for (const step of steps) {
      this.#left--;
      await (step === cause ? again.repeat(step) : again.send(step));
      if (step === cause && rests) await target.pause(target.settings.visibilityDelay);
    }
    this.#sent = entries().filter(({ repeats }) => repeats === undefined);
    let shrunk = this.#judged(target, entries());
    // A late read may show an old value, so it is repeated.
    if (shrunk === "open" && this.#vainWaits < MOST_VAIN_WAITS) {
      await target.pause(target.settings.visibilityDelay);
      const last = steps.at(-1);
      this.#left--;
      if (last?.request.method === "GET") await again.send(last);
      shrunk = this.#judged(target, entries());
      if (shrunk === "open" || shrunk === undefined) this.#vainWaits++;
    }
    if (shrunk === "open" || shrunk === undefined) return false;
    // Alone, the cause may look like the violation, e.g. because its unique value is taken.
    const causeAgain = cause && this.#sent[steps.indexOf(cause)];
    if (causeAgain && offendingIn(shrunk) === causeAgain) return false;
    this.best = shrunk;
    this.#steps = steps;
    return true;
  }

  #judged(target: Sender, entries: Entry[]): Shrunk | "open" | undefined {
    const { head } = this.#shrinking.history;
    const history = new History(target.spec, head, entries, [...this.#shrinking.known, ...entries]);
    const violation = violationIn(this.#check.verdict(history));
    if (violation) return { entries, violation };
    const isOpen = history.journal.sightings.some(({ standing }) => standing === "open");
    return isOpen ? "open" : undefined;
  }
}
