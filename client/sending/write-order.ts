import { NOT_FOUND } from "../../history/entry.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { SIMULTANEOUS } from "../target.ts";
import { wait } from "./load-limits.ts";
import type { Outgoing, Sender } from "./sender.ts";

const IN_THE_WAY: ReadonlySet<number> = new Set([409, 423, 425]);

const FIRST_PAUSE_MS = 40;
const LASTING_AFTER = 2;

/** Sends an update again while its resource is busy (409), or not yet known (404), until the timeout in milliseconds. */
export function overBusyResources(
  next: Sender,
  timeoutMs: number,
  signal: AbortSignal,
  isJustCreated: (outgoing: Outgoing) => boolean = () => false,
): Sender {
  const outlasted = new Map<Operation, number>();
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    const times = outlasted.get(operation) ?? 0;
    let answer = await next(outgoing, use);
    if (operation.kind !== "update" || use.role === SIMULTANEOUS || times >= LASTING_AFTER) return answer;
    // A request that must be rejected may get the same status.
    const mayBeUnknown = use.valid && isJustCreated(outgoing);
    const isBusy = () => IN_THE_WAY.has(answer.status) || (mayBeUnknown && NOT_FOUND.has(answer.status));
    if (!isBusy()) return answer;
    const end = Date.now() + timeoutMs;
    for (let pause = FIRST_PAUSE_MS; isBusy() && Date.now() < end && !signal.aborted; pause *= 2) {
      await wait(Math.min(pause, end - Date.now()), signal);
      answer = await next(outgoing, use);
    }
    outlasted.set(operation, isBusy() ? times + 1 : 0);
    return answer;
  };
}

/** Repeats a rejected write alone: the specification promises no success for concurrent ones. */
export function inWriteOrder(next: Sender, order: WriteOrder): Sender {
  return async (outgoing, use) => {
    if (outgoing.wire.method === "GET") return next(outgoing, use);
    order.epoch++;
    try {
      const { value, wasConcurrent } = await order.concurrently(() => next(outgoing, use));
      if (!wasConcurrent || use.role === SIMULTANEOUS || !IN_THE_WAY.has(value.status)) return value;
      return await order.alone(() => next(outgoing, use));
    } finally {
      order.epoch++;
    }
  };
}

export class WriteOrder {
  /** Equal reads share an answer while this count of writes stays. */
  epoch = 0;
  #running = 0;
  #begun = 0;
  #held: Promise<unknown> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #whenIdle: () => void = () => undefined;

  /** Does the work, and returns whether other work ran at the same time. */
  async concurrently<T>(work: () => Promise<T>): Promise<{ value: T; wasConcurrent: boolean }> {
    while (this.#held) await this.#held;
    const hadOthers = this.#running > 0;
    const begun = ++this.#begun;
    this.#running++;
    try {
      const value = await work();
      return { value, wasConcurrent: hadOthers || this.#begun > begun };
    } finally {
      this.#running--;
      if (this.#running === 0) this.#whenIdle();
    }
  }

  /** Does the work while no other work runs. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => {
      const done = this.#idle().then(work);
      const held = done
        .catch(() => undefined)
        .then(() => {
          if (this.#held === held) this.#held = undefined;
        });
      this.#held = held;
      return done;
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  #idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }
}
