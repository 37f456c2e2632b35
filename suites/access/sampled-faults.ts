import type { Target } from "../../client/target.ts";
import { sampleNumber } from "../../client/version-choice.ts";
import { type CredentialFault, credentialFaults, MISSING } from "../../generators/credentials.ts";
import type { Operation } from "../../spec/model/spec.ts";
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
