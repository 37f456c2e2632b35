import type { Check } from "../client/check.ts";
import type { RequestPlan } from "../generators/request.ts";
import { idActedOn } from "../history/actions-done.ts";
import { type Entry, isWrite } from "../history/entry.ts";
import { History } from "../history/history.ts";
import { type Violation, violationIn } from "../history/result.ts";
import { changedField } from "../suites/updates/sighting-rules.ts";
import { Resender, type Sender } from "./sent-again.ts";

const MOST_WAITS_IN_VAIN = 3;

export interface Shrinking {
  history: History;
  target(): { target: Sender; entries(): Entry[] };
  planOf(entry: Entry): RequestPlan;
  /** Earlier reads, whose ids a verdict needs, and one-way changes. */
  known: readonly Entry[];
}

export interface Shrunk {
  entries: Entry[];
  violation: Violation;
}

interface AttemptOptions {
  cause?: Entry;
  pausesAfterCause?: boolean;
}

export class Attempts {
  readonly #check: Check;
  readonly #shrinking: Shrinking;
  /** True if an earlier attempt may have a late effect, so that the consistency timeout must pass first. */
  readonly #pausesBefore: boolean;
  /** The changed field, if the violation is unsteady and reports a change. */
  readonly #changed: string | undefined;
  #requestsLeft: number;
  #waitsInVain = 0;
  shown: { steps: readonly Entry[]; shrunk: Shrunk } | undefined;
  exchanges: readonly Entry[] = [];

  constructor(
    check: Check,
    shrinking: Shrinking,
    {
      mostRequests,
      pausesBefore = false,
      changed,
    }: { mostRequests: number; pausesBefore?: boolean; changed?: string | undefined },
  ) {
    this.#check = check;
    this.#shrinking = shrinking;
    this.#pausesBefore = pausesBefore;
    this.#changed = changed;
    this.#requestsLeft = mostRequests;
  }

  async shows(
    steps: readonly Entry[],
    { cause, pausesAfterCause = false }: AttemptOptions = {},
  ): Promise<boolean> {
    if (steps.length > this.#requestsLeft) return false;
    const { target, entries } = this.#shrinking.target();
    const pause = () => target.pause(target.settings.visibilityDelay);
    const resender = new Resender(target, this.#shrinking);
    if (this.#pausesBefore) await pause();
    for (const step of steps) {
      this.#requestsLeft--;
      await (step === cause ? resender.repeat(step) : resender.send(step));
      // An action may change any field, and its effect may show only in later reads.
      const isActing = idActedOn(target.spec, step) !== undefined;
      if (isActing || (step === cause && pausesAfterCause)) await pause();
    }
    this.exchanges = entries().filter(({ repeats }) => repeats === undefined);
    let judged = this.#judge(target, entries());
    // A late read may show an old value, so it is repeated.
    if (judged === "open" && this.#waitsInVain < MOST_WAITS_IN_VAIN) {
      await pause();
      const last = steps.at(-1);
      this.#requestsLeft--;
      if (last && !isWrite(last)) await resender.send(last);
      judged = this.#judge(target, entries());
      if (typeof judged === "string") this.#waitsInVain++;
    }
    if (typeof judged === "string") return false;
    // The cause itself may look like the violation (if its unique value is taken).
    const causeAgain = cause && this.exchanges[steps.indexOf(cause)];
    if (causeAgain && offendingIn(judged) === causeAgain) return false;
    this.shown = { steps, shrunk: judged };
    return true;
  }

  /** True if reads around the write show the violation. */
  async showsBeside(write: Entry, read: Entry): Promise<boolean> {
    const steps = [read, write, read, read];
    if (steps.length > this.#requestsLeft) return false;
    this.#requestsLeft -= steps.length;
    const { target, entries } = this.#shrinking.target();
    const resender = new Resender(target, this.#shrinking);
    await resender.send(read);
    await Promise.all([resender.send(write), resender.send(read)]);
    await resender.send(read);
    const judged = this.#judge(target, entries());
    if (typeof judged === "string") return false;
    this.shown = { steps, shrunk: judged };
    return true;
  }

  #judge(target: Sender, entries: Entry[]): Shrunk | "open" | "no violation" {
    const { head } = this.#shrinking.history;
    const history = new History(target.spec, head, entries, [...this.#shrinking.known, ...entries]);
    // After fewer requests, another rule may judge the change of the field.
    const violation =
      violationIn(this.#check.verdict(history)) ??
      (this.#changed === undefined ? undefined : changedField(history, this.#changed));
    if (violation) return { entries, violation };
    const isOpen = history.journal.sightings.some(({ standing }) => standing === "open");
    return isOpen ? "open" : "no violation";
  }
}

export function offendingIn({ violation }: Shrunk): Entry | undefined {
  return violation.shownBy.find(({ offending }) => offending !== undefined)?.entry;
}
