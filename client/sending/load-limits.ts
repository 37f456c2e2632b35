import { setTimeout as sleep } from "node:timers/promises";
import { NotTested } from "../check.ts";
import type { Ending } from "./ending.ts";
import type { RequestKind, RequestOrder } from "./request-order.ts";
import type { Outgoing, Sender } from "./sender.ts";

const LONGEST_WAIT_MS = 120_000;

/**
 * Returns a sender that waits until the limits on rate, concurrency and number allow a request. `kindOf` helps
 * to order the requests that wait.
 * @throws NotTested if no more requests may be sent
 */
export function withinLoad(
  next: Sender,
  load: Load,
  ending: Ending,
  kindOf: (outgoing: Outgoing) => RequestKind | undefined = () => undefined,
): Sender {
  return async (outgoing, use) => {
    if (!(await load.enter(ending.signal, use.urgent, kindOf(outgoing))))
      throw (
        ending.whyNotSent() ??
        (load.isLate
          ? new NotTested("left-out", "the time of --within is over")
          : new NotTested("budget", `the budget of ${load.budget} requests is spent (--max-requests)`, [], {
              raise: "--max-requests",
            }))
      );
    try {
      return await next(outgoing, use);
    } finally {
      load.leave();
    }
  };
}

/** Some probes need two requests at the same time. */
const LEAST_CONCURRENCY = 2;
const SETTLING_MS = 1_000;

export class Load {
  #concurrency: number;
  #easedAt = Number.NEGATIVE_INFINITY;
  readonly #interval: number;
  readonly budget: number;
  readonly longestWait: number;
  readonly hasMaxWait: boolean;
  #until: number;
  #inFlight = 0;
  #sent = 0;
  #nextSlot = 0;
  #pausedUntil = 0;
  readonly #waiting: { kind: RequestKind | undefined; go: () => void }[] = [];
  readonly #urgent: (() => void)[] = [];
  readonly #order: RequestOrder | undefined;

  constructor(limits: {
    concurrency: number;
    rate?: number | undefined;
    maxRequests?: number | undefined;
    maxWait?: number | undefined;
    within?: number | undefined;
    order?: RequestOrder | undefined;
  }) {
    this.#order = limits.order;
    this.longestWait = limits.maxWait ?? LONGEST_WAIT_MS;
    this.hasMaxWait = limits.maxWait !== undefined;
    this.#until = performance.now() + (limits.within ?? Number.POSITIVE_INFINITY);
    this.#concurrency = limits.concurrency;
    this.#interval = limits.rate === undefined ? 0 : 1000 / limits.rate;
    this.budget = limits.maxRequests ?? Number.POSITIVE_INFINITY;
  }

  get sent(): number {
    return this.#sent;
  }

  get isLate(): boolean {
    return performance.now() > this.#until;
  }

  allowLate(): void {
    this.#until = Number.POSITIVE_INFINITY;
  }

  get pausedFor(): number {
    return Math.max(0, this.#pausedUntil - Date.now());
  }

  /** Waits until a request may be sent. False if none may be sent any more. */
  async enter(signal: AbortSignal, urgent = false, kind?: RequestKind): Promise<boolean> {
    if (this.#sent >= this.budget || this.isLate) return false;
    if (this.#inFlight >= this.#concurrency)
      await new Promise<void>((go) => (urgent ? this.#urgent.push(go) : this.#waiting.push({ kind, go })));
    else this.#inFlight++;
    this.#order?.sent(kind);
    await this.#waitForTurn(signal);
    if (this.#sent >= this.budget || this.isLate || signal.aborted) {
      this.leave();
      return false;
    }
    this.#sent++;
    return true;
  }

  leave(): void {
    const next =
      this.#inFlight > this.#concurrency ? undefined : (this.#urgent.shift() ?? this.#nextWaiting());
    if (next) next();
    else this.#inFlight--;
  }

  #nextWaiting(): (() => void) | undefined {
    if (this.#waiting.length === 0) return undefined;
    const place = this.#order?.nextOf(this.#waiting.map(({ kind }) => kind)) ?? 0;
    return this.#waiting.splice(place, 1)[0]?.go;
  }

  /** Halves the number of simultaneous requests after a rate limit, at most once a second. */
  ease(): void {
    if (Date.now() - this.#easedAt < SETTLING_MS) return;
    this.#easedAt = Date.now();
    this.#concurrency = Math.min(
      this.#concurrency,
      Math.max(LEAST_CONCURRENCY, Math.floor(this.#concurrency / 2)),
    );
  }

  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + milliseconds);
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
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

/** Ends early, without an error, if the signal aborts. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Forms of Retry-After. `Date.parse` accepts more than RFC 9110. */
const SECONDS = /^\d+$/;
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/;

/** Returns milliseconds. A date is relative to the Date header (RFC 9110 section 10.2.3). */
export function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const named = headers["retry-after"]?.trim() ?? "";
  if (SECONDS.test(named)) return Number(named) * 1000;
  const date = HTTP_DATE.test(named) ? Date.parse(named) : Number.NaN;
  const sent = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(sent) ? Date.now() : sent));
}
