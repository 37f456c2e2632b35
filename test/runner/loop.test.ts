import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../reports/report.ts";
import { runLoop } from "../../runner/loop.ts";
import { fakeJudge, PLANNED } from "./fake-judge.ts";

async function run(...modes: string[]) {
  const judge = fakeJudge(...modes);
  const seen: CheckResult[] = [];
  const execution = await runLoop(judge, PLANNED, { onResult: (result) => seen.push(result) });
  return { seen, execution, log: judge.log };
}

describe("the loop", () => {
  test("reports every check, whatever its outcome, and the summary", async () => {
    const { seen, execution } = await run();
    expect(execution.faults).toEqual([]);
    expect(seen.map(({ id }) => id).sort()).toEqual(PLANNED.map(({ check }) => check.id).sort());
    expect(execution.results).toEqual(seen);
    expect(seen.filter(({ outcome }) => outcome === "fail").map(({ id }) => id)).toEqual(["read-1"]);
    expect(seen.filter(({ outcome }) => outcome === "warn").map(({ id }) => id)).toEqual(["read-2"]);
    // Closing a session may send requests, so they are counted after it was closed.
    expect(execution.summary?.requests).toBe(PLANNED.length);
  });

  test("runs stage after stage, and in burst and finish one check at a time", async () => {
    const { log } = await run();
    const stages = log.map((line) => line.split("-")[0]);
    expect(stages.filter((stage, index) => stage !== stages[index - 1])).toEqual([
      "prepare",
      "repeat",
      "read",
      "race",
      "write",
      "clash",
      "burst",
      "aftermath",
      "judge",
      "finish",
      "provoke",
    ]);
    expect(log.some((line) => line.includes("beside read-1 read-2 read-3 read-4"))).toBe(true);
    // No check runs at the same time as a check of another stage.
    for (const line of log)
      expect(new Set(line.split(/ (?:beside )?/).map((id) => id.split("-")[0])).size).toBe(1);
    for (const line of log.filter((each) => /^(burst|finish)/.test(each))) {
      const [id, beside] = line.split(" beside ");
      expect(beside).toBe(id);
    }
  });

  test("runs suspected violations again alone before the last stage, and reports them only then", async () => {
    const { log, seen } = await run("suspected");
    const again = log.findLastIndex((line) => line.startsWith("read-1"));
    expect(log[again]).toBe("read-1 beside read-1");
    expect(log.findIndex((line) => line.startsWith("finish"))).toBeGreaterThan(again);
    expect(log.findLastIndex((line) => line.startsWith("burst"))).toBeLessThan(again);
    const reported = seen.map(({ id }) => id);
    expect(reported.indexOf("read-1")).toBeGreaterThan(reported.indexOf("burst-4"));
    expect(reported.filter((id) => id === "read-1")).toHaveLength(1);
  });

  test("reports a violation that is proven only at the end after the result of the check", async () => {
    const { results } = await runLoop(fakeJudge("later"), PLANNED);
    expect(results.filter(({ id }) => id === "read-3").map(({ outcome }) => outcome)).toEqual([
      "pass",
      "fail",
    ]);
  });

  test("counts suspected violations, and those still to be confirmed", async () => {
    const counts: number[][] = [];
    await runLoop(fakeJudge("suspected"), PLANNED, {
      onSuspected: (suspected, left) => counts.push([suspected, left]),
    });
    expect(counts).toEqual([
      [1, 1],
      [2, 2],
      [2, 1],
      [2, 0],
    ]);
  });

  test("confirms after each stage if the first failure ends the run", async () => {
    const judge = fakeJudge("suspected");
    await runLoop(judge, PLANNED, { failFast: true });
    const again = judge.log.findLastIndex((line) => line.startsWith("read-1"));
    expect(judge.log.findIndex((line) => line.startsWith("race"))).toBeGreaterThan(again);
  });

  test("reports what an answer proves at once if the first failure ends the run, and only once", async () => {
    const stop = new AbortController();
    const reported: string[] = [];
    const execution = await runLoop(fakeJudge("certain"), PLANNED, {
      failFast: true,
      signal: stop.signal,
      onResult: ({ id, outcome }) => {
        reported.push(id);
        if (outcome === "fail") stop.abort();
      },
    });
    expect(reported.indexOf("finish-1")).toBeLessThan(reported.indexOf("read-1"));
    expect(execution.results.filter(({ id }) => id === "finish-1")).toMatchObject([{ outcome: "fail" }]);
    expect(execution.results.find(({ id }) => id === "read-1")).toMatchObject({ reason: "interrupted" });
  });

  test("does not confirm suspected violations when it is interrupted, and says so", async () => {
    const stop = new AbortController();
    const { results } = await runLoop(fakeJudge("suspected"), PLANNED, {
      signal: stop.signal,
      onResult: ({ id }) => {
        if (id === "burst-1") stop.abort();
      },
    });
    expect(results.find(({ id }) => id === "read-1")).toMatchObject({
      outcome: "skip",
      reason: "interrupted",
      message: expect.stringContaining("not confirmed (stopped early)"),
    });
  });

  test("gives the reason and no result if the target cannot be judged", async () => {
    const { seen, execution } = await run("refused");
    expect(execution.problem).toBe("the service refuses the token");
    expect(seen).toEqual([]);
  });

  test("counts a check that never reports as a fault, and goes on", async () => {
    const { seen, execution } = await run("crash");
    expect(seen.map(({ id }) => id)).not.toContain("write-2");
    expect(execution.faults.join()).toContain("the judge broke its word");
    expect(seen.map(({ id }) => id)).toContain("finish-4");
  });

  test("reports all findings though the history of one can't be shortened", async () => {
    const shortened = async ({ id }: { id: string }, found: CheckResult) => {
      if (id === "read-1") throw new Error("the history is odd");
      return found;
    };
    const execution = await runLoop({ ...fakeJudge(), shortened }, PLANNED);
    const findings = execution.results.filter(({ outcome }) => outcome !== "pass");
    expect(findings.map(({ id }) => id)).toEqual(["read-1", "read-2"]);
    expect(execution.results).toHaveLength(PLANNED.length);
    expect(execution.faults).toEqual(["read-1: the history is odd"]);
  });

  test("ends running checks, and skips the others, when interrupted", async () => {
    const stop = new AbortController();
    const running = runLoop(fakeJudge("hangs"), PLANNED, { signal: stop.signal });
    stop.abort();
    const execution = await running;
    expect(execution.results.map(({ id }) => id).sort()).toEqual(PLANNED.map(({ check }) => check.id).sort());
    expect(execution.results.find(({ id }) => id === "finish-1")?.reason).toBe("interrupted");
    expect(execution.summary).toBeDefined();
  });
});
