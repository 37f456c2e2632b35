import { expect, test } from "vitest";
import { RoundRobin } from "../../../suites/updates/walk/round-robin.ts";

test("items take turns for each purpose, and the seed decides which one is first", () => {
  const roundRobin = new RoundRobin(1);
  const take = () => roundRobin.next("letter", ["a", "b", "c"]);
  expect([take(), take(), take(), take()]).toEqual([["b"], ["c"], ["a"], ["b"]]);
  expect(roundRobin.next("digit", [1, 2])).toEqual([2]);
  expect(roundRobin.next("nothing", [])).toEqual([]);
});
