/** Runs the suite on the service of a family, with one fault or habit, or with none. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../client/check.ts";
import type { CheckResult, Report } from "../../reports/report.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { runSuite } from "../prove/run.ts";
import { FAMILIES, type Family, type FamilyName } from "./families.ts";
import type { Fault } from "./faults.ts";
import type { Departure } from "./serving.ts";

const FOLDER = join(packageRoot(), "test/editions");
const file = (name: string) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") });

const loaded = new Map<FamilyName, Spec>();

function specOf(name: FamilyName): Spec {
  const { openapi, requirements } = FAMILIES[name];
  const spec = loaded.get(name) ?? loadSpec(file(openapi), file(requirements));
  loaded.set(name, spec);
  return spec;
}

export interface Met {
  report: Report;
  /** Checks that failed or warned. */
  found: CheckResult[];
  /** The checks of `found` on a requirement that the fault breaks, at an operation where it shows. */
  own: CheckResult[];
  unsteady: CheckResult[];
}

/**
 * Runs the suite on the service. A narrow run has only the checks of the broken requirements, and ends as
 * soon as one fails.
 */
export async function meet(
  name: FamilyName,
  departure: Departure | undefined,
  change: Partial<Pick<Settings, "seed" | "depth" | "visibilityDelay">> = {},
  how: "whole" | "narrow" = "whole",
): Promise<Met> {
  const family: Family = FAMILIES[name];
  const service = await family.start(departure);
  try {
    const settings: Settings = {
      ...{ baseUrl: service.baseUrl, embedded: false, token: family.token, fixtures: {} },
      ...{ space: family.space, secondSpace: family.secondSpace, secondToken: family.token },
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
    const report = await runSuite(settings, { spec: specOf(name), ...wanted });
    const found = report.checks.filter(isFinding);
    const unsteady = report.checks.filter(({ outcome }) => outcome === "unsteady");
    return { report, found, own: found.filter(isOwn), unsteady };
  } finally {
    await service.close();
  }
}
