export function rotated<T>(items: readonly T[], by: number): T[] {
  const first = Math.abs(by) % Math.max(items.length, 1);
  return [...items.slice(first), ...items.slice(0, first)];
}

export function preferredFirst<T>(items: readonly T[], isPreferred: (item: T) => boolean): T[] {
  return [...items.filter(isPreferred), ...items.filter((item) => !isPreferred(item))];
}
