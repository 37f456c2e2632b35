/** Runs the suite in this process, on a service of this repository. */

import { join } from "node:path";
import type { Check } from "../../client/check.ts";
import { readSpecFiles } from "../../command/options/settings.ts";
import type { RunningService } from "../../reference/index.ts";
import type { CheckResult, Report } from "../../reports/report.ts";
import { runLoop } from "../../runner/loop.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { assembleReport } from "../../runner/reporting/assemble.ts";
import { Session } from "../../runner/session.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Level, Spec } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";

let known: Spec | undefined;

/** The specification of this package. */
export function ownSpec(): Spec {
  if (known === undefined) {
    const { openapi, requirements } = readSpecFiles(join(packageRoot(), "spec"));
    known = loadSpec(openapi, requirements);
  }
  return known;
}

export function ownChecks(): Check[] {
  return allChecks(ownSpec());
}

export function levels(): ReadonlyMap<string, Level> {
  return new Map([...ownSpec().requirements].map(([id, { level }]) => [id, level]));
}

/** The settings of a run that uses everything the service offers. */
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

export interface Wanted {
  /** By default the specification of this package. */
  spec?: Spec;
  /** Selects the checks to run. By default all run. */
  chosen?: (check: Check) => boolean;
  /** Called with each result. The run ends once it returns true. */
  enough?: (result: CheckResult) => boolean;
}

export async function runSuite(
  settings: Settings,
  { spec = ownSpec(), chosen, enough }: Wanted = {},
): Promise<Report> {
  const startedAt = new Date();
  const begin = performance.now();
  const planned = planChecks(spec, settings).filter(({ check }) => chosen?.(check) ?? true);
  const ended = new AbortController();
  const execution = await runLoop(new Session(spec, settings), planned, {
    signal: ended.signal,
    onResult: (result) => {
      if (enough?.(result)) ended.abort();
    },
  });
  return assembleReport({
    spec,
    settings,
    planned,
    execution,
    options: {},
    waivers: [],
    startedAt,
    durationMs: performance.now() - begin,
    interrupted: ended.signal.aborted,
  });
}
