/** Writes beside each other, and alone where a service says that another was in the way. */

import { SIMULTANEOUS } from "../target.ts";
import { IN_THE_WAY } from "./busy-resources.ts";
import type { Sender } from "./sender.ts";

/**
 * Sends reads at any time and writes beside other writes. That several writes go together is not specified: what one
 * of them is told says nothing until it is alone, but for those that are meant to meet.
 */
export function inWriteOrder(next: Sender, order: WriteOrder): Sender {
  return async (outgoing, use) => {
    if (outgoing.wire.method === "GET") return next(outgoing, use);
    order.epoch++;
    try {
      const { value, accompanied } = await order.beside(() => next(outgoing, use));
      if (!accompanied || use.role === SIMULTANEOUS || !IN_THE_WAY.has(value.status)) return value;
      return await order.alone(() => next(outgoing, use));
    } finally {
      order.epoch++;
    }
  };
}

/** Work that goes on side by side, and now and then something that must have no company. */
export class WriteOrder {
  /** Counts the run's own writes: between two of them, what is read stays as it is. */
  epoch = 0;
  #running = 0;
  #begun = 0;
  /** Ends when what is being done alone is done. */
  #held: Promise<unknown> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #whenIdle: () => void = () => undefined;

  /** Does something beside whatever else is going on; tells whether anything was. */
  async beside<T>(work: () => Promise<T>): Promise<{ value: T; accompanied: boolean }> {
    while (this.#held) await this.#held;
    const company = this.#running > 0;
    const begun = ++this.#begun;
    this.#running++;
    try {
      const value = await work();
      return { value, accompanied: company || this.#begun > begun };
    } finally {
      this.#running--;
      if (this.#running === 0) this.#whenIdle();
    }
  }

  /** Does something when all else has ended; what begins meanwhile waits. */
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
