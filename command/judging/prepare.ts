import type { Check } from "../../client/check.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { readWaivers, refuseIdleWaivers, type Waiver } from "../../runner/reporting/waivers.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { SpecificationText } from "../../spec/specification-text.ts";
import { allChecks } from "../../suites/index.ts";
import type { Flags } from "../flags.ts";
import type { OptionValues } from "../options/options.ts";
import { reportedOptions, toSettings } from "../options/settings.ts";
import { readEdition, refuseIdlePatterns } from "../running/prepare.ts";

export interface Judging {
  spec: Spec;
  settings: Settings;
  checks: Check[];
  waivers: Waiver[];
  options: Record<string, unknown>;
  specification?: SpecificationText;
  startedAt: Date;
  others: OthersFlags;
}

interface OthersFlags {
  ignoredHeaders: string[];
  isWhole: boolean;
}

/** Returns the checks, the settings and the edition with which traffic is judged. */
export function prepareJudging(values: OptionValues, flags: Flags = {}): Judging {
  // Without a space, the traffic of all spaces is judged.
  const { files, spec, profile } = readEdition({ space: "", ...values });
  const settings: Settings = {
    ...toSettings(values, 0),
    depth: "full",
    ...(profile ? { profile } : {}),
  };
  const checks = allChecks(spec, profile);
  const waivers = values.waivers === undefined ? [] : readWaivers(values.waivers);
  refuseIdleWaivers(waivers, checks, spec.requirements.keys());
  refuseIdlePatterns(planChecks(spec, settings, checks), settings);
  return {
    spec,
    settings,
    checks,
    waivers,
    options: reportedOptions(values, settings),
    ...(files.specification ? { specification: files.specification } : {}),
    startedAt: new Date(),
    others: {
      ignoredHeaders: [flags.ignoreHeader ?? []].flat().map((name) => String(name).toLowerCase()),
      isWhole: flags.soleWriter === true,
    },
  };
}
