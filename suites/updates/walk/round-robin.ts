/** Takes the items of each purpose in turn. The seed picks the first. */
export class RoundRobin {
  readonly #seed: number;
  readonly #numbers = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = Math.abs(seed);
  }

  /** Returns one item, or none if `items` is empty. */
  next<T>(purpose: string, items: readonly T[]): T[] {
    const number = this.#numbers.get(purpose) ?? this.#seed;
    this.#numbers.set(purpose, number + 1);
    const index = number % Math.max(items.length, 1);
    return items.slice(index, index + 1);
  }
}
