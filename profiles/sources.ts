import type { CheckFacts } from "../spec/model/check.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Behaviour, isNotedBy } from "./behaviour.ts";
import { behaviourOf } from "./behaviours.ts";
import { type ByPlace, type Profile, promisedAround, type RejectionCause, SILENT_ON } from "./promises.ts";

/** Returns the checks that send requests which are rejected for this cause. */
export function rejectionSources<C extends CheckFacts>(
  checks: readonly C[],
  cause: RejectionCause,
  operation: Operation,
): C[] {
  return checks.filter((one) => one.operation === operation.key && one.cause === cause);
}

/** Returns the checks that note the behaviour at the operation. */
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

/** True if the check tests a promise of the profile. */
export function isPromised(check: CheckFacts, { promised }: Profile): boolean {
  const isHere = (by: ByPlace<unknown>) => promisedAround(by, check.operation).length > 0;
  return promised.some((promise) => {
    if (promise.kind === "rejection") return promise.cause === check.cause && isHere(promise.statuses);
    if (promise.kind !== "practice") return false;
    const behaviour = behaviourOf(promise.practice);
    return behaviour !== undefined && isNotedBy(behaviour, check) && isHere(promise.answers);
  });
}
