import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../../reports/report.ts";
import { startChecks } from "../../../runner/vitest/execute.ts";
import type { RunInput } from "../../../runner/vitest/protocol.ts";
import { exampleSettings } from "../settings.ts";
import { PLANNED } from "./fake-engine.ts";

function input(...modes: string[]): RunInput {
  return {
    openapi: { name: "openapi.yaml", text: "" },
    requirements: { name: "requirements.yaml", text: "" },
    settings: exampleSettings({ only: modes }),
    strict: false,
    engine: new URL("./fake-engine.ts", import.meta.url).href,
    channel: `test ${modes.join(" ")} ${process.pid}`,
  };
}

/** Own processes would be cleaner, but a vitest in a vitest is how the command's own tests run it too. */
async function execute(...modes: string[]) {
  const seen: CheckResult[] = [];
  const execution = await startChecks(input(...modes), (result) => seen.push(result)).done;
  return { seen, execution };
}

describe("startChecks", () => {
  test("reports every check, whatever its outcome, and the summary", async () => {
    const { seen, execution } = await execute();
    expect(execution.faults).toEqual([]);
    expect(seen.map(({ id }) => id).sort()).toEqual(PLANNED.map(({ check }) => check.id).sort());
    expect(execution.results).toEqual(seen);
    expect(seen.filter(({ outcome }) => outcome === "fail").map(({ id }) => id)).toEqual(["read-1"]);
    expect(seen.filter(({ outcome }) => outcome === "warn").map(({ id }) => id)).toEqual(["read-2"]);
    // Counted after the session was closed, as closing may send requests.
    expect(execution.summary?.requests).toBe(PLANNED.length);
  });

  test("stages follow each other; burst and finish one check at a time", async () => {
    const { seen } = await execute();
    const log = (seen.find(({ id }) => id === "finish-4")?.message ?? "").split("\n");
    const stages = log.map((line) => line.split("-")[0]);
    expect(stages.filter((stage, index) => stage !== stages[index - 1])).toEqual([
      "prepare",
      "repeat",
      "read",
      "write",
      "burst",
      "finish",
    ]);
    expect(log.some((line) => line.includes("beside read-1 read-2 read-3 read-4"))).toBe(true);
    // Equal waits end in the order in which they began: what ran at the same time tells.
    for (const line of log)
      expect(new Set(line.split(/ (?:beside )?/).map((id) => id.split("-")[0])).size).toBe(1);
    for (const line of log.filter((each) => /^(burst|finish)/.test(each))) {
      const [id, beside] = line.split(" beside ");
      expect(beside).toBe(id);
    }
  });

  test("a target that cannot be judged gives the sentence and no result", async () => {
    const { seen, execution } = await execute("refused");
    expect(execution.problem).toBe("the service refuses the token");
    expect(seen).toEqual([]);
  });

  test("a check that never reports is a fault, not a silence", async () => {
    const { seen, execution } = await execute("crash");
    expect(seen.map(({ id }) => id)).not.toContain("write-2");
    expect(execution.faults.join()).toContain("the judge broke its word");
    expect(seen.map(({ id }) => id)).toContain("finish-4");
  });

  test("an engine that does not start is a fault", async () => {
    const { execution } = await execute("throws");
    expect(execution.results).toEqual([]);
    expect(execution.faults.join()).toContain("the engine does not start");
  });

  test("an interrupt ends what is in flight, and what is to come", async () => {
    const running = startChecks(input("hangs"), () => {});
    running.interrupt();
    const execution = await running.done;
    expect(execution.results.map(({ id }) => id).sort()).toEqual(PLANNED.map(({ check }) => check.id).sort());
    expect(execution.results.find(({ id }) => id === "finish-1")?.reason).toBe("interrupted");
    expect(execution.summary).toBeDefined();
  });

  test("leaves the signals to the command", async () => {
    const before = [process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")];
    const running = startChecks(input(), () => {
      expect([process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")]).toEqual(before);
    });
    await running.done;
  });
});
