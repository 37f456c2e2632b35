/** Runs the suite on the independent service with one bug in it. */

import type { Check } from "../../../client/check.ts";
import type { CheckResult, Report } from "../../../reports/report.ts";
import { findingAt } from "../../prove/digest.ts";
import { levels, runSuite, settingsFor } from "../../prove/run.ts";
import type { Bug } from "./bug.ts";
import { startWith } from "./plant.ts";

export interface Met {
  report: Report;
  /** Findings of a requirement that the bug breaks, at an operation of the bug. */
  own: CheckResult[];
  /** All other findings. */
  others: CheckResult[];
  /** Violations that were seen and did not show again. */
  unsteady: CheckResult[];
}

interface How {
  /** If false, only the checks of the broken requirements run, at the operations of the bug. */
  whole?: boolean;
  depth?: "quick" | "full";
}

/** Starts the service with the bug, and runs the suite on it. */
export async function meet(
  bug: Bug,
  seed: number,
  { whole = false, depth = "quick" }: How = {},
): Promise<Met> {
  const service = await startWith(bug);
  try {
    // Without a callback, the suite does not wait for deliveries. No bug is about them.
    const {
      callbackUrl: _,
      callbackPort: _port,
      ...settings
    } = settingsFor({ ...service, secondToken: service.token }, seed, {
      embedded: false,
      depth,
      fixtures: service.fixtures,
      visibilityDelay: 100,
    });
    const isOwn = ({ requirements, operation }: Pick<Check, "requirements" | "operation">) =>
      requirements.some((id) => bug.breaks.includes(id)) && bug.at.includes(operation);
    const report = await runSuite(settings, whole ? {} : { chosen: isOwn });
    const found = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
    const right = ({ requirements, outcome }: CheckResult) =>
      requirements.some((id) => bug.breaks.includes(id) && findingAt(levels().get(id) ?? "MUST") === outcome);
    const own = found.filter((result) => isOwn(result) && right(result));
    const others = found.filter((result) => !own.includes(result));
    return { report, own, others, unsteady: report.checks.filter(({ outcome }) => outcome === "unsteady") };
  } finally {
    await service.close();
  }
}
