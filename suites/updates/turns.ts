/** Items that several events of a walk take in turn. */

export class Turns {
  readonly #seed: number;
  readonly #taken = new Map<string, number>();

  /** The seed decides which item comes first. */
  constructor(seed: number) {
    this.#seed = Math.abs(seed);
  }

  /** The next item for a purpose, as a list; empty if there are none. */
  next<T>(purpose: string, items: readonly T[]): T[] {
    const turn = this.#taken.get(purpose) ?? this.#seed;
    this.#taken.set(purpose, turn + 1);
    const index = turn % Math.max(items.length, 1);
    return items.slice(index, index + 1);
  }
}
