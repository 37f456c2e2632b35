export class Turns {
  readonly #seed: number;
  readonly #taken = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = Math.abs(seed);
  }

  next<T>(purpose: string, items: readonly T[]): T[] {
    const turn = this.#taken.get(purpose) ?? this.#seed;
    this.#taken.set(purpose, turn + 1);
    const index = turn % Math.max(items.length, 1);
    return items.slice(index, index + 1);
  }
}
