/** What keeps the load on the target within bounds: requests in flight, requests a second, and in all. */

import { setTimeout as sleep } from "node:timers/promises";
import { Untestable } from "../check.ts";
import type { Ending } from "./ending.ts";
import type { Sender } from "./sender.ts";

/** Milliseconds for which a Retry-After is waited for at the most, unless the user says otherwise. */
const LONGEST_WAIT = 120_000;

/** Sends when there is room for it. Throws Untestable (budget, left-out, or why the run ended) when nothing may be sent. */
export function withinLoad(next: Sender, load: Load, ending: Ending): Sender {
  return async (outgoing, use) => {
    // What queues when the run ends is not sent any more.
    if (!(await load.enter(ending.signal, use.urgent)))
      throw (
        ending.refusal() ??
        (load.isLate
          ? new Untestable("left-out", "the time of --within is over")
          : new Untestable("budget", `the budget of ${load.budget} requests is spent (--max-requests)`))
      );
    try {
      return await next(outgoing, use);
    } finally {
      load.leave();
    }
  };
}

/** Nothing is simultaneous with fewer than two requests in flight. */
const LEAST_AT_ONCE = 2;
/** Milliseconds for which the effect of having fewer requests in flight is waited for. */
const SETTLING = 1_000;

export class Load {
  #concurrency: number;
  #easedAt = Number.NEGATIVE_INFINITY;
  readonly #interval: number;
  /** Most requests in all. */
  readonly budget: number;
  /** Most milliseconds to wait for a Retry-After. */
  readonly longestWait: number;
  /** Whether the user said how long a wait may be. */
  readonly isPatient: boolean;
  /** When nothing more is sent, on the clock of `performance.now()`. */
  #until: number;
  #inFlight = 0;
  #sent = 0;
  #nextSlot = 0;
  #pausedUntil = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #urgent: (() => void)[] = [];

  constructor(limits: {
    concurrency: number;
    rate?: number | undefined;
    maxRequests?: number | undefined;
    maxWait?: number | undefined;
    within?: number | undefined;
  }) {
    this.longestWait = limits.maxWait ?? LONGEST_WAIT;
    this.isPatient = limits.maxWait !== undefined;
    this.#until = performance.now() + (limits.within ?? Number.POSITIVE_INFINITY);
    this.#concurrency = limits.concurrency;
    this.#interval = limits.rate === undefined ? 0 : 1000 / limits.rate;
    this.budget = limits.maxRequests ?? Number.POSITIVE_INFINITY;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Whether the time is over in which requests may be sent. */
  get isLate(): boolean {
    return performance.now() > this.#until;
  }

  /** Lets requests be sent after the time too: created resources have to be left harmless. */
  allowLate(): void {
    this.#until = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds for which every request is still held back; 0 when none is. */
  get pausedFor(): number {
    return Math.max(0, this.#pausedUntil - Date.now());
  }

  /**
   * Waits for a place, takes it, and counts the request; what is urgent waits for no other. False when the budget is
   * spent: nothing may be sent.
   */
  async enter(signal: AbortSignal, urgent = false): Promise<boolean> {
    if (this.#sent >= this.budget || this.isLate) return false;
    if (this.#inFlight >= this.#concurrency)
      await new Promise<void>((resolve) => (urgent ? this.#urgent : this.#waiting).push(resolve));
    else this.#inFlight++;
    await this.#turn(signal);
    if (this.#sent >= this.budget || this.isLate || signal.aborted) {
      this.leave();
      return false;
    }
    this.#sent++;
    return true;
  }

  leave(): void {
    const next =
      this.#inFlight > this.#concurrency ? undefined : (this.#urgent.shift() ?? this.#waiting.shift());
    if (next) next();
    else this.#inFlight--;
  }

  /** Has half as many requests in flight from now on: the service takes no more of them at the same time. */
  ease(): void {
    if (Date.now() - this.#easedAt < SETTLING) return;
    this.#easedAt = Date.now();
    this.#concurrency = Math.min(
      this.#concurrency,
      Math.max(LEAST_AT_ONCE, Math.floor(this.#concurrency / 2)),
    );
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

/** Seconds, or an HTTP date, and nothing else that a lenient reader would take for one. */
const SECONDS = /^\d+$/;
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/;

/**
 * Retry-After in milliseconds: seconds, or a date (RFC 9110 section 10.2.3), which is one by the service's own clock
 * where its answer tells the time. Undefined where it says neither.
 */
export function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const named = headers["retry-after"]?.trim() ?? "";
  if (SECONDS.test(named)) return Number(named) * 1000;
  const date = HTTP_DATE.test(named) ? Date.parse(named) : Number.NaN;
  const sent = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(sent) ? Date.now() : sent));
}
