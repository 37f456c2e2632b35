/**
 * Every check as a vitest test. Stages follow each other; the checks of one stage run at the same time, and the
 * Session bounds what is in flight. The judgement is the Session's; vitest only schedules and shows.
 */

import { BroadcastChannel } from "node:worker_threads";
import { describe, inject, type TestContext, test } from "vitest";
import { ONE_BY_ONE, STAGES } from "../../client/check.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { EngineModule } from "./protocol.ts";

const input = inject("conformance");
const { createEngine } = (await import(/* @vite-ignore */ input.engine)) as EngineModule;
const { planned, session } = createEngine(input);
let problem: string | null = null;

const channel = new BroadcastChannel(input.channel);
channel.onmessage = () => session.interrupt();

test("preflight: the target can be judged", async ({ task, signal }) => {
  signal.addEventListener("abort", () => session.interrupt());
  problem = await session.preflight();
  if (problem !== null) {
    task.meta.conformance = { kind: "problem", problem };
    fail(problem);
  }
});

for (const stage of STAGES) {
  const members = planned.filter(({ check }) => check.stage === stage);
  if (members.length === 0) continue;
  const concurrent = !ONE_BY_ONE.includes(stage);
  // The tests are concurrent, not the suites: vitest runs neighbouring concurrent suites at the same time.
  describe(stage, () => {
    for (const member of members) {
      test(member.check.id, { concurrent }, async (context) => {
        if (problem !== null) context.skip(problem);
        context.signal.addEventListener("abort", () => session.interrupt());
        const result = await session.run(member);
        context.task.meta.conformance = { kind: "result", result, requests: session.requests ?? 0 };
        show(result, context);
      });
    }
  });
}

test("summary", async ({ task }) => {
  // Closing may still send requests, to leave harmless what was created; the summary counts them.
  await session.close();
  task.meta.conformance = { kind: "summary", summary: session.summary() };
  channel.close();
});

/** Lets vitest's own reporters see the outcome, as far as its states go. */
function show(result: CheckResult, context: TestContext): void {
  const message = result.message ?? result.outcome;
  if (result.outcome === "skip") context.skip(`${result.reason}: ${message}`);
  if (result.outcome === "fail" || (input.strict && result.outcome === "warn")) fail(message);
}

/** Fails the test with a message alone: where in this file it was thrown tells nobody anything. */
function fail(message: string): never {
  const error = new Error(message);
  error.name = "Violation";
  error.stack = `${error.name}: ${message}`;
  throw error;
}
