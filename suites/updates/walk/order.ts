import fc from "fast-check";

export interface EventKind<Name> {
  name: Name;
  times: number;
}

export interface WalkPlan<Name> {
  kinds: readonly EventKind<Name>[];
  /** Updates that show effects of the event before. They take turns after each kind. */
  revealing?: readonly Name[];
  passes?: number;
  /** The number of random events at the end. */
  sampledCount?: number;
  seed: number;
}

/** Puts a revealing update behind each event of the shuffled passes. */
export function walkOrder<Name extends string>({
  kinds,
  revealing = [],
  passes = 1,
  sampledCount = 0,
  seed,
}: WalkPlan<Name>): Name[] {
  const order: Name[] = [];
  const phase = Math.abs(seed) % Math.max(revealing.length, 1);
  const turns = new Map(kinds.map(({ name }, index) => [name, phase + index]));
  for (let pass = 0; pass < passes; pass++) {
    const events = kinds.flatMap(({ name, times }) => Array.from({ length: times }, () => name));
    for (const name of shuffled(events, seed + pass)) {
      const turn = turns.get(name) ?? 0;
      turns.set(name, turn + 1);
      order.push(name);
      const update = revealing[turn % revealing.length];
      if (update !== undefined) order.push(update);
    }
  }
  const names = [...kinds.map(({ name }) => name), ...revealing];
  if (names.length === 0 || sampledCount === 0) return order;
  return [...order, ...fc.sample(fc.constantFrom(...names), { seed, numRuns: sampledCount })];
}

/** Puts one of two revealing updates after each event. The events in `again` follow once more, with the other update. */
export function revealedEvents<Name>(
  events: readonly Name[],
  revealing: readonly [Name, Name],
  seed: number,
  again: readonly Name[],
): Name[] {
  const phase = Math.abs(seed) % 2;
  const pass = (number: number) =>
    events.flatMap((name, index) => {
      const update = revealing[(phase + index + number) % 2 === 0 ? 0 : 1];
      return number === 0 || again.includes(name) ? [name, update] : [];
    });
  return [...pass(0), ...pass(1)];
}

export function shuffled<T>(items: readonly T[], seed: number): T[] {
  return sampledSubset(items, items.length, seed);
}

function sampledSubset<T>(items: readonly T[], count: number, seed: number): T[] {
  const subset = fc.shuffledSubarray([...items], { minLength: count, maxLength: count });
  const [chosen = items.slice(0, count)] = fc.sample(subset, { seed, numRuns: 1 });
  return chosen;
}

/** Returns a random half, the larger one of an odd number. */
export function sampledHalf<T>(items: readonly T[], seed: number): T[] {
  return sampledSubset(items, Math.ceil(items.length / 2), seed);
}

/** Returns all but the boolean fields; at the end, the boolean ones and half of the others. */
export function nulledAtOnce(
  nullable: readonly string[],
  switches: readonly string[],
  isEnd: boolean,
  seed: number,
): string[] {
  const others = nullable.filter((name) => !switches.includes(name));
  if (!isEnd) return others;
  const nullableSwitches = nullable.filter((name) => switches.includes(name));
  return [...nullableSwitches, ...sampledHalf(others, seed)];
}
