import { expect, test } from "vitest";
import { newRunId } from "../../runner/run-id.ts";

test("a run id is never a number", () => {
  const ids = Array.from({ length: 500 }, newRunId);
  expect(ids.filter((id) => !/^[a-f][0-9a-f]{7}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBeGreaterThan(490);
});
