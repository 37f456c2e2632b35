import fc from "fast-check";
import { expect, test } from "vitest";
import { type EventKind, walkOrder } from "../../../suites/updates/walk-order.ts";

const kinds = fc
  .uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.integer({ min: 1, max: 5 }).map((times): EventKind => ({ name, times, paired: name < "e" })),
      ),
    ),
  );

test("every kind of event occurs as often as it asks for", () => {
  fc.assert(
    fc.property(kinds, fc.integer(), (events, seed) => {
      const order = walkOrder(events, seed, false);
      for (const { name, times } of events) expect(order.filter((each) => each === name)).toHaveLength(times);
    }),
  );
});

test("every ordered pair of paired kinds occurs if all pairs are asked for, in not much more steps than there are pairs", () => {
  fc.assert(
    fc.property(kinds, fc.integer(), (events, seed) => {
      const order = walkOrder(events, seed, true);
      const pairs = new Set(order.slice(1).map((name, index) => `${order[index]} ${name}`));
      const paired = events.filter((event) => event.paired).map(({ name }) => name);
      for (const one of paired) for (const other of paired) expect(pairs).toContain(`${one} ${other}`);
      const times = events.reduce((sum, each) => sum + each.times, 0);
      expect(order.length).toBeLessThanOrEqual(times + 1.5 * events.length ** 2 + 5);
    }),
  );
});

test("the same seed gives the same order, and seeds differ", () => {
  const events = ["a", "b", "c", "d", "e"].map((name) => ({ name, times: 3, paired: true }));
  expect(walkOrder(events, 1, false)).toEqual(walkOrder(events, 1, false));
  const orders = new Set([1, 2, 3, 4, 5].map((seed) => walkOrder(events, seed, false).join()));
  expect(orders.size).toBeGreaterThan(1);
});
