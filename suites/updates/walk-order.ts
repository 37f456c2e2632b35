import fc from "fast-check";

export interface EventKind<Name> {
  name: Name;
  times: number;
  isJudged: boolean;
}

export interface WalkPlan<Name> {
  kinds: readonly EventKind<Name>[];
  /** Updates that show if the event before them changed something. */
  judging?: readonly Name[];
  passes?: number;
  /** The number of random events at the end. */
  sampledCount?: number;
  seed: number;
}

export function walkOrder<Name extends string>({
  kinds,
  judging = [],
  passes = 1,
  sampledCount = 0,
  seed,
}: WalkPlan<Name>): Name[] {
  const order: Name[] = [];
  const phase = Math.abs(seed) % Math.max(judging.length, 1);
  const judged = new Set(kinds.flatMap(({ name, isJudged }) => (isJudged ? [name] : [])));
  const counts = new Map(kinds.map(({ name }, index) => [name, phase + index]));
  for (let pass = 0; pass < passes; pass++) {
    const events = kinds.flatMap(({ name, times }) => Array.from({ length: times }, () => name));
    for (const name of shuffled(events, seed + pass)) {
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const judge = judging[count % judging.length];
      order.push(name);
      if (judge !== undefined && judged.has(name)) order.push(judge);
    }
  }
  const names = [...kinds.map(({ name }) => name), ...judging];
  return names.length === 0 ? order : [...order, ...sampled(fc.constantFrom(...names), sampledCount, seed)];
}

/**
 * Puts one of the two judging updates after each event, then sends the events again with the other one. Unless
 * `isWhole`, only every eighth event is sent again.
 */
export function judgedTwice<Name>(
  events: readonly Name[],
  judging: readonly Name[],
  { seed, isWhole }: { seed: number; isWhole: boolean },
): Name[] {
  const phase = Math.abs(seed) % 2;
  const followed = (pass: number) => (name: Name, index: number) => {
    const judge = judging[(phase + index + pass) % judging.length];
    if (pass === 1 && !isWhole && (index + Math.abs(seed)) % 8 !== 0) return [];
    return judge === undefined ? [name] : [name, judge];
  };
  return [...events.flatMap(followed(0)), ...events.flatMap(followed(1))];
}

function sampled<T>(values: fc.Arbitrary<T>, count: number, seed: number): T[] {
  return count === 0 ? [] : fc.sample(values, { seed, numRuns: count });
}

export function shuffled<T>(items: readonly T[], seed: number): T[] {
  return sampledSubset(items, items.length, seed);
}

function sampledSubset<T>(items: readonly T[], count: number, seed: number): T[] {
  const subset = fc.shuffledSubarray([...items], { minLength: count, maxLength: count });
  const [chosen = items.slice(0, count)] = fc.sample(subset, { seed, numRuns: 1 });
  return chosen;
}

export function sampledHalf<T>(items: readonly T[], seed: number): T[] {
  return sampledSubset(items, Math.ceil(items.length / 2), seed);
}

export function nulledAtOnce(
  nullable: readonly string[],
  switches: readonly string[],
  isEnd: boolean,
  seed: number,
): string[] {
  const others = nullable.filter((name) => !switches.includes(name));
  if (!isEnd) return others;
  return [...nullable.filter((name) => switches.includes(name)), ...sampledHalf(others, seed)];
}

/**
 * Splits the items in two halves. Any two items are in different halves for some `split`, so that an update of one
 * shows if it changes the other.
 */
export function halvesOf<T>(items: readonly T[], seed: number, split = 0): readonly [T[], T[]] {
  const bits = Math.max(1, Math.ceil(Math.log2(items.length)));
  const bit = split % bits;
  const half = (parity: number) => items.filter((_, index) => ((index >> bit) + seed + parity) % 2 === 0);
  return [half(0), half(1)];
}
