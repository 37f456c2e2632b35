import { expect, test } from "vitest";
import { RunRecord } from "../../runner/reporting/run-record.ts";

const exchange = (second: number, durationMs: number) => ({
  request: { method: "GET", url: "/", headers: {}, body: null },
  startedAt: `2026-03-02T10:00:0${second}.000Z`,
  durationMs,
});

test("the time of a check counts the requests of its probes, simultaneous ones once, and no waiting", () => {
  const record = new RunRecord();
  expect(record.wallTime(["a"])).toBe(0);
  record.charge("a", 0, exchange(5, 100));
  record.charge("a", 0, exchange(1, 1_500));
  record.charge("a", 0, exchange(2, 200));
  record.charge("b", 0, exchange(3, 700));
  // The requests of the check last from second 1.0 to 2.5, and from 5.0 to 5.1.
  expect(record.wallTime(["a"])).toBe(1_600);
  expect(record.wallTime(["b"])).toBe(700);
  expect(record.wallTime(["a", "b"])).toBe(2_300);
  expect(record.costs.get("a")?.requests).toBe(3);
});
