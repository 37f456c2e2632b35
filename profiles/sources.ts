import type { CheckFacts } from "../spec/model/check.ts";
import type { Operation } from "../spec/model/spec.ts";
import { isNotedBy, type Practice } from "./practice.ts";
import { type RejectionCause, SILENT_ON } from "./promises.ts";

export function rejectionSources<C extends CheckFacts>(
  checks: readonly C[],
  cause: RejectionCause,
  operation: Operation,
): C[] {
  return checks.filter((one) => one.operation === operation.key && one.cause === cause);
}

export function practiceSources<C extends CheckFacts>(
  checks: readonly C[],
  practice: Practice,
  operation: Operation,
): C[] {
  return checks.filter((one) => one.operation === operation.key && isNotedBy(practice, one));
}

export function errorSources<C extends CheckFacts>(checks: readonly C[], operation: Operation): C[] {
  const silent: readonly string[] = Object.values(SILENT_ON);
  return checks.filter(
    (one) =>
      one.operation === operation.key &&
      (one.cause !== undefined || one.requirements.some((id) => silent.includes(id))),
  );
}
