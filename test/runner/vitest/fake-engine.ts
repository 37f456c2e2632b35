/** Engines that need no service: what they do is said by the `only` setting. */

import { STAGES, type Stage } from "../../../client/check.ts";
import type { CheckResult } from "../../../reports/report.ts";
import type { PlannedCheck } from "../../../runner/plan.ts";
import type { Engine, RunInput } from "../../../runner/vitest/protocol.ts";

/** A check that only says when it runs. */
export function fakeCheck(id: string, stage: Stage): PlannedCheck {
  return {
    check: {
      id,
      title: id,
      suite: "fake",
      requirements: ["LIST-COUNT"],
      operation: "GET /webhooks",
      serviceVersion: null,
      versioned: false,
      stage,
      writes: false,
      run: () => Promise.resolve(),
    },
  };
}

export const PLANNED: PlannedCheck[] = STAGES.flatMap((stage) =>
  [1, 2, 3, 4].map((number) => fakeCheck(`${stage}-${number}`, stage)),
);

export function createEngine(input: RunInput): Engine {
  const modes = new Set(input.settings.only);
  if (modes.has("throws")) throw new Error("the engine does not start");
  const running = new Set<string>();
  const log: string[] = [];
  let wake: (() => void) | undefined;
  let interrupted = false;
  let closed = false;
  const result = (id: string, change: Partial<CheckResult>): CheckResult => ({
    id,
    title: id,
    requirements: ["LIST-COUNT"],
    level: "MUST",
    suite: "fake",
    operation: "GET /webhooks",
    section: "4.16",
    serviceVersion: null,
    outcome: "pass",
    durationMs: 0,
    evidence: [],
    ...change,
  });
  return {
    planned: PLANNED,
    session: {
      preflight: async () => (modes.has("refused") ? "the service refuses the token" : null),
      run: async ({ check }) => {
        if (modes.has("crash") && check.id === "write-2") throw new Error("the judge broke its word");
        if (interrupted) return result(check.id, { outcome: "skip", reason: "interrupted" });
        running.add(check.id);
        if (modes.has("hangs") && check.stage === "read") {
          await new Promise<void>((resolve) => {
            const before = wake;
            wake = () => {
              before?.();
              resolve();
            };
          });
          return result(check.id, { outcome: "skip", reason: "interrupted" });
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`${check.id} beside ${[...running].sort().join(" ")}`);
        running.delete(check.id);
        const outcome = check.id === "read-1" ? "fail" : check.id === "read-2" ? "warn" : "pass";
        return result(check.id, { outcome, message: [...log].join("\n") });
      },
      interrupt: () => {
        interrupted = true;
        wake?.();
      },
      summary: () => ({
        requests: closed ? log.length : -1,
        observations: [],
        coverage: { operations: {}, fields: {}, constraints: {} },
      }),
      close: async () => {
        closed = true;
      },
    },
  };
}
