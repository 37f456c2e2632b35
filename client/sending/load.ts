/** What keeps the load on the target within bounds: requests in flight, requests a second, and in all. */

import { setTimeout as sleep } from "node:timers/promises";

export class Gate {
  readonly #concurrency: number;
  readonly #interval: number;
  readonly #budget: number;
  #inFlight = 0;
  #sent = 0;
  #nextSlot = 0;
  #pausedUntil = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: { concurrency: number; rate?: number | undefined; maxRequests?: number | undefined }) {
    this.#concurrency = limits.concurrency;
    this.#interval = limits.rate === undefined ? 0 : 1000 / limits.rate;
    this.#budget = limits.maxRequests ?? Number.POSITIVE_INFINITY;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Waits for a place, takes it, and counts the request. False when the budget is spent: nothing may be sent. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (this.#sent >= this.#budget) return false;
    if (this.#inFlight >= this.#concurrency)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inFlight++;
    await this.#turn(signal);
    if (this.#sent >= this.#budget || signal.aborted) {
      this.leave();
      return false;
    }
    this.#sent++;
    return true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inFlight--;
  }

  /** Holds every request back for a while; the service asked for it. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + milliseconds);
  }

  /** Waits out a pause, then for a slot of the rate; a pause that begins meanwhile is waited out too. */
  async #turn(signal: AbortSignal): Promise<void> {
    do {
      while (this.#pausedUntil > Date.now() && !signal.aborted)
        await wait(this.#pausedUntil - Date.now(), signal);
      if (this.#interval === 0) return;
      const slot = Math.max(Date.now(), this.#nextSlot);
      this.#nextSlot = slot + this.#interval;
      await wait(slot - Date.now(), signal);
    } while (this.#pausedUntil > Date.now() && !signal.aborted);
  }
}

/** Waits, or returns at once when the run is interrupted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
