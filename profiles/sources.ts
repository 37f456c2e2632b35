import type { CheckFacts } from "../spec/model/check.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Behaviour, isNotedBy } from "./behaviour.ts";
import { behaviourOf } from "./behaviours.ts";
import { type ByPlace, type Profile, type RejectionCause, SILENT_ON } from "./promises.ts";

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

/** True if the profile promises what the check observes, at the operation of the check. */
export function isPromised(check: CheckFacts, { promised }: Profile): boolean {
  return promised.some((promise) => {
    if (promise.kind === "rejection")
      return promise.cause === check.cause && isNamed(promise.statuses, check.operation);
    const behaviour = promise.kind === "practice" ? behaviourOf(promise.practice) : undefined;
    return (
      promise.kind === "practice" &&
      behaviour !== undefined &&
      isNotedBy(behaviour, check) &&
      isNamed(promise.answers, check.operation)
    );
  });
}

function isNamed(by: ByPlace<unknown>, operation: string): boolean {
  return Object.keys(by).some((place) => place === operation || place.startsWith(`${operation} `));
}
