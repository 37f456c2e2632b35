/** Lets one confirmation send at a time. While it pauses, another may send. */

export class ConfirmationLock {
  #last: Promise<void> = Promise.resolve();

  /** Does the work while no other holder works. */
  async hold<T>(work: (held: HeldLock) => Promise<T>): Promise<T> {
    const held = new HeldLock(() => this.#next());
    await held.acquire();
    try {
      return await work(held);
    } finally {
      await held.release();
    }
  }

  async #next(): Promise<() => void> {
    const before = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }
}

export class HeldLock {
  readonly #next: () => Promise<() => void>;
  #leave: (() => void) | undefined;
  #coming: Promise<void> | undefined;

  constructor(next: () => Promise<() => void>) {
    this.#next = next;
  }

  /** Lets other holders work during the wait. */
  async yieldDuring(wait: () => Promise<void>): Promise<void> {
    this.#leave?.();
    this.#leave = undefined;
    try {
      await wait();
    } finally {
      await this.acquire();
    }
  }

  async acquire(): Promise<void> {
    if (this.#leave !== undefined) return;
    this.#coming ??= this.#next().then((leave) => {
      this.#leave = leave;
      this.#coming = undefined;
    });
    await this.#coming;
  }

  async release(): Promise<void> {
    await this.#coming;
    this.#leave?.();
    this.#leave = undefined;
  }
}
