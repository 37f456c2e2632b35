import { Call } from "../../client/call.ts";
import { NotTested, stageOf } from "../../client/check.ts";
import { askOnOtherPath, onOtherPath } from "../../client/other-path.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { isAccepted, isRejected, type Probe, type Target } from "../../client/target.ts";
import { undocumented, undocumentedRequest } from "../../client/undocumented.ts";
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
import { shareOf } from "../shared/sampled.ts";
import { REFUSED_UPDATES, refusedTogether } from "../updates/refused-updates.ts";

export function wrongCredentials(operation: Operation, requirement: string): Probe {
  return {
    id: `${requirement} ${operation.id}`,
    stage: stageOf(operation),
    run: (target) =>
      sideBySide(faultsToSend(target, operation, requirement), async ({ version, fault }) => {
        const call = new Call(target, operation, version);
        if (isUndocumented(operation)) await askAnyList(target);
        else await call.control();
        await sendWith(call, fault);
      }),
  };
}

export function withoutToken(operation: Operation): Probe {
  return {
    id: `without a token ${operation.id}`,
    stage: stageOf(operation),
    run: (target) => sendWith(new Call(target, operation), MISSING),
  };
}

interface FaultToSend {
  version: string | null;
  fault: CredentialFault;
}

function faultsToSend(target: Target, operation: Operation, requirement: string): FaultToSend[] {
  const faults = credentialFaults(requirement);
  const sample = sampleNumber(target.settings.seed, `${requirement} ${operation.key}`);
  const versionsFor = sendsAll(target) ? versionsAtFull : versionsAtQuick;
  return faults.flatMap((fault) =>
    versionsFor({ target, operation, faults, sample }, fault).map((version) => ({ version, fault })),
  );
}

interface Choice {
  target: Target;
  operation: Operation;
  faults: readonly CredentialFault[];
  sample: number;
}

/**
 * A missing token is sent under every version and, at documented operations, an unknown one, too. Other faults of a
 * requirement share the versions out.
 */
function versionsAtFull(choice: Choice, fault: CredentialFault): (string | null)[] {
  const { target, operation, faults, sample } = choice;
  const versions = allowedOf(target, operation);
  const isDocumented = !isUndocumented(operation);
  if (fault === MISSING || (fault === UNKNOWN && isDocumented)) return versions;
  if (!isDocumented || faults.length === 1) return versions.filter(isSampled(choice));
  const number = faults.indexOf(fault);
  return versions.filter((_, index) =>
    shareOf(number, faults.length, (index + sample) % versions.length, versions.length),
  );
}

/**
 * A missing token is sent under the sampled version and, at documented operations, under the default one. The seed
 * picks other faults for the sampled version, but updates get all.
 */
function versionsAtQuick(choice: Choice, fault: CredentialFault): (string | null)[] {
  const { target, operation, faults, sample } = choice;
  const versions = allowedOf(target, operation);
  const isDocumented = !isUndocumented(operation);
  const sampled = versions.filter(isSampled(choice));
  if (fault === MISSING) {
    const byDefault = isDocumented ? defaultVersion(target, operation) : undefined;
    return versions.filter((version) => version === byDefault || sampled.includes(version));
  }
  const hasOwnShare = isDocumented || faults.includes(MISSING);
  const [share, of] = hasOwnShare ? (fault.share ?? [0, 1]) : [faults.indexOf(fault), faults.length];
  return operation.kind === "update" || sample % of === share ? sampled : [];
}

function isSampled({
  target,
  operation,
  sample,
}: Choice): (version: string | null, index: number) => boolean {
  const { length } = allowedOf(target, operation);
  if (operation.kind !== "update") return (_, index) => index === sample % length;
  // All probes of rejected updates sample the same version, so that their updates can be sent together.
  const sampled = sampledVersion(target, operation, REFUSED_UPDATES);
  return (version) => version === sampled;
}

function sendWith(call: Call, fault: CredentialFault): Promise<void> {
  const { target, operation, version } = call;
  return target.memoize(credentialKey(operation, version, fault), async () => {
    if (await refusedTogether(call, fault.title)) return;
    const { token } = target.settings;
    const plan = withCredentialFault(await requestFor(call, fault), token, target.runId, fault);
    if (plan) await call.send(plan);
  });
}

async function requestFor(call: Call, fault: CredentialFault): Promise<RequestPlan> {
  const { target, operation, version } = call;
  if (isUndocumented(operation)) return undocumentedRequest(call);
  // If the idempotency key is used, a service may return its stored answer before it checks the token.
  if (fault === MISSING && operation.idempotencyKey && call.isDefaultVersion) {
    const { plan, answer } = await call.plain("full");
    if (isAccepted(answer)) return plan;
  }
  try {
    const plan = await call.fresh();
    return fault === MISSING && !call.isDefaultVersion ? behindCursor(call, plan) : plan;
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    return undocumented(target, requestTo(operation, version));
  }
}

/** Adds a cursor that the list issued, because a service may accept one instead of a token. */
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

/** Sends the right token to lists until one accepts it. Without one, the rejection of a wrong token proves nothing. */
function askAnyList(target: Target): Promise<void> {
  return target.memoize("any list", async () => {
    for (const operation of target.spec.operations.filter(({ kind }) => kind === "list")) {
      const call = new Call(target, operation);
      const answer = await call.valid().then(
        (plan) => call.ask(plan),
        () => undefined,
      );
      if (answer && isAccepted(answer)) return;
    }
  });
}

/**
 * Sends a request with a fault in its token to the path `other`, if a valid read shows that such paths answer. Even
 * for a write, the valid request is a read, because a valid write would change something.
 */
export function onOther(operation: Operation, other: string, fault: CredentialFault): Probe {
  return {
    id: `${fault.title} on ${other} ${operation.id}`,
    stage: stageOf(operation),
    async run(target) {
      const call = new Call(target, operation);
      const isRead = operation.method === "GET";
      if (!(isRead ? await answers(call, other) : await otherReadingAnswers(target))) return;
      const plan = onOtherPath(target, await call.fresh(), other);
      const faulty = withCredentialFault(plan, target.settings.token, target.runId, fault);
      if (faulty) await call.send(faulty);
    },
  };
}

async function answers(call: Call, other: string): Promise<boolean> {
  return isAccepted(await askOnOtherPath(call.target, await call.valid(), other));
}

async function otherReadingAnswers(target: Target): Promise<boolean> {
  const [first] = listsOnOtherPaths(target.spec);
  return first !== undefined && answers(new Call(target, first.operation), first.other);
}

function listsOnOtherPaths(spec: Spec): { operation: Operation; other: string }[] {
  return spec.operations
    .filter(({ kind }) => kind === "list")
    .filter(({ parameters }) => !parameters.some((each) => each.in === "query" && each.required))
    .flatMap((operation) => otherPaths(spec, operation).map((other) => ({ operation, other })));
}

export function lowerCaseScheme(operation: Operation): Probe {
  return {
    id: `lower-case scheme ${operation.id}`,
    stage: stageOf(operation),
    async run(target) {
      const call = new Call(target, operation, sampledVersion(target, operation, "lower-case scheme"));
      const isMade = operation.kind === "create" && operation.body !== undefined;
      if (isMade && isAccepted((await minimalAgain(call)).lenient)) return;
      const answer = await call.send(inLowerCase(target, await call.fresh()), "accepted");
      if (isRejected(answer)) await call.control();
    },
  };
}
