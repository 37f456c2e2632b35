import fc from "fast-check";
import { expect, test } from "vitest";
import { halvesOf } from "../../../spec/ordered.ts";
import { revealedEvents, sampledHalf, walkOrder } from "../../../suites/updates/walk/order.ts";

const kinds = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("a", "b", "c", "d", "e"),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  { selector: ({ name }) => name, minLength: 1 },
);
const revealing = ["full", "one"];

test("in each pass every kind of event occurs as often as it asks for, and a revealing update follows", () => {
  fc.assert(
    fc.property(kinds, fc.integer(), fc.integer({ min: 1, max: 3 }), (events, seed, passes) => {
      const order = walkOrder({ kinds: events, revealing, passes, sampledCount: 0, seed });
      for (const { name, times } of events)
        expect(order.filter((each) => each === name)).toHaveLength(times * passes);
      expect(order.filter((_, index) => index % 2 === 1).every((name) => revealing.includes(name))).toBe(
        true,
      );
    }),
  );
});

test("in two passes each kind of event is followed by each revealing update", () => {
  fc.assert(
    fc.property(kinds, fc.integer(), (events, seed) => {
      const order = walkOrder({ kinds: events, revealing, passes: 2, sampledCount: 0, seed });
      const pairs = new Set(order.slice(1).map((name, index) => `${order[index]} ${name}`));
      for (const { name } of events)
        for (const judge of revealing) expect(pairs).toContain(`${name} ${judge}`);
    }),
  );
});

test("as many events as asked for are sampled at the end", () => {
  const events = [{ name: "a", times: 1 }];
  expect(walkOrder({ kinds: events, revealing, passes: 1, sampledCount: 7, seed: 3 })).toHaveLength(9);
});

test("the same seed gives the same order, and seeds differ", () => {
  const events = ["a", "b", "c", "d", "e"].map((name) => ({ name, times: 3 }));
  const order = (seed: number) => walkOrder({ kinds: events, revealing, passes: 1, sampledCount: 5, seed });
  expect(order(1)).toEqual(order(1));
  expect(new Set([1, 2, 3, 4, 5].map((seed) => order(seed).join())).size).toBeGreaterThan(1);
});

test("events in two passes are followed by each of two updates, which take turns", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.integer(), (events, seed) => {
      const order = revealedEvents(events, ["one half", "other half"], seed, events);
      expect(order).toHaveLength(4 * events.length);
      for (const [index, name] of events.entries()) {
        expect([order[2 * index], order[2 * (index + events.length)]]).toEqual([name, name]);
        const judges = [order[2 * index + 1], order[2 * (index + events.length) + 1]];
        expect(new Set(judges)).toEqual(new Set(["one half", "other half"]));
      }
    }),
  );
});

test("events in one pass are judged by the other update with the next seed", () => {
  const [one, next] = [3, 4].map((seed) => revealedEvents(["a", "b"], ["one half", "other half"], seed, []));
  expect(one).toEqual(["a", "other half", "b", "one half"]);
  expect(next).toEqual(["a", "one half", "b", "other half"]);
});

test("events that come again are followed by the other update", () => {
  const order = revealedEvents(["a", "b", "c"], ["one half", "other half"], 4, ["b"]);
  expect(order).toEqual(["a", "one half", "b", "other half", "c", "one half", "b", "one half"]);
});

test("two halves hold each item once, and the seed decides which half is first", () => {
  expect(halvesOf(["a", "b", "c"], 0)).toEqual([["a", "c"], ["b"]]);
  expect(halvesOf(["a", "b", "c"], 1)).toEqual([["b"], ["a", "c"]]);
});

test("for any two items, some split separates them", () => {
  for (const count of [2, 3, 8, 9]) {
    const items = Array.from({ length: count }, (_, index) => index);
    const splits = items.map((split) => halvesOf(items, 4, split));
    for (const one of items)
      for (const other of items.slice(one + 1))
        expect(splits.some(([half]) => half.includes(one) !== half.includes(other))).toBe(true);
    for (const [half, rest] of splits) expect([...half, ...rest].sort()).toEqual(items.sort());
  }
});

test("a sampled half differs with the seed, and is the same for the same one", () => {
  const items = ["a", "b", "c", "d", "e"];
  const half = (seed: number) => sampledHalf(items, seed);
  expect(half(3)).toEqual(half(3));
  expect(new Set(Array.from({ length: 20 }, (_, seed) => half(seed).sort().join())).size).toBeGreaterThan(3);
  expect(half(3)).toHaveLength(3);
});
