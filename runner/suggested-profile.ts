import type { Seen } from "../client/target.ts";
import type { SeenValues } from "../profiles/seen-values.ts";
import { suggestProfile } from "../profiles/suggest.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { allChecks } from "../suites/index.ts";
import { atDepth } from "./plan.ts";

/** A profile of what the checks of a run observed, as YAML. */
export function suggestedProfile(
  spec: Spec,
  settings: Settings,
  seenValues: SeenValues,
  observed: (checkId: string) => { skipped: boolean; seen: Seen[] } | undefined,
): string {
  const { embedded, baseUrl } = settings;
  const checks = atDepth(allChecks(spec), settings);
  return suggestProfile({
    spec,
    checks,
    whole: checks.every(({ id }) => observed(id) !== undefined),
    seenValues,
    observed: ({ id }) => observed(id),
    service: embedded ? "the embedded reference service" : baseUrl,
  });
}
