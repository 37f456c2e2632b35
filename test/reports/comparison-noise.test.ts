import { beforeAll, expect, test } from "vitest";
import { startReference } from "../../reference/index.ts";
import { compareReports } from "../../reports/compare.ts";
import type { Report } from "../../reports/report.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { runSuite, settingsFor } from "../prove/run.ts";
import { withProxy } from "../suites/altering-proxy.ts";

let before: Report;
let otherSeed: Report;
let otherStatus: Report;
let bare: [Report, Report];

/** Runs all checks: in a run of a part of them, chance decides which find a resource to judge. */
const run = (settings: Settings) => runSuite(settings, {});

beforeAll(async () => {
  const service = await startReference();
  try {
    before = await run(settingsFor(service, 1, {}));
    otherSeed = await run(settingsFor(service, 2, {}));
    const runBare = (seed: number) => run(settingsFor(service, seed, { fixtures: {} }));
    bare = [await runBare(1), await runBare(2)];
    otherStatus = await withProxy(
      service.baseUrl,
      (_, __, answer) => (answer.status === 400 ? { ...answer, status: 422 } : undefined),
      (baseUrl) => run(settingsFor(service, 3, { baseUrl })),
    );
  } finally {
    await service.close();
  }
});

test("an unchanged service shows no change with another seed, or after an earlier run", () => {
  const { regressions, fixes, newlyTested, otherChanges, observations } = compareReports(before, otherSeed);
  for (const list of [regressions, fixes, newlyTested, otherChanges, observations]) expect(list).toEqual([]);
});

test("an unchanged service loses nothing with another seed if no fixture is given", () => {
  const { regressions, newlyTested, noLongerTested, doubts } = compareReports(...bare);
  for (const list of [regressions, newlyTested, noLongerTested, doubts]) expect(list).toEqual([]);
});

test("a service that rejects with 422 instead of 400 shows one decision", () => {
  const { decisions, observations, regressions } = compareReports(before, otherStatus);
  expect(regressions).toEqual([]);
  expect(decisions).toMatchObject([{ about: "status of rejections", old: "400", new: "422" }]);
  expect(observations.length).toBeGreaterThan(50);
});
