/** Each bug that needs a sequence of calls shows in its sequence, and does not show without the bug. */

import { describe, expect, test } from "vitest";
import { start } from "../service/start.ts";
import { orderBugs } from "./index.ts";
import { apiOf } from "./order.ts";
import { startWith } from "./plant.ts";

test("each name is given once", () => {
  const names = orderBugs.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

describe.each(orderBugs)("$name", (bug) => {
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
