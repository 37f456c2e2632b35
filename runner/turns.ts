/** Turns of checks that are tried again: one asks at a time, and while it only waits for something late, the next one. */

export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` in a turn of its own, in the order in which turns were asked for. */
  async take<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn = new Turn(() => this.#next());
    await turn.begin();
    try {
      return await work(turn);
    } finally {
      await turn.end();
    }
  }

  /** Waits for everybody before; what it returns lets the next one begin. */
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

/** A turn. A check may wait in several places at once: the turn is left with the first, and taken again with the first. */
export class Turn {
  readonly #next: () => Promise<() => void>;
  #leave: (() => void) | undefined;
  #coming: Promise<void> | undefined;

  constructor(next: () => Promise<() => void>) {
    this.#next = next;
  }

  /** Leaves the turn while `wait` goes on, and comes back with the next one. */
  async giveWay(wait: () => Promise<void>): Promise<void> {
    this.#leave?.();
    this.#leave = undefined;
    try {
      await wait();
    } finally {
      await this.begin();
    }
  }

  /** Waits for the turn; at once if it has come. */
  async begin(): Promise<void> {
    if (this.#leave !== undefined) return;
    this.#coming ??= this.#next().then((leave) => {
      this.#leave = leave;
      this.#coming = undefined;
    });
    await this.#coming;
  }

  async end(): Promise<void> {
    await this.#coming;
    this.#leave?.();
    this.#leave = undefined;
  }
}
