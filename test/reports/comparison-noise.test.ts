import { expect, test } from "vitest";
import { type RunningService, startReference } from "../../reference/index.ts";
import { compareReports } from "../../reports/comparing/compare.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { isTurn } from "../commit-seed.ts";
import { runSuite, settingsFor } from "../prove/run.ts";
import { withProxy } from "../suites/altering-proxy.ts";

/** Runs all checks: in a run of a part of them, chance decides which find a resource to judge. */
const run = (settings: Settings) => runSuite(settings, {});

/** The runs are slow, so each commit makes those of one test. */
async function onReference<T>(use: (service: RunningService) => Promise<T>): Promise<T> {
  const service = await startReference();
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

test.runIf(isTurn(0, 9))(
  "an unchanged service shows no change with another seed, or after an earlier run",
  async () => {
    const [before, after] = await onReference(async (service) => [
      await run(settingsFor(service, 1, {})),
      await run(settingsFor(service, 2, {})),
    ]);
    const { regressions, fixes, newlyTested, otherChanges, observations } = compareReports(before, after);
    for (const list of [regressions, fixes, newlyTested, otherChanges, observations])
      expect(list).toEqual([]);
  },
);

test.runIf(isTurn(1, 9))(
  "an unchanged service loses nothing with another seed if no fixture is given",
  async () => {
    const bare = (service: RunningService, seed: number) => run(settingsFor(service, seed, { fixtures: {} }));
    const [before, after] = await onReference(async (service) => [
      await bare(service, 1),
      await bare(service, 2),
    ]);
    const { regressions, newlyTested, noLongerTested, doubts } = compareReports(before, after);
    for (const list of [regressions, newlyTested, noLongerTested, doubts]) expect(list).toEqual([]);
  },
);

test.runIf(isTurn(2, 9))("a service that rejects with 422 instead of 400 shows one decision", async () => {
  const [before, after] = await onReference(async (service) => [
    await run(settingsFor(service, 1, {})),
    await withProxy(
      service.baseUrl,
      (_, __, answer) => (answer.status === 400 ? { ...answer, status: 422 } : undefined),
      (baseUrl) => run(settingsFor(service, 3, { baseUrl })),
    ),
  ]);
  const { decisions, observations, regressions } = compareReports(before, after);
  expect(regressions).toEqual([]);
  expect(decisions).toMatchObject([{ about: "status of rejections", old: "400", new: "422" }]);
  expect(observations.length).toBeGreaterThan(50);
});
