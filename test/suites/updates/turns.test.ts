import { expect, test } from "vitest";
import { Turns } from "../../../suites/updates/turns.ts";

test("items take turns for each purpose, and the seed decides which one is first", () => {
  const turns = new Turns(1);
  const take = () => turns.next("letter", ["a", "b", "c"]);
  expect([take(), take(), take(), take()]).toEqual([["b"], ["c"], ["a"], ["b"]]);
  expect(turns.next("digit", [1, 2])).toEqual([2]);
  expect(turns.next("nothing", [])).toEqual([]);
});
