/** The items in the same order, beginning at the position `by`. The items before it follow at the end. */
export function rotated<T>(items: readonly T[], by: number): T[] {
  const first = Math.abs(by) % Math.max(items.length, 1);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** The preferred items before the other ones, each in the same order as before. */
export function preferredFirst<T>(items: readonly T[], isPreferred: (item: T) => boolean): T[] {
  return [...items.filter(isPreferred), ...items.filter((item) => !isPreferred(item))];
}
