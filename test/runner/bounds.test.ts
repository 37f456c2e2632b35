import { describe, expect, test } from "vitest";
import { startReference } from "../../reference/index.ts";
import { runSuite, settingsFor } from "../prove/run.ts";

/** What a whole run may send and leave behind, whatever its seed (docs/cost.md). */
const BOUNDS = {
  quick: { requests: 1500, created: 40, webhooks: 20 },
};

describe("a whole run on the reference service", () => {
  test.each([1, 2])(
    "at depth quick, seed %i, stays within its bounds",
    async (seed) => {
      const service = await startReference();
      const { run, created = [] } = await runSuite(settingsFor(service, seed, { depth: "quick" }));
      await service.close();
      expect(run.requests).toBeLessThanOrEqual(BOUNDS.quick.requests);
      expect(created.length).toBeLessThanOrEqual(BOUNDS.quick.created);
      expect(created.filter(({ kind }) => kind === "webhook").length).toBeLessThanOrEqual(
        BOUNDS.quick.webhooks,
      );
      // A run that tried next to nothing would stay within any bounds.
      expect(created.length).toBeGreaterThan(0);
      expect(run.requests).toBeGreaterThan(BOUNDS.quick.requests / 2);
    },
    120_000,
  );
});
