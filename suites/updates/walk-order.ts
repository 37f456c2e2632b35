/** The order of the events of a walk. */

import fc from "fast-check";

/** Events of which depth full does not send every ordered pair with the others: the bound on requests leaves no room. */
export const UNPAIRED: ReadonlySet<string> = new Set([
  "same again",
  "switch",
  "another resource",
  "rejected credential or space",
  "required fields",
  "null",
  "another version",
  "untaken fields",
  "replay of the creation",
  "other views",
]);

export interface EventKind {
  name: string;
  /** How often it occurs at least. */
  times: number;
  /** Whether every ordered pair with the others of this sort is to occur. */
  paired: boolean;
}

/**
 * An order of events in which each kind occurs as often as it asks for, and as many different ordered pairs follow each
 * other as fit. With `allPairs` it goes on until every ordered pair of paired kinds has occurred. The same seed gives the same order.
 */
export function walkOrder(kinds: readonly EventKind[], seed: number, allPairs: boolean): string[] {
  const names = shuffled(kinds, seed).map(({ name }) => name);
  const left = new Map(kinds.map(({ name, times }) => [name, times]));
  const paired = names.filter((name) => kinds.find((kind) => kind.name === name)?.paired);
  const missing = new Set(paired.flatMap((one) => paired.map((other) => pair(one, other))));
  const missingAfter = (name: string) => names.filter((other) => missing.has(pair(name, other))).length;
  const order: string[] = [];
  const isOver = () => [...left.values()].every((times) => times <= 0) && (!allPairs || missing.size === 0);
  while (names.length > 0 && !isOver()) {
    const last = order.at(-1);
    const score = (name: string) => {
      const isNew = last !== undefined && missing.has(pair(last, name));
      const owed = Math.max(left.get(name) ?? 0, 0);
      return (owed > 0 ? 1_000 : 0) + (isNew ? 100 : 0) + (allPairs ? missingAfter(name) : owed);
    };
    const next = names.reduce((best, name) => (score(name) > score(best) ? name : best));
    if (last !== undefined) missing.delete(pair(last, next));
    left.set(next, (left.get(next) ?? 0) - 1);
    order.push(next);
  }
  return order;
}

function pair(one: string, other: string): string {
  return `${one} > ${other}`;
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const [order = [...items]] = fc.sample(fc.shuffledSubarray([...items], { minLength: items.length }), {
    seed,
    numRuns: 1,
  });
  return order;
}
