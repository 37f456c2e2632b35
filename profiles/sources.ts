import type { CheckFacts } from "../spec/model/check.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Behaviour, isNotedBy } from "./behaviour.ts";
import { type RejectionCause, SILENT_ON } from "./promises.ts";

export function rejectionSources<C extends CheckFacts>(
  checks: readonly C[],
  cause: RejectionCause,
  operation: Operation,
): C[] {
  return checks.filter((one) => one.operation === operation.key && one.cause === cause);
}

export function behaviourSources<C extends CheckFacts>(
  checks: readonly C[],
  behaviour: Behaviour,
  operation: Operation,
): C[] {
  return checks.filter((one) => one.operation === operation.key && isNotedBy(behaviour, one));
}

export function errorSources<C extends CheckFacts>(checks: readonly C[], operation: Operation): C[] {
  const silent: readonly string[] = Object.values(SILENT_ON);
  return checks.filter(
    (one) =>
      one.operation === operation.key &&
      (one.cause !== undefined || one.requirements.some((id) => silent.includes(id))),
  );
}
