/** Why nothing more is sent: the user ended the run, the service is gone, or it no longer takes the token. */

import { setMaxListeners } from "node:events";
import { Untestable } from "../check.ts";

export class Ending {
  #interrupted = new AbortController();
  readonly #over = new AbortController();
  #reason: "no-answer" | "control-rejected" = "no-answer";

  constructor() {
    // Every request in flight listens.
    setMaxListeners(0, this.#interrupted.signal, this.#over.signal, this.signal);
  }

  /** Aborted when the user ends the run: what is in flight is given up. */
  get interrupted(): AbortSignal {
    return this.#interrupted.signal;
  }

  /** Whether nothing more is to be sent, whoever ended it. */
  get isOver(): boolean {
    return this.#interrupted.signal.aborted || this.#over.signal.aborted;
  }

  /** Why asking on has no sense; undefined while it has, or when it is the user who ended the run. */
  get endedBecause(): string | undefined {
    return this.#over.signal.aborted ? String(this.#over.signal.reason) : undefined;
  }

  /** Aborted when nothing more is to be sent. */
  signal = AbortSignal.any([this.#interrupted.signal, this.#over.signal]);

  /**
   * What was created is left harmless though the user ended the run: for so many milliseconds requests are sent again.
   * Not where asking on has no sense.
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

  /** The user ends the run. */
  interrupt(): void {
    this.#interrupted.abort();
  }

  /** Asking on has no sense: the service is gone (`no-answer`), or refuses what it accepted (`control-rejected`). */
  end(reason: "no-answer" | "control-rejected", why: string): void {
    if (this.#over.signal.aborted) return;
    this.#reason = reason;
    this.#over.abort(why);
  }

  /** What a check that wanted to send is told; undefined while there is no end. */
  refusal(): Untestable | undefined {
    if (this.#over.signal.aborted) return new Untestable(this.#reason, String(this.#over.signal.reason));
    if (this.#interrupted.signal.aborted) return new Untestable("interrupted", "the run was interrupted");
    return undefined;
  }
}
