/** Runs checks in this process, in the same way as the command. */

import type { Check } from "../../client/check.ts";
import type { CheckResult, Observation } from "../../reports/report.ts";
import { runLoop } from "../../runner/loop.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { exampleSettings } from "../runner/settings.ts";

export interface Ran {
  results: CheckResult[];
  observations: Observation[];
  requests: number;
  suggestedProfile?: string;
}

/** Runs the checks that `pick` selects against the service that the settings name. */
export async function runChecks(
  spec: Spec,
  change: Partial<Settings>,
  pick: (check: Check) => boolean,
): Promise<Ran> {
  const settings = exampleSettings({ timeout: 10_000, runs: 5, ...change });
  const session = new Session(spec, settings);
  const planned = planChecks(spec, settings).filter(({ check }) => pick(check));
  // Send no requests before the run, so that all requests are those of checks.
  session.preflight = async () => null;
  const { results, summary, faults } = await runLoop(session, planned);
  if (summary === undefined || faults.length > 0) throw new Error(faults.join("; "));
  const { coverage: _, ...rest } = summary;
  return { results, ...rest };
}

/** Runs these checks, which a test defines, one after the other. */
export async function tryChecks(
  spec: Spec,
  change: Partial<Settings>,
  checks: Check[],
): Promise<CheckResult[]> {
  const session = new Session(spec, exampleSettings({ timeout: 10_000, ...change }));
  const results: CheckResult[] = [];
  try {
    for (const check of checks) results.push(await session.run({ check }));
  } finally {
    await session.close();
  }
  return results;
}
