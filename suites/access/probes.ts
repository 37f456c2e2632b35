import { Call } from "../../client/call.ts";
import { stageOf, unlessNotTested } from "../../client/check.ts";
import { askOnOtherPath, onOtherPath } from "../../client/other-paths.ts";
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
import { type RequestPlan, withQuery } from "../../generators/request.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUndocumented, operationsOf } from "../../spec/operations.ts";
import { otherPaths } from "../../spec/path-readings.ts";
import { inLowerCase, minimalAgain } from "../shared/creation-again.ts";
import { ofRejected, oneVersionProbe, plainProbe, shareOf } from "../shared/sampled.ts";
import { isSentAtQuick } from "../shared/sampled-faults.ts";
import { answerAmongRejected, REJECTED_UPDATES } from "../updates/rejected-updates.ts";

/** Sends the faults of the token (section 5) beside the valid twin. */
export function wrongCredentials(operation: Operation, requirement: string): Probe {
  const probe = plainProbe(requirement, operation, stageOf(operation), async (byDefault) => {
    const { target } = byDefault;
    const send = async ({ version, fault }: FaultToSend) => {
      const call = byDefault.under(version);
      if (isUndocumented(operation)) await askAnyList(target);
      else await call.control();
      await sendWith(call, fault);
    };
    const faults = credentialFaultsToSend(target, operation, requirement);
    // A DELETE that is wrongly accepted leaves no resource for a fault that is sent at the same time.
    if (operation.kind === "other") for (const fault of faults) await send(fault);
    else await sideBySide(faults, send);
  });
  return ofRejected(probe, operation);
}

/** Sends a valid request without Authorization. */
export function requestsWithoutToken(operation: Operation): Probe {
  const send = (call: Call) => sendWith(call, MISSING);
  return ofRejected(plainProbe("without a token", operation, stageOf(operation), send), operation);
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
  const { target, operation } = call;
  if (isUndocumented(operation)) return undocumentedRequest(call);
  // A service may return the stored answer of a used key before it checks the token.
  if (fault === MISSING && operation.idempotencyKey && call.isDefaultVersion) {
    const { plan, answer } = await call.plain("full");
    if (isAccepted(answer)) return plan;
  }
  const plan = await unlessNotTested(() => call.fresh());
  if (!plan) return likelyComplete(target, call.request());
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
    for (const operation of operationsOf(target.spec, "list")) {
      const call = new Call(target, operation);
      const answer = await call.valid().then(
        (plan) => call.target.ask(plan),
        () => undefined,
      );
      if (answer && isAccepted(answer)) return;
    }
  });
}

/** Sends the fault only if a valid read shows that other paths answer: a valid write would change something. */
export function faultyTokenOnOtherPath(operation: Operation, other: string, fault: CredentialFault): Probe {
  return plainProbe(`${fault.title} on ${other}`, operation, stageOf(operation), async (call) => {
    const { target } = call;
    const isRead = operation.method === "GET";
    if (!(await (isRead ? acceptsOn(call, other) : acceptsListOnOtherPath(call)))) return;
    const plan = onOtherPath(target, await call.fresh(), other);
    const faulty = withCredentialFault(plan, target.settings.token, target.runId, fault);
    if (faulty) await call.send(faulty);
  });
}

async function acceptsOn(call: Call, other: string): Promise<boolean> {
  return isAccepted(await askOnOtherPath(call.target, await call.valid(), other));
}

/** Asks for the first list without required parameters. */
async function acceptsListOnOtherPath(call: Call): Promise<boolean> {
  const { spec } = call.target;
  const isPlain = ({ parameters }: Operation) =>
    !parameters.some((parameter) => parameter.in === "query" && parameter.required);
  const list = operationsOf(spec, "list").find((each) => isPlain(each) && otherPaths(spec, each).length > 0);
  return list !== undefined && acceptsOn(call.to(list), otherPaths(spec, list)[0] ?? "");
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

interface FaultToSend {
  version: string | null;
  fault: CredentialFault;
}

/** Returns the credential faults to send to the operation, each with a version. Depth quick sends a sample. */
function credentialFaultsToSend(target: Target, operation: Operation, requirement: string): FaultToSend[] {
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
