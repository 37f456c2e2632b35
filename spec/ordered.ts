/** Begins with another item for each number, and keeps the circular order. */
export function rotated<T>(items: readonly T[], by: number): T[] {
  const first = Math.abs(by) % Math.max(items.length, 1);
  return [...items.slice(first), ...items.slice(0, first)];
}

export function preferredFirst<T>(items: readonly T[], isPreferred: (item: T) => boolean): T[] {
  return [...items.filter(isPreferred), ...items.filter((item) => !isPreferred(item))];
}

/** Takes one of each list in turn, and the rest of the longer one. */
export function interleaved<T>(ones: readonly T[], others: readonly T[]): T[] {
  const length = Math.max(ones.length, others.length);
  return Array.from({ length }, (_, at) => [...ones.slice(at, at + 1), ...others.slice(at, at + 1)]).flat();
}

/** Returns two halves. Some `split` separates any two items, so updates of one show changes of the other. */
export function halvesOf<T>(items: readonly T[], seed: number, split = 0): readonly [T[], T[]] {
  const bits = Math.max(1, Math.ceil(Math.log2(items.length)));
  const bit = split % bits;
  const isInFirst = (index: number) => ((index >> bit) + seed) % 2 === 0;
  return [items.filter((_, index) => isInFirst(index)), items.filter((_, index) => !isInFirst(index))];
}
