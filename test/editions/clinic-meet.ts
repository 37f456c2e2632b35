/** Runs the suite on the clinic service, with one fault or habit, or with none. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../client/check.ts";
import type { CheckResult, Report } from "../../reports/report.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { runSuite } from "../prove/run.ts";
import type { Fault } from "./clinic-faults.ts";
import { type Departure, OTHER_PRACTICE, PRACTICE, startClinic, TOKEN } from "./clinic-service.ts";

const FOLDER = join(packageRoot(), "test/editions/clinic");
const file = (name: string) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") });

const CLINIC = loadSpec(file("openapi.yaml"), file("requirements.yaml"));

export interface Met {
  report: Report;
  /** Checks that failed or warned. Unsteady ones are not among them. */
  found: CheckResult[];
  /**
   * Those of `found` that are about the fault: a requirement that it breaks, at an operation where it shows.
   */
  own: CheckResult[];
  unsteady: CheckResult[];
}

/**
 * Runs the suite on the clinic. A narrow run has only the checks of the broken requirements, and ends as
 * soon as one fails.
 */
export async function meetClinic(
  departure: Departure | undefined,
  change: Partial<Pick<Settings, "seed" | "depth" | "visibilityDelay">> = {},
  how: "whole" | "narrow" = "whole",
): Promise<Met> {
  const clinic = await startClinic(departure);
  try {
    const settings: Settings = {
      ...{ baseUrl: clinic.baseUrl, embedded: false, token: TOKEN, fixtures: {} },
      ...{ space: PRACTICE, secondSpace: OTHER_PRACTICE, secondToken: TOKEN },
      ...{ serviceVersion: "all", paths: "as-shown", readOnly: false, only: [], skip: [] },
      ...{ seed: 1, depth: "full", runs: 10, concurrency: 8, timeout: 10_000, visibilityDelay: 500 },
      ...{ postNamedOnly: false, ...change },
    };
    const fault: Partial<Fault> = departure ?? {};
    const isOwn = ({ requirements, operation }: Pick<Check, "requirements" | "operation">) =>
      requirements.some((id) => fault.breaks?.includes(id)) && fault.at?.includes(operation) === true;
    const isFinding = ({ outcome }: CheckResult) => outcome === "fail" || outcome === "warn";
    const enough = (result: CheckResult) => isOwn(result) && isFinding(result);
    const wanted = how === "whole" ? {} : { chosen: isOwn, enough };
    const report = await runSuite(settings, { spec: CLINIC, ...wanted });
    const found = report.checks.filter(isFinding);
    const unsteady = report.checks.filter(({ outcome }) => outcome === "unsteady");
    return { report, found, own: found.filter(isOwn), unsteady };
  } finally {
    await clinic.close();
  }
}
