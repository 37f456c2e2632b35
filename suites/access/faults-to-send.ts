import type { Target } from "../../client/target.ts";
import {
  allowedOf,
  defaultVersion,
  sampledVersion,
  sampleNumber,
  sendsAll,
} from "../../client/version-choice.ts";
import { type CredentialFault, credentialFaults, MISSING, UNKNOWN } from "../../generators/credentials.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/operations.ts";
import { shareOf } from "../shared/sampled.ts";
import { REJECTED_UPDATES } from "../updates/rejected-updates.ts";
import { isSentAtQuick } from "./sampled-faults.ts";

export interface FaultToSend {
  version: string | null;
  fault: CredentialFault;
}

/** Returns the credential faults to send to the operation, each with a version. Depth quick sends a sample. */
export function credentialFaultsToSend(
  target: Target,
  operation: Operation,
  requirement: string,
): FaultToSend[] {
  const isDocumented = !isUndocumented(operation);
  const faults = credentialFaults(requirement);
  const versions = allowedOf(target, operation);
  const sample = sampleNumber(target.settings.seed, `${requirement} ${operation.key}`);
  // Rejected updates under one version can be sent together.
  const sampled =
    operation.kind === "update"
      ? sampledVersion(target, operation, REJECTED_UPDATES)
      : (versions[sample % versions.length] ?? null);

  /** A missing token is sent under each version, to documented operations an unknown one, too. Others share versions. */
  const versionsAtFull = (fault: CredentialFault): (string | null)[] => {
    if (fault === MISSING || (fault === UNKNOWN && isDocumented)) return versions;
    if (!isDocumented || faults.length === 1) return [sampled];
    const number = faults.indexOf(fault);
    return versions.filter((_, index) =>
      shareOf(number, faults.length, (index + sample) % versions.length, versions.length),
    );
  };
  /** Documented operations also get a missing token under the default version. */
  const versionsAtQuick = (fault: CredentialFault): (string | null)[] => {
    if (fault !== MISSING) return isSentAtQuick(target, operation, fault) ? [sampled] : [];
    const byDefault = isDocumented ? defaultVersion(target, operation) : sampled;
    return versions.filter((version) => version === sampled || version === byDefault);
  };

  const versionsOf = sendsAll(target) ? versionsAtFull : versionsAtQuick;
  return faults.flatMap((fault) => versionsOf(fault).map((version) => ({ version, fault })));
}
