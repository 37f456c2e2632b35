import { describe, expect, test } from "vitest";
import { startReference } from "../../reference/index.ts";
import { estimate } from "../../runner/planning/estimate.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { commitSeed, commitShare } from "../commit-seed.ts";
import { ownSpec, runSuite, settingsFor } from "../prove/run.ts";

/** The most requests and resources of a whole run with any seed (see docs/cost.md). */
const BOUNDS = {
  quick: { requests: 1500, created: 40, webhooks: 21 },
  full: { requests: 3500, created: 80, webhooks: 40 },
};

/** Each commit tries depth quick with one of the seeds 1 to 12, and every fourth commit one of these runs. */
const DEEP = [
  ["full", 1],
  ["full", 2],
] as const;

describe("a whole run on the reference service", () => {
  test.each([["quick", 1 + (commitSeed() % 12)] as const, ...commitShare(DEEP, 8)])(
    "at depth %s, seed %i, stays within its bounds and near its estimate (`npm run costs` measures it again)",
    async (depth, seed) => {
      const most = BOUNDS[depth];
      const service = await startReference();
      const settings = settingsFor(service, seed, { depth });
      const { run, created = [] } = await runSuite(settings);
      await service.close();
      const advice =
        "send fewer; if a new field or rule needs them, raise the bound here and in docs/cost.md";
      expect(run.requests, advice).toBeLessThanOrEqual(most.requests);
      expect(created.length).toBeLessThanOrEqual(most.created);
      expect(created.filter(({ kind }) => kind === "webhook").length).toBeLessThanOrEqual(most.webhooks);
      // A run that does nearly nothing must not pass this test.
      expect(created.length).toBeGreaterThan(0);
      expect(run.requests).toBeGreaterThan(most.requests / 2);
      const about = estimate(planChecks(ownSpec(), settings), settings);
      expect(Math.abs(about.requests - run.requests) / run.requests).toBeLessThan(0.25);
      expect(Math.abs(about.created - created.length)).toBeLessThan(10 + 0.25 * created.length);
    },
  );
});
