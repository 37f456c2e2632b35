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
