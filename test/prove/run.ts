/** One run of the suite in this process, against a service that was started for it. */

import { join } from "node:path";
import { type Check, ONE_BY_ONE, STAGES } from "../../client/check.ts";
import { readSpecFiles } from "../../command/options/settings.ts";
import type { RunningService } from "../../reference/index.ts";
import type { Report } from "../../reports/report.ts";
import { assembleReport } from "../../runner/assemble.ts";
import { packageIdentity, packageRoot } from "../../runner/package-root.ts";
import { type PlannedCheck, planChecks } from "../../runner/plan.ts";
import { Session } from "../../runner/session.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Level, Spec } from "../../spec/model/spec.ts";

/** Checks at the same time in the other stages; the Session bounds the requests. */
const AT_ONCE = 64;

let known: Spec | undefined;

/** The specification of this package. */
export function ownSpec(): Spec {
  if (known === undefined) {
    const { openapi, requirements } = readSpecFiles(join(packageRoot(), "spec"));
    known = loadSpec(openapi, requirements);
  }
  return known;
}

/** The level of each requirement of the catalogue. */
export function levels(): ReadonlyMap<string, Level> {
  return new Map([...ownSpec().requirements].map(([id, { level }]) => [id, level]));
}

/** The settings of a run that is offered all that a service started here has to offer. */
export function settingsFor(service: RunningService, seed: number, overrides: Partial<Settings>): Settings {
  return {
    baseUrl: service.baseUrl,
    embedded: true,
    token: service.token,
    space: service.space,
    secondSpace: service.secondSpace,
    secondToken: service.secondToken,
    fixtures: { ...service.fixtures },
    callbackUrl: "http://127.0.0.1",
    callbackPort: 0,
    serviceVersion: "all",
    paths: "as-shown",
    readOnly: false,
    only: [],
    skip: [],
    seed,
    depth: "quick",
    runs: 10,
    concurrency: 8,
    timeout: 10_000,
    visibilityDelay: 2_000,
    postNamedOnly: false,
    ...overrides,
  };
}

/** Runs the checks that `chosen` picks (all by default) and puts the Report together. */
export async function runSuite(
  settings: Settings,
  chosen: (check: Check) => boolean = () => true,
): Promise<Report> {
  const spec = ownSpec();
  const startedAt = new Date();
  const begin = performance.now();
  const planned = planChecks(spec, settings).filter(({ check }) => chosen(check));
  const session = new Session(spec, settings);
  const results: Report["checks"] = [];
  let problem: string | null;
  try {
    problem = await session.preflight();
    if (problem === null) {
      for (const stage of STAGES) {
        const members = planned.filter(({ check }) => check.stage === stage);
        await runStage(session, members, ONE_BY_ONE.includes(stage) ? 1 : AT_ONCE, results);
      }
    }
  } finally {
    await session.close();
  }
  return assembleReport({
    suite: packageIdentity(),
    spec,
    settings,
    planned,
    execution: {
      results,
      ...(problem === null ? {} : { problem }),
      summary: session.summary(),
      faults: [],
    },
    options: {},
    waivers: [],
    startedAt,
    durationMs: performance.now() - begin,
    interrupted: false,
  });
}

async function runStage(
  session: Session,
  members: readonly PlannedCheck[],
  atOnce: number,
  results: Report["checks"],
): Promise<void> {
  const queue = members.values();
  const lane = async () => {
    for (const member of queue) results.push(await session.run(member));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, members.length) }, lane));
}
