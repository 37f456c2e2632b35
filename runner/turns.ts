/**
 * Turns of checks that are confirmed: one sends at a time, and the next one goes on while it waits for something
 * late.
 */

export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` in a turn, in the order of the calls. */
  async take<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn = new Turn(() => this.#next());
    await turn.begin();
    try {
      return await work(turn);
    } finally {
      await turn.end();
    }
  }

  /** Waits for all earlier turns; calling the result lets the next one begin. */
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

/**
 * A turn. A check may wait in several places at once: the turn is left by the first wait, and taken again after the
 * first.
 */
export class Turn {
  readonly #next: () => Promise<() => void>;
  #leave: (() => void) | undefined;
  #coming: Promise<void> | undefined;

  constructor(next: () => Promise<() => void>) {
    this.#next = next;
  }

  /** Leaves the turn during `wait`, and takes a new one after it. */
  async giveWay(wait: () => Promise<void>): Promise<void> {
    this.#leave?.();
    this.#leave = undefined;
    try {
      await wait();
    } finally {
      await this.begin();
    }
  }

  /** Waits for the turn, unless it has come. */
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
