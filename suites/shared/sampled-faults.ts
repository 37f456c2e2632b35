import type { Target } from "../../client/target.ts";
import { sampleNumber } from "../../client/version-choice.ts";
import { type CredentialFault, credentialFaults, MISSING } from "../../generators/credentials.ts";
import { type SpaceFault, spaceFaultsOf } from "../../generators/wrong-spaces.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/operations.ts";

/** True if depth quick sends the fault to the operation. The operations share the odder forms of a wrong token. */
export function isSentAtQuick({ settings }: Target, operation: Operation, fault: CredentialFault): boolean {
  const faults = credentialFaults(fault.requirement);
  const sample = sampleNumber(settings.seed, `${fault.requirement} ${operation.key}`);
  if (isUndocumented(operation) && !faults.includes(MISSING))
    return faults.indexOf(fault) === sample % faults.length;
  const { number, total } = fault.share ?? { number: 0, total: 1 };
  return number === sample % total;
}

/** Returns the faults of the space header that depth quick sends: it omits one of the two prefix faults. */
export function spaceFaultsAtQuick({ settings }: Target, { key }: Operation, space: Parameter): SpaceFault[] {
  const faults = spaceFaultsOf(space);
  const numbered = faults.filter(({ number }) => number !== undefined);
  const omitted = 1 + (sampleNumber(settings.seed, `prefix ${key}`) % 2);
  return faults.filter((fault) => numbered.indexOf(fault) !== omitted);
}
