/**
 * Tests that a bug shows in its sequence of calls, and that the sequence is right without the bug. Each commit
 * tests one bug in ten. `BUGS='*'` tests all, and `BUGS` with names tests those.
 */

import { describe, expect, test } from "vitest";
import { namedOrShare } from "../../commit-seed.ts";
import { start } from "../service/start.ts";
import { orderBugs } from "./index.ts";
import { apiOf } from "./order.ts";
import { startWith } from "./plant.ts";

const chosen = namedOrShare(orderBugs, process.env.BUGS, 20);

test("each bug has a name of its own", () => {
  const all = orderBugs.map(({ name }) => name);
  expect(all).toEqual([...new Set(all)]);
});

describe.each(chosen)("$name", (bug) => {
  test("breaks the contract", async () => {
    const service = await startWith(bug);
    try {
      expect(await bug.kept(apiOf(service))).toBe(false);
    } finally {
      await service.close();
    }
  });

  test("does not show without the bug", async () => {
    const service = await start("nothing");
    try {
      expect(await bug.kept(apiOf(service))).toBe(true);
    } finally {
      await service.close();
    }
  });
});
