import { Call } from "../../client/call.ts";
import { stageOf, unlessNotTested } from "../../client/check.ts";
import { askOnOtherPath, onOtherPath } from "../../client/other-path.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { isAccepted, isRejected, type Probe, type Target } from "../../client/target.ts";
import { likelyComplete, undocumentedRequest } from "../../client/undocumented.ts";
import {
  allowedOf,
  defaultVersion,
  sampledVersion,
  sampleNumber,
  sendsAll,
} from "../../client/version-choice.ts";
import { credentialKey } from "../../client/without-token.ts";
import {
  type CredentialFault,
  credentialFaults,
  MISSING,
  UNKNOWN,
  withCredentialFault,
} from "../../generators/credentials.ts";
import { type RequestPlan, requestTo, withQuery } from "../../generators/request.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { otherPaths } from "../../spec/other-paths.ts";
import { isUndocumented } from "../../spec/undocumented.ts";
import { inLowerCase, minimalAgain } from "../shared/creation-again.ts";
import { ofRejected, oneVersionProbe, plainProbe, shareOf } from "../shared/sampled.ts";
import { answerAmongRejected, REJECTED_UPDATES } from "../updates/rejected-updates.ts";

/** Sends the faults of the token (section 5) beside the valid twin. */
export function wrongCredentials(operation: Operation, requirement: string): Probe {
  return {
    id: `${requirement} ${operation.id}`,
    stage: stageOf(operation),
    sendsRejectedCreates: operation.kind === "create",
    run: async (target) => {
      const send = async ({ version, fault }: FaultToSend) => {
        const call = new Call(target, operation, version);
        if (isUndocumented(operation)) await askAnyList(target);
        else await call.control();
        await sendWith(call, fault);
      };
      const faults = faultsToSend(target, operation, requirement);
      // A DELETE that is wrongly accepted leaves no resource for a fault that is sent at the same time.
      if (operation.kind === "other") for (const fault of faults) await send(fault);
      else await sideBySide(faults, send);
    },
  };
}

/** Sends a valid request without Authorization. */
export function requestsWithoutToken(operation: Operation): Probe {
  const send = (call: Call) => sendWith(call, MISSING);
  return ofRejected(plainProbe("without a token", operation, stageOf(operation), send), operation);
}

interface FaultToSend {
  version: string | null;
  fault: CredentialFault;
}

/** Returns the credential faults to send to the operation, of which a quick run sends a sample. */
function faultsToSend(target: Target, operation: Operation, requirement: string): FaultToSend[] {
  const faults = credentialFaults(requirement);
  const sample = sampleNumber(target.settings.seed, `${requirement} ${operation.key}`);
  const choice: Choice = {
    operation,
    isDocumented: !isUndocumented(operation),
    faults,
    versions: allowedOf(target, operation),
    sampled: versionSampled(target, operation, sample),
    byDefault: defaultVersion(target, operation),
    sample,
  };
  const versionsFor = sendsAll(target) ? versionsAtFull : versionsAtQuick;
  return faults.flatMap((fault) => versionsFor(choice, fault).map((version) => ({ version, fault })));
}

interface Choice {
  operation: Operation;
  isDocumented: boolean;
  faults: readonly CredentialFault[];
  versions: readonly (string | null)[];
  sampled: string | null;
  byDefault: string | null;
  /** A number that depends on seed, requirement and operation. */
  sample: number;
}

function versionSampled(target: Target, operation: Operation, sample: number): string | null {
  // Rejected updates under one version can be sent together.
  if (operation.kind === "update") return sampledVersion(target, operation, REJECTED_UPDATES);
  const versions = allowedOf(target, operation);
  return versions[sample % versions.length] ?? null;
}

/**
 * Returns every version for a missing token, and for an unknown one if the operation is documented. Other
 * faults share the versions.
 */
function versionsAtFull(choice: Choice, fault: CredentialFault): readonly (string | null)[] {
  const { isDocumented, faults, versions, sample } = choice;
  if (fault === MISSING || (fault === UNKNOWN && isDocumented)) return versions;
  if (!isDocumented || faults.length === 1) return [choice.sampled];
  const faultNumber = faults.indexOf(fault);
  return versions.filter((_, index) => {
    const versionNumber = (index + sample) % versions.length;
    return shareOf(faultNumber, faults.length, versionNumber, versions.length);
  });
}

/**
 * Returns the sampled version for a missing token, and the default one if the operation is documented. The
 * seed picks other faults, but updates get all.
 */
function versionsAtQuick(choice: Choice, fault: CredentialFault): readonly (string | null)[] {
  const { operation, isDocumented, versions, sampled, byDefault } = choice;
  if (fault === MISSING) {
    const wanted = isDocumented ? [sampled, byDefault] : [sampled];
    return versions.filter((version) => wanted.includes(version));
  }
  return operation.kind === "update" || isPickedBySeed(choice, fault) ? [sampled] : [];
}

