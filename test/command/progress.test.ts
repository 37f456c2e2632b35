import { describe, expect, test, vi } from "vitest";
import { liveProgress, type ProgressOptions, plainProgress } from "../../command/running/progress.ts";
import type { PlannedCheck } from "../../runner/planning/plan.ts";
import { exampleCheck, exampleResult } from "../runner/example.ts";

const checks = Array.from({ length: 20 }, (_, index) => exampleCheck(`check-${index}`));
const left = exampleCheck("left");
const planned: PlannedCheck[] = [
  ...checks.map((check) => ({ check })),
  { check: left, skip: { reason: "not-selected", message: "left out" } },
];

function options(): ProgressOptions & { written: string[] } {
  const written: string[] = [];
  return {
    planned,
    strict: false,
    write: (text) => written.push(text),
    columns: () => 60,
    color: false,
    written,
  };
}

describe("plainProgress", () => {
  test("prints a line every tenth of the way, counting only checks that are tried", () => {
    const to = options();
    const progress = plainProgress(to);
    progress.result(exampleResult(left, { outcome: "skip", reason: "not-selected" }));
    for (const [index, check] of checks.entries()) progress.result(exampleResult(check), index * 100);
    expect(to.written).toHaveLength(10);
    expect(to.written[0]).toBe("2 of 20 checks done, 100 requests, 0 failing\n");
    expect(to.written[9]).toBe("20 of 20 checks done, 1,900 requests, 0 failing\n");
  });

  test("prints the first failures at once, each on one inert line", () => {
    const to = options();
    const progress = plainProgress(to);
    const message = "got \u001b[31m\n::error::";
    for (const check of checks) progress.result(exampleResult(check, { outcome: "fail", message }));
    progress.result(exampleResult(exampleCheck("check-0"), { outcome: "fail", message }));
    const lines = to.written.filter((line) => line.startsWith("FAIL"));
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe("FAIL check-0: got \\x1b[31m\\n::error::\n");
  });
});

describe("a wait that the service asked for", () => {
  const state = (waiting: number) => ({
    requests: 10,
    plannedRequests: 100,
    toConfirm: 0,
    created: 0,
    waiting,
  });

  test("is counted down line by line if it is long", () => {
    vi.useFakeTimers();
    try {
      const to = options();
      const progress = plainProgress(to);
      const end = Date.now() + 40_000;
      progress.watch(() => ({ ...state(Math.max(0, end - Date.now())), requests: 5 }));
      vi.advanceTimersByTime(60_000);
      expect(to.written).toEqual(
        [39, 24, 9].map((s) => `waiting ${s} s, as the service asked (Retry-After)\n`),
      );
      progress.end();
    } finally {
      vi.useRealTimers();
    }
  });

  test("is shown whole on the progress line, even on a narrow terminal", () => {
    const to = options();
    const progress = liveProgress(to);
    progress.watch(() => state(119_500));
    progress.say("x");
    expect(to.written.at(-1)).toContain("0/20 checks · waiting 120 s, as the service asked");
    progress.end();
  });
});

describe("the progress of a run", () => {
  const at = (requests: number, plannedRequests: number, toConfirm = 0) => {
    const to = { ...options(), columns: () => 200 };
    const progress = liveProgress(to);
    progress.watch(() => ({ requests, plannedRequests, toConfirm, created: 3, waiting: 0 }));
    progress.say("x");
    progress.end();
    return to.written.at(-2) ?? "";
  };

  test("shows a share and the time left until the estimate is reached", () => {
    expect(at(50, 100)).toMatch(/50 of about 100 requests \(50 %\).* about .* left/);
    expect(at(100, 100)).toContain("100 requests");
    expect(at(150, 100)).toContain("150 requests");
    expect(at(150, 100)).not.toMatch(/left|%/);
  });

  test("is printed without a terminal as requests are sent, though no check ends", () => {
    vi.useFakeTimers();
    try {
      const to = options();
      const progress = plainProgress(to);
      let requests = 0;
      progress.watch(() => ({ requests, plannedRequests: 100, toConfirm: 0, created: 3, waiting: 0 }));
      for (const sent of [5, 20, 22, 60, 100]) {
        requests = sent;
        vi.advanceTimersByTime(1_000);
      }
      expect(to.written.map((line) => line.split(" requests")[0])).toEqual([
        "0 of 20 checks done, 20 of about 100",
        "0 of 20 checks done, 60 of about 100",
        "0 of 20 checks done, 100",
      ]);
      progress.end();
    } finally {
      vi.useRealTimers();
    }
  });

  test("counts the suspected violations to be confirmed", () => {
    expect(at(50, 100, 7)).toContain("7 to confirm");
    expect(at(50, 100)).not.toContain("to confirm");
  });
});

describe("liveProgress", () => {
  test("is one line, never wider than the terminal, gone at the end", () => {
    const to = options();
    const progress = liveProgress(to);
    for (const check of checks) {
      progress.result(exampleResult(check, { outcome: "fail", operation: `GET /${"x".repeat(200)}` }), 5);
    }
    progress.end();
    for (const text of to.written) {
      expect(text.startsWith("\r\u001b[2K")).toBe(true);
      expect(text).not.toContain("\n");
      expect(text.slice("\r\u001b[2K".length).length).toBeLessThan(60);
    }
    expect(to.written.at(-2)).toContain("20/20 checks · 5 requests · read · 20 failing");
    expect(to.written.at(-1)).toBe("\r\u001b[2K");
  });

  test("keeps printed messages", () => {
    const to = options();
    liveProgress(to).say("Ending the run");
    expect(to.written).toEqual(["\r\u001b[2KEnding the run\n", "\r\u001b[2K0/20 checks"]);
  });
});
