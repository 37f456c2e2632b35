import type { Seen } from "../client/target.ts";
import type { SeenValues } from "../profiles/seen-values.ts";
import { suggestProfile } from "../profiles/suggest.ts";
import type { CheckResult } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { allChecks } from "../suites/index.ts";
import { atDepth } from "./plan.ts";

/** The profile that the observations of a run suggest, as YAML. */
export function suggestedProfile(
  spec: Spec,
  settings: Settings,
  seenValues: SeenValues,
  ended: (checkId: string) => { result: CheckResult; seen: Seen[] } | undefined,
): string {
  const { embedded, baseUrl } = settings;
  const checks = atDepth(allChecks(spec), settings);
  return suggestProfile({
    spec,
    checks,
    whole: checks.every(({ id }) => ended(id) !== undefined),
    seenValues,
    observed: ({ id }) => {
      const told = ended(id);
      if (!told) return undefined;
      const { result, seen } = told;
      // A violation that did not show again proves as little as a skipped check.
      const unproven = result.outcome === "unsteady" ? ("drift" as const) : result.reason;
      return { ...(unproven === undefined ? {} : { skipped: unproven }), seen };
    },
    service: embedded ? "the embedded reference service" : baseUrl,
  });
}