function isPickedBySeed({ isDocumented, faults, sample }: Choice, fault: CredentialFault): boolean {
  if (!isDocumented && !faults.includes(MISSING)) return faults.indexOf(fault) === sample % faults.length;
  const { number, total } = fault.share ?? { number: 0, total: 1 };
  return number === sample % total;
}

/** Sends a request that is valid except for its credential, unless an equal one was sent. */
function sendWith(call: Call, fault: CredentialFault): Promise<void> {
  const { target, operation, version } = call;
  return target.memoize(credentialKey(operation, version, fault), async () => {
    if (await answerAmongRejected(call, fault.title)) return;
    const { token } = target.settings;
    const plan = withCredentialFault(await requestFor(call, fault), token, target.runId, fault);
    if (plan) await call.send(plan);
  });
}

/** Returns the valid request whose credential is then made faulty. */
async function requestFor(call: Call, fault: CredentialFault): Promise<RequestPlan> {
  const { target, operation, version } = call;
  if (isUndocumented(operation)) return undocumentedRequest(call);
  // A service may return the stored answer of a used key before it checks the token.
  if (fault === MISSING && operation.idempotencyKey && call.isDefaultVersion) {
    const { plan, answer } = await call.plain("full");
    if (isAccepted(answer)) return plan;
  }
  const plan = await unlessNotTested(() => call.fresh());
  if (!plan) return likelyComplete(target, requestTo(operation, version));
  return fault === MISSING && !call.isDefaultVersion ? behindCursor(call, plan) : plan;
}

/** Adds an issued cursor, which a service may accept instead of a token. */
function behindCursor({ target, operation }: Call, plan: RequestPlan): RequestPlan {
  const { after } = operation.list ?? {};
  const page = target
    .history()
    .lists.pages(operation)
    .find(({ next }) => next !== null);
  if (!after || !page || page.next === null) return plan;
  const own = { ...plan, query: page.entry.request.query };
  return withQuery(own, { [after.name]: page.next });
}

/** Shows that the right token works. Else the rejection of a wrong one proves nothing. */
function askAnyList(target: Target): Promise<void> {
  return target.memoize("any list", async () => {
    for (const operation of target.spec.operations.filter(({ kind }) => kind === "list")) {
      const call = new Call(target, operation);
      const answer = await call.valid().then(
        (plan) => call.target.ask(plan),
        () => undefined,
      );
      if (answer && isAccepted(answer)) return;
    }
  });
}

/**
 * Sends the fault only if a valid read shows that other paths answer. A valid write would change something.
 */
export function faultyTokenOnOtherPath(operation: Operation, other: string, fault: CredentialFault): Probe {
  return plainProbe(`${fault.title} on ${other}`, operation, stageOf(operation), async (call) => {
    const { target } = call;
    const isRead = operation.method === "GET";
    const isPathServed = isRead ? await acceptsOn(call, other) : await acceptsListOnOtherPath(target);
    if (!isPathServed) return;
    const plan = onOtherPath(target, await call.fresh(), other);
    const faulty = withCredentialFault(plan, target.settings.token, target.runId, fault);
    if (faulty) await call.send(faulty);
  });
}

async function acceptsOn(call: Call, other: string): Promise<boolean> {
  return isAccepted(await askOnOtherPath(call.target, await call.valid(), other));
}

async function acceptsListOnOtherPath(target: Target): Promise<boolean> {
  const [first] = listsOnOtherPaths(target.spec);
  return first !== undefined && acceptsOn(new Call(target, first.operation), first.other);
}

function listsOnOtherPaths(spec: Spec): { operation: Operation; other: string }[] {
  return spec.operations
    .filter(({ kind }) => kind === "list")
    .filter(
      ({ parameters }) => !parameters.some((parameter) => parameter.in === "query" && parameter.required),
    )
    .flatMap((operation) => otherPaths(spec, operation).map((other) => ({ operation, other })));
}

/** Sends the scheme `bearer` in lower case. If `bearer` is rejected, the valid twin with `Bearer` follows. */
export function lowerCaseScheme(operation: Operation): Probe {
  return oneVersionProbe("lower-case scheme", operation, stageOf(operation), async (call) => {
    const hasBody = operation.kind === "create" && operation.body !== undefined;
    if (hasBody && isAccepted((await minimalAgain(call)).lowerCaseAnswer)) return;
    const answer = await call.send(inLowerCase(call.target, await call.fresh()), "accepted");
    if (isRejected(answer)) await call.control();
  });
}
