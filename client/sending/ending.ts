import { setMaxListeners } from "node:events";
import { NotTested } from "../check.ts";

/** Milliseconds after an interruption. CI servers kill a run soon after they interrupt it. */
const LONGEST_JUDGING_MS = 3_000;

export class Ending {
  #interrupted = new AbortController();
  readonly #over = new AbortController();
  #reason: "no-answer" | "control-rejected" = "no-answer";
  #judgeUntil = Number.POSITIVE_INFINITY;

  constructor() {
    setMaxListeners(0, this.#interrupted.signal, this.#over.signal, this.signal);
  }

  get interrupted(): AbortSignal {
    return this.#interrupted.signal;
  }

  get isOver(): boolean {
    return this.#interrupted.signal.aborted || this.#over.signal.aborted;
  }

  get endedBecause(): string | undefined {
    return this.#over.signal.aborted ? String(this.#over.signal.reason) : undefined;
  }

  signal = AbortSignal.any([this.#interrupted.signal, this.#over.signal]);

  /** Allows requests for this number of milliseconds after an interruption. */
  allowCleanUp(milliseconds: number): void {
    if (!this.#interrupted.signal.aborted || this.#over.signal.aborted) return;
    this.#interrupted = new AbortController();
    const { signal } = this.#interrupted;
    setMaxListeners(0, signal);
    setTimeout(() => this.interrupt(), milliseconds).unref();
    this.signal = AbortSignal.any([signal, this.#over.signal]);
    setMaxListeners(0, this.signal);
  }

  interrupt(): void {
    this.#judgeUntil = Math.min(this.#judgeUntil, performance.now() + LONGEST_JUDGING_MS);
    this.#interrupted.abort();
  }

  /**
   * Checks that the run was not interrupted.
   * @throws NotTested after an interruption: at once if a confirmation is judged, which lacks requests
   */
  refuseLateJudging(isConfirming: boolean): void {
    const isLate = performance.now() > this.#judgeUntil;
    if (isLate || (isConfirming && this.#interrupted.signal.aborted))
      throw new NotTested("interrupted", "the run ended before this was judged");
  }

  end(reason: "no-answer" | "control-rejected", why: string): void {
    if (this.#over.signal.aborted) return;
    this.#reason = reason;
    this.#over.abort(why);
  }

  whyNotSent(): NotTested | undefined {
    if (this.#over.signal.aborted) return new NotTested(this.#reason, String(this.#over.signal.reason));
    if (this.#interrupted.signal.aborted) return new NotTested("interrupted", "the run was interrupted");
    return undefined;
  }
}
