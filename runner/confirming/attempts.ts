import type { Check } from "../../client/check.ts";
import type { RequestPlan } from "../../generators/request.ts";
import { idActedOn } from "../../history/answers/actions-done.ts";
import { type Entry, isAccepted, isWrite } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { type Violation, violationIn } from "../../history/result.ts";
import { changedField } from "../../suites/updates/sighting-rules.ts";
import { Resender, type Sender } from "./sent-again.ts";

const MOST_WAITS_IN_VAIN = 3;
/** Longer than the period of most jobs that change a field again and again. */
const LONGEST_RANDOM_PAUSE_MS = 120;

/** A history, and how its requests are sent again. */
export interface Resending {
  history: History;
  target(): { target: Sender; entries(): Entry[] };
  planOf(entry: Entry): RequestPlan;
  /** Accepted reads and one-way changes, which rules need. */
  known: readonly Entry[];
}

export interface ShownHistory {
  entries: Entry[];
  violation: Violation;
}

export interface Attempt {
  steps: readonly Entry[];
  /** The exchanges of the steps, in the same order. */
  exchanges: readonly Entry[];
}

export interface ShownAttempt extends ShownHistory, Attempt {}

interface CauseOptions {
  cause?: Entry;
  pausesAfterCause?: boolean;
}

interface AttemptsOptions {
  mostRequests: number;
  /** True to wait before each attempt, because earlier writes may show late. */
  pausesBefore?: boolean;
  pausesAfterCreates?: boolean;
  /** True to wait for a random time before each attempt, so that a job of the service can't keep step with them. */
  pausesAtRandom?: boolean;
  /** The changed field of an unsteady violation. */
  changed?: string | undefined;
}

/** Sends steps of a history again and judges the answers. */
export class Attempts {
  #waitsInVain = 0;
  requestsLeft: number;
  lastShown: ShownAttempt | undefined;
  last: Attempt = { steps: [], exchanges: [] };

  constructor(
    private readonly check: Check,
    private readonly resending: Resending,
    private readonly options: AttemptsOptions,
  ) {
    this.requestsLeft = options.mostRequests;
  }

  /** Returns the attempt, or `undefined` if the violation does not show, or needs too many requests. */
  async shown(steps: readonly Entry[], options: CauseOptions = {}): Promise<ShownAttempt | undefined> {
    if (steps.length > this.requestsLeft) return undefined;
    const { target, entries } = this.resending.target();
    const { resender, exchanges } = await this.#send(target, steps, options, entries);
    this.last = { steps, exchanges };
    const causeAgain = options.cause && exchanges[steps.indexOf(options.cause)];
    // A repeated create may be rejected because its unique value is taken, which is no violation.
    const isTaken = causeAgain?.operation?.kind === "create" && !isAccepted(causeAgain);
    const judge = () =>
      this.#judge(
        target,
        entries().filter((entry) => !isTaken || entry !== causeAgain),
      );
    let judged = judge();
    if (judged === "open" && this.#waitsInVain < MOST_WAITS_IN_VAIN) {
      await target.pause(target.settings.visibilityDelay);
      const last = steps.at(-1);
      // The last read may have come too early.
      if (last && !isWrite(last)) await this.#counted(entries, () => resender.send(last));
      judged = judge();
      if (typeof judged === "string") this.#waitsInVain++;
    }
    if (typeof judged === "string") return undefined;
    if (causeAgain && offendingIn(judged) === causeAgain) return undefined;
    this.lastShown = { ...judged, entries: entries(), steps, exchanges };
    return this.lastShown;
  }

  /** Sends the steps, with pauses for late writes. Returns the last sender, and each exchange. */
  async #send(
    target: Sender,
    steps: readonly Entry[],
    { cause, pausesAfterCause = false }: CauseOptions,
    entries: () => Entry[],
  ): Promise<{ resender: Resender; exchanges: Entry[] }> {
    const { pausesBefore = false, pausesAfterCreates = false, pausesAtRandom = false } = this.options;
    const pause = () => target.pause(target.settings.visibilityDelay);
    let resender = new Resender(target, this.resending);
    const exchanges: Entry[] = [];
    if (pausesBefore) await pause();
    if (pausesAtRandom) await target.pause(Math.round(Math.random() * LONGEST_RANDOM_PAUSE_MS));
    for (const [index, step] of steps.entries()) {
      const isCreate = step.operation?.kind === "create";
      // Another create needs other unique values.
      if (isCreate && steps.indexOf(step) < index) resender = new Resender(target, this.resending);
      const again = step === cause ? () => resender.repeat(step) : () => resender.send(step);
      exchanges.push(...(await this.#counted(entries, again)).slice(0, 1));
      // An action may change any field, and reads may show it late.
      const isAction = idActedOn(target.spec, step) !== undefined;
      if (isAction || (isCreate && pausesAfterCreates) || (step === cause && pausesAfterCause)) await pause();
    }
    return { resender, exchanges };
  }

  /** Sends, counts the requests, and returns their exchanges. */
  async #counted(entries: () => Entry[], send: () => Promise<void>): Promise<Entry[]> {
    const before = entries().length;
    await send();
    const sent = entries()
      .slice(before)
      .filter(({ repeats }) => repeats === undefined);
    this.requestsLeft -= sent.length;
    return sent;
  }

  /** Sends the write and the read at the same time. Returns the attempt if it shows the violation. */
  async shownBeside(write: Entry, read: Entry): Promise<ShownAttempt | undefined> {
    const steps = [read, write, read, read];
    if (steps.length > this.requestsLeft) return undefined;
    this.requestsLeft -= steps.length;
    const { target, entries } = this.resending.target();
    const resender = new Resender(target, this.resending);
    await resender.send(read);
    await Promise.all([resender.send(write), resender.send(read)]);
    await resender.send(read);
    const judged = this.#judge(target, entries());
    if (typeof judged === "string") return undefined;
    this.lastShown = { ...judged, steps, exchanges: entries() };
    return this.lastShown;
  }

  #judge(target: Sender, entries: Entry[]): ShownHistory | "open" | "no violation" {
    const { head } = this.resending.history;
    const history = new History(target.spec, head, entries, [...this.resending.known, ...entries]);
    const { changed } = this.options;
    // In a shorter history, another rule may judge the changed field.
    const violation =
      violationIn(this.check.verdict(history)) ??
      (changed === undefined ? undefined : changedField(history, changed));
    if (violation) return { entries, violation };
    const isOpen = history.journal.sightings.some(({ standing }) => standing === "open");
    return isOpen ? "open" : "no violation";
  }
}

export function offendingIn({ violation }: ShownHistory): Entry | undefined {
  return violation.shownBy.find(({ offending }) => offending !== undefined)?.entry;
}
