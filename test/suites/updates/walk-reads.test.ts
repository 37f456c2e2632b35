import { expect, test } from "vitest";
import { WalkReads } from "../../../suites/updates/walk-reads.ts";

test("an update of half of the fields shows the effect of the event before it, so that no read is due", () => {
  expect(new WalkReads().isDue("rejected body", "half of the fields")).toBe(false);
  expect(new WalkReads().isDue("rejected body", "every field")).toBe(true);
});

test("a read follows null, whose meaning is open", () => {
  expect(new WalkReads().isDue("null", "half of the fields")).toBe(true);
});

test("of two halves in a row, the read after the second shows both", () => {
  const reads = new WalkReads();
  const due = [1, 2, 3, 4].map(() => reads.isDue("half of the fields", "rejected body"));
  expect(due).toEqual([false, true, false, true]);
});
