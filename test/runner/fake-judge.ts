/** A judge for tests of the loop, without a service: read-1 fails, read-2 warns, and all other checks pass. */

import type { CheckResult } from "../../reports/report.ts";
import type { Judge } from "../../runner/loop.ts";
import type { PlannedCheck } from "../../runner/planning/plan.ts";
import { STAGES, type Stage } from "../../spec/model/check.ts";
import { exampleCheck, exampleResult } from "./example.ts";

function planned(id: string, stage: Stage): PlannedCheck {
  return { check: exampleCheck(id, { stage }) };
}

export const PLANNED: PlannedCheck[] = STAGES.flatMap((stage) =>
  [1, 2, 3, 4].map((number) => planned(`${stage}-${number}`, stage)),
);

/** The log has a line for each check: its id, and the ids that ran at the same time, itself included. */
export interface FakeJudge extends Judge {
  log: string[];
}

/**
 * Each mode changes one thing. `refused`: the target can't be judged. `crash`: write-2 never reports. `hangs`: reads
 * end only when interrupted. `certain`: not read-1 but finish-1 fails, and an early answer proves its violation.
 * `suspected`: the violations of read-1 and read-2 are only suspected. `later`: the answers to confirmations prove a
 * violation of read-3.
 */
export function fakeJudge(...modes: string[]): FakeJudge {
  const running = new Set<string>();
  const log: string[] = [];
  let wake: (() => void) | undefined;
  let interrupted = false;
  let found: ((place: { requirement: string; operation: string }) => void) | undefined;
  let closed = false;
  const result = (id: string, change: Partial<CheckResult>) => exampleResult(exampleCheck(id, {}), change);
  const work = async (id: string) => {
    running.add(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`${id} beside ${[...running].sort().join(" ")}`);
    running.delete(id);
  };
  return {
    log,
    ask: async () => {},
    preflight: async () => (modes.includes("refused") ? "the service refuses the token" : null),
    run: async ({ check: { id, stage } }) => {
      if (modes.includes("crash") && id === "write-2") throw new Error("the judge broke its word");
      if (interrupted) return result(id, { outcome: "skip", reason: "interrupted" });
      if (modes.includes("hangs") && stage === "read") {
        await new Promise<void>((resolve) => {
          const before = wake;
          wake = () => {
            before?.();
            resolve();
          };
        });
        return result(id, { outcome: "skip", reason: "interrupted" });
      }
      await work(id);
      if (modes.includes("certain") && id === "prepare-1")
        found?.({ requirement: "LIST-COUNT", operation: "GET /webhooks" });
      const failing = modes.includes("certain") ? "finish-1" : "read-1";
      const outcome = id === failing ? "fail" : id === "read-2" ? "warn" : "pass";
      return result(id, { outcome });
    },
    watchViolations: (reported) => {
      found = reported;
    },
    isSuspected: (id) => modes.includes("suspected") && ["read-1", "read-2"].includes(id),
    tryAgain: async ({ id }) => {
      await work(id);
      return { result: result(id, { outcome: id === "read-1" ? "fail" : "pass" }), shown: [] };
    },
    provenLater: (checks) =>
      checks
        .filter(({ id }) => modes.includes("later") && id === "read-3")
        .map(({ id }) => result(id, { outcome: "fail" })),
    get isOver() {
      return interrupted;
    },
    interrupt: () => {
      interrupted = true;
      wake?.();
    },
    requests: 0,
    summary: () => ({
      requests: closed ? log.length : -1,
      observations: [],
      coverage: { operations: {}, fields: {}, constraints: {} },
    }),
    close: async () => {
      closed = true;
    },
  };
}
