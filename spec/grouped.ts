import { keptIn } from "./memoized.ts";

export function groupedBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  return groupedByEach(items, (item) => [keyOf(item)]);
}

/** Puts an item into the group of each of its keys. */
export function groupedByEach<T, K>(items: Iterable<T>, keysOf: (item: T) => Iterable<K>): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) for (const key of keysOf(item)) addTo(groups, key, item);
  return groups;
}

export function addTo<T, K>(groups: Map<K, T[]>, key: K, ...items: readonly T[]): void {
  keptIn(groups, key, () => []).push(...items);
}
