import { setMaxListeners } from "node:events";
import { NotTested } from "../check.ts";

export class Ending {
  #interrupted = new AbortController();
  readonly #over = new AbortController();
  #reason: "no-answer" | "control-rejected" = "no-answer";

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
