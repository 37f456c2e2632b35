import { setMaxListeners } from "node:events";
import { Untestable } from "../check.ts";

export class Ending {
  #interrupted = new AbortController();
  readonly #over = new AbortController();
  #reason: "no-answer" | "control-rejected" = "no-answer";

  constructor() {
    // Every request in flight adds a listener.
    setMaxListeners(0, this.#interrupted.signal, this.#over.signal, this.signal);
  }

  /** Aborted when the user ends the run. Running requests are then aborted too. */
  get interrupted(): AbortSignal {
    return this.#interrupted.signal;
  }

  get isOver(): boolean {
    return this.#interrupted.signal.aborted || this.#over.signal.aborted;
  }

  /** Undefined while the run goes on, or if the user ended it. */
  get endedBecause(): string | undefined {
    return this.#over.signal.aborted ? String(this.#over.signal.reason) : undefined;
  }

  signal = AbortSignal.any([this.#interrupted.signal, this.#over.signal]);

  /**
   * Lets the cleanup send requests for `milliseconds` after an interruption. Does nothing if the service is
   * gone.
   */
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
    this.#interrupted.abort();
  }

  /** The service is gone (`no-answer`), or rejects requests that it accepted before (`control-rejected`). */
  end(reason: "no-answer" | "control-rejected", why: string): void {
    if (this.#over.signal.aborted) return;
    this.#reason = reason;
    this.#over.abort(why);
  }

  /** The error for a check that wants to send; undefined while the run goes on. */
  refusal(): Untestable | undefined {
    if (this.#over.signal.aborted) return new Untestable(this.#reason, String(this.#over.signal.reason));
    if (this.#interrupted.signal.aborted) return new Untestable("interrupted", "the run was interrupted");
    return undefined;
  }
}
