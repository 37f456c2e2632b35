import { describe, expect, test } from "vitest";
import { startReference } from "../../reference/index.ts";
import { runSuite, settingsFor } from "../prove/run.ts";

/** Limits of a whole run with any seed (docs/cost.md). */
const BOUNDS = {
  quick: { requests: 1500, created: 40, webhooks: 20 },
  full: { requests: 3500, created: 80, webhooks: 40 },
};

describe("a whole run on the reference service", () => {
  test.each([
    ["quick", 1],
    ["quick", 2],
    ["full", 1],
  ] as const)(
    "at depth %s, seed %i, stays within its bounds",
    async (depth, seed) => {
      const most = BOUNDS[depth];
      const service = await startReference();
      const { run, created = [] } = await runSuite(settingsFor(service, seed, { depth }));
      await service.close();
      const advice = "send fewer; only if the specification grew, raise the bound here and in docs/cost.md";
      expect(run.requests, advice).toBeLessThanOrEqual(most.requests);
      expect(created.length).toBeLessThanOrEqual(most.created);
      expect(created.filter(({ kind }) => kind === "webhook").length).toBeLessThanOrEqual(most.webhooks);
      // A run that does nearly nothing would keep any limit.
      expect(created.length).toBeGreaterThan(0);
      expect(run.requests).toBeGreaterThan(most.requests / 2);
    },
    120_000,
  );
});
