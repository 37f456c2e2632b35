import { expect, test } from "vitest";
import { WalkReads } from "../../../suites/updates/walk/reads.ts";

test("an update of half of the fields shows the effect of the event before it, so that no read is due", () => {
  expect(new WalkReads().isDue("rejected credential", "half of the fields")).toBe(false);
  expect(new WalkReads().isDue("rejected credential", "every field")).toBe(true);
});

test("a read follows an unknown reference, with which a service may store the other fields", () => {
  expect(new WalkReads().isDue("rejected reference", "half of the fields")).toBe(true);
});

test("a read follows null, whose meaning is open", () => {
  expect(new WalkReads().isDue("null", "half of the fields")).toBe(true);
});

test("a read follows a switch that is not at its default, so that an update without it shows its effect on the switch", () => {
  const isDue = (next: "one field" | "rejected body", isOff: boolean) =>
    new WalkReads().isDue("switch", next, isOff);
  expect([isDue("one field", true), isDue("one field", false), isDue("rejected body", true)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a read follows a switch before the same is sent again, which would hide that it did not last", () => {
  expect(new WalkReads().isDue("switch", "same again")).toBe(true);
});

test("if two halves follow each other, the read after the second shows both", () => {
  const reads = new WalkReads();
  const halves = ["half of the fields", "the other half"] as const;
  const due = [0, 1, 2, 3, 4, 5].map((turn) => reads.isDue(halves[turn % 2 === 0 ? 0 : 1], "rejected body"));
  expect(due).toEqual([false, true, true, false, true, true]);
});
