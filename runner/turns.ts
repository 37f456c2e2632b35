/** Lets one confirmation send while another waits for a late effect. */

export class Turns {
  #last: Promise<void> = Promise.resolve();

  async take<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn = new Turn(() => this.#next());
    await turn.begin();
    try {
      return await work(turn);
    } finally {
      await turn.end();
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

/**
 * If a check waits at several places, its first wait gives the turn away, and the first wait to end takes it
 * back.
 */
export class Turn {
  readonly #next: () => Promise<() => void>;
  #leave: (() => void) | undefined;
  #coming: Promise<void> | undefined;

  constructor(next: () => Promise<() => void>) {
    this.#next = next;
  }

  async giveWay(wait: () => Promise<void>): Promise<void> {
    this.#leave?.();
    this.#leave = undefined;
    try {
      await wait();
    } finally {
      await this.begin();
    }
  }

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
