export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.integer(0, values.length - 1)] ?? values[0];
  }

  token(length: number): string {
    let text = "";
    while (text.length < length)
      text += Math.floor(this.next() * 36 ** 5)
        .toString(36)
        .padStart(5, "0");
    return text.slice(0, length);
  }

  digits(length: number): string {
    let text = "";
    while (text.length < length) text += String(Math.floor(this.next() * 1e6)).padStart(6, "0");
    return text.slice(0, length);
  }
}
