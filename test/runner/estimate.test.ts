import { describe, expect, test } from "vitest";
import { startReference } from "../../reference/index.ts";
import { runLoop } from "../../runner/loop.ts";
import { estimate, secondsFor } from "../../runner/planning/estimate.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import { settingsFor } from "../prove/run.ts";
import { spec } from "./example.ts";

/** Estimates of parts of a run. bounds.test.ts tests those of whole runs. */
describe("what a run would send", () => {
  test.each(["responses/LIST-COUNT GET /banks", "LIST-COUNT", "lists", "GET /countries", "POST /webhooks"])(
    "is right up to a factor of four for --only %s, and never zero",
    async (only) => {
      const service = await startReference();
      const settings = { ...settingsFor(service, 7, {}), only: [only] };
      const planned = planChecks(spec, settings);
      const session = new Session(spec, settings);
      await runLoop(session, planned);
      await service.close();
      const about = estimate(planned, settings).requests;
      expect(about).toBeGreaterThan(session.requests / 4);
      expect(about).toBeLessThan(session.requests * 4);
    },
  );

  test("leaves out what is not selected, and stays within the limits of the settings", () => {
    const settings = { depth: "quick", maxRequests: 10, maxCreated: 2 };
    const planned = planChecks(spec, settingsFor({ fixtures: {} } as never, 1, {}));
    expect(estimate(planned, settings)).toMatchObject({ requests: 10, created: 2 });
    expect(estimate(planned, { depth: "quick", readOnly: true }).created).toBe(0);
    const skipped = planned.map(({ check }) => ({
      check,
      skip: { reason: "not-selected" as const, message: "" },
    }));
    expect(estimate(skipped, { depth: "quick" })).toEqual({
      requests: 0,
      created: 0,
      operations: [],
      suites: [],
    });
  });

  test("is as long as rate or latency require", () => {
    expect(secondsFor(100, { latency: 0, concurrency: 8, rate: 10 })).toBe(10);
    expect(secondsFor(100, { latency: 80, concurrency: 8 })).toBe(1);
    expect(secondsFor(100, { latency: 80, concurrency: 8, rate: 1_000 })).toBe(1);
    expect(secondsFor(100, { latency: 0, concurrency: 8 })).toBe(0);
  });
});
