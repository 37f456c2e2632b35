import type { ObservedNote } from "../../client/target.ts";
import type { SeenValues } from "../../profiles/seen-values.ts";
import { suggestProfile } from "../../profiles/suggest.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";
import { checksAtDepth } from "../planning/plan.ts";

interface Ended {
  seenValues: SeenValues;
  result(checkId: string): CheckResult | undefined;
  seen(checkId: string): ObservedNote[] | undefined;
  isDeclining(operation: Operation): boolean;
}

/** Returns a profile of the behaviour that the run observed, as YAML. */
export function suggestedProfile(spec: Spec, settings: Settings, run: Ended): string {
  const { embedded, baseUrl } = settings;
  const checks = checksAtDepth(allChecks(spec), settings);
  return suggestProfile({
    spec,
    checks,
    whole: checks.every(({ id }) => run.result(id) !== undefined),
    seenValues: run.seenValues,
    isDeclining: (operation) => run.isDeclining(operation),
    observed: ({ id }) => {
      const result = run.result(id);
      if (!result) return undefined;
      const unproven = result.outcome === "unsteady" ? ("drift" as const) : result.reason;
      return { ...(unproven === undefined ? {} : { skipped: unproven }), seen: run.seen(id) ?? [] };
    },
    service: embedded ? "the embedded reference service" : baseUrl,
  });
}
