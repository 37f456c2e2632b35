/** Valid twins, shared by many faulty requests. */

import { type RequestPlan, withBody, withHeaders } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import { isForbiddenSpace } from "../generators/wrong-spaces.ts";
import type { Operation } from "../spec/model/spec.ts";
import { versionsOf } from "../spec/versions.ts";
import { NotTested } from "./check.ts";
import { plainCreation } from "./creations.ts";
import { sendBody, validRequest } from "./resources.ts";
import { type Answer, isAccepted, isRejected, type Target, type VersionedOperation } from "./target.ts";
import { validBody } from "./value-source.ts";
import { defaultVersion } from "./version-choice.ts";

/** Returns a valid request with a new body, so that unique values differ. */
export async function freshRequest(call: VersionedOperation): Promise<RequestPlan> {
  const { target, operation } = call;
  const plan = await validRequest(call);
  return operation.body ? withBody(plan, await validBody(target, operation, "full")) : plan;
}

/**
 * Returns the name of the lock under which the operation changes its resource. Operations on one fixture share
 * a lock.
 */
function resourceLock(operation: Operation): string {
  return `resource ${operation.pathParameter?.fixture?.write ?? operation.id}`;
}

/** Shares the resource with others, because only the acceptance is judged. */
export function withResourceReadLock<T>(
  target: Target,
  operation: Operation,
  work: () => Promise<T>,
): Promise<T> {
  return operation.kind === "update" ? target.withReadLock(resourceLock(operation), work) : work();
}

/** Shares the resource with nobody, because the answer is compared with the sent values. */
export function withResourceWriteLock<T>(
  target: Target,
  operation: Operation,
  work: () => Promise<T>,
): Promise<T> {
  return operation.kind === "update" ? target.withWriteLock(resourceLock(operation), work) : work();
}

function withOwnKey(target: Target, plan: RequestPlan): RequestPlan {
  const key = plan.operation.idempotencyKey;
  return key ? withHeaders(plan, { [key.name]: headerText(key.schema, target.unique()) }) : plan;
}

/**
 * Checks the answer to a valid twin.
 * @throws NotTested (control-rejected) if the valid twin was not accepted
 */
export function controlAccepted(answer: Answer, what: string): void {
  if (isAccepted(answer)) return;
  throw new NotTested(
    "control-rejected",
    `${what} was answered ${answer.status}, so a rejection would prove nothing`,
    [answer.exchange],
  );
}

const NO_SPACE = "conformance-no-space";

/** Returns headers with one fault each. Null omits a header. */
export function rejectedHeaders(operation: Operation): Record<string, string | null>[] {
  const { space, idempotencyKey } = operation;
  return [
    ...(space?.required ? [{ [space.name]: null }] : []),
    ...(space && isForbiddenSpace(space.schema, NO_SPACE) ? [{ [space.name]: NO_SPACE }] : []),

    ...(idempotencyKey?.required ? [{ [idempotencyKey.name]: null }] : []),
  ];
}

function isPlainRead({ kind, method }: Operation): boolean {
  return method === "GET" && (kind === "list" || kind === "read");
}

/** Returns the answer to a valid request, which all probes of the operation and version share. */
export async function answerUnder(call: VersionedOperation): Promise<Answer> {
  const { target, operation, version } = call;
  if (operation.kind === "create" && operation.body) {
    const isDefault = version === defaultVersion(target, operation);
    return (await plainCreation(call, isDefault ? "full" : "minimal")).answer;
  }
  return target.memoize(`control ${operation.id} ${version ?? "none"}`, async () => {
    const plan = withOwnKey(target, await freshRequest(call));
    if (isPlainRead(operation)) return target.ask(plan, "control");
    return withResourceReadLock(target, operation, () => sendBody(target, plan, "control"));
  });
}

/**
 * Checks that the service accepts valid requests under the version.
 * @throws NotTested (control-rejected) if only other versions do, which VERSION-ACCEPTED reports
 */
export async function versionAccepted(call: VersionedOperation): Promise<void> {
  const { target, operation, version } = call;
  const answer = await answerUnder(call);
  if (!isRejected(answer)) return;
  for (const other of versionsOf(target.spec, operation)) {
    if (other !== version && isAccepted(await answerUnder({ target, operation, version: other }))) {
      if (await acceptsPlainest(call)) return;
      throw new NotTested(
        "control-rejected",
        `version ${version ?? "none"} is rejected, another is accepted`,
        [answer.exchange],
      );
    }
  }
}

/** True if the service accepts the required fields alone: another field may explain a rejection. */
export async function acceptsPlainest(call: VersionedOperation): Promise<boolean> {
  const { target, operation, version } = call;
  if (!operation.body) return false;
  if (operation.kind === "create") return isAccepted((await plainCreation(call, "minimal")).answer);
  const answer = await target.memoize(`plainest ${operation.id} ${version ?? "none"}`, async () => {
    const plan = await validRequest(call);
    return withResourceReadLock(target, operation, () => sendBody(target, plan, "probe"));
  });
  return isAccepted(answer);
}
