import { SIMULTANEOUS } from "../target.ts";
import { IN_THE_WAY } from "./busy-resources.ts";
import type { Sender } from "./sender.ts";

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
