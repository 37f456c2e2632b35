import { expect, test } from "vitest";
import { RoundRobin } from "../../../suites/updates/walk/round-robin.ts";
import { EmptiedMaps } from "../../../suites/updates/walk/updates.ts";
import { operation, spec } from "../../spec/package-spec.ts";

const update = operation("PATCH /payment-codes/{id}");
const SENT = { name: "a", metadata: { one: "1" } };
const EMPTIED = { name: "a", metadata: {} };

test("every second update of half of the fields empties its maps, and the next of several fields omits them", () => {
  const maps = new EmptiedMaps(spec, update, new RoundRobin(0));
  expect(maps.shaped(SENT, true)).toEqual(EMPTIED);
  expect(maps.shaped({ name: "b" })).toEqual({ name: "b" });
  expect(maps.shaped({ ...SENT, isActive: true })).toEqual({ name: "a", isActive: true });
  expect(maps.shaped(SENT)).toEqual(SENT);
  expect(maps.shaped(SENT, true)).toEqual(SENT);
  expect(maps.shaped(SENT, true)).toEqual(EMPTIED);
});

test("a map that is sent alone keeps its members, and is left out no more", () => {
  const maps = new EmptiedMaps(spec, update, new RoundRobin(0));
  expect(maps.shaped(SENT, true)).toEqual(EMPTIED);
  expect(maps.shaped({ metadata: { two: "2" } })).toEqual({ metadata: { two: "2" } });
  expect(maps.shaped(SENT)).toEqual(SENT);
  expect(maps.shaped(undefined)).toBeUndefined();
});
