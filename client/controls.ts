/** Controls: the valid request beside each probe, sent once and shared by all probes that differ from it in one thing. */

import { type RequestPlan, withBody, withHeaders } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import type { Operation } from "../spec/model/spec.ts";
import { Untestable } from "./check.ts";
import { plainControl, plainCreation } from "./creations.ts";
import { isForbiddenSpace } from "./spaces.ts";
import { sendBody, validRequest } from "./subjects.ts";
import { validBody } from "./supply.ts";
import { type Answer, isAccepted, isRejected, type Target } from "./target.ts";
import { controlAccepted } from "./verdicts.ts";
import { versionsOf } from "./version-choice.ts";

/** A fresh valid request to an operation with all that it takes; texts and unique values differ at every call. */
export async function freshRequest(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<RequestPlan> {
  const plan = await validRequest(target, operation, version);
  return operation.body ? withBody(plan, await validBody(target, operation, "full")) : plan;
}

/** The key under which work on the one resource that an update may change takes turns. */
export function subjectLock(operation: Operation): string {
  return `subject ${operation.pathParameter?.fixture?.write ?? operation.id}`;
}

/**
 * Sends something of which only the acceptance or rejection is judged. An update may change the one resource that
 * stories follow: it goes between them, beside others of its kind.
 */
export function betweenStories<T>(target: Target, operation: Operation, work: () => Promise<T>): Promise<T> {
  return operation.kind === "update" ? target.beside(subjectLock(operation), work) : work();
}

/** Sends something of which the answer is compared with what was sent: no other update may come between. */
export function inTurn<T>(target: Target, operation: Operation, work: () => Promise<T>): Promise<T> {
  return operation.kind === "update" ? target.exclusive(subjectLock(operation), work) : work();
}

/** A request with a key that it can be sent with again; requests without one get a key when they are sent. */
function withKeyOfItsOwn(target: Target, plan: RequestPlan): RequestPlan {
  const key = plan.operation.idempotencyKey;
  return key ? withHeaders(plan, { [key.name]: headerText(key.schema, target.unique()) }) : plan;
}

/**
 * The answer to a valid request under a version. Throws Untestable (control-rejected) when it was not accepted: what
 * is then rejected proves nothing.
 */
export async function control(target: Target, operation: Operation, version: string | null): Promise<Answer> {
  const answer = await answerUnder(target, operation, version);
  controlAccepted(answer, `a valid ${operation.key}`);
  return answer;
}

const NO_SPACE = "conformance-no-space";

/** Headers for which an operation must refuse a call: no space, one that breaks the pattern, no key. */
export function refusedHeaders(operation: Operation): Record<string, string | null>[] {
  const { space, idempotencyKey } = operation;
  return [
    ...(space?.required ? [{ [space.name]: null }] : []),
    ...(space && isForbiddenSpace(space.schema, NO_SPACE) ? [{ [space.name]: NO_SPACE }] : []),

    ...(idempotencyKey?.required ? [{ [idempotencyKey.name]: null }] : []),
  ];
}

/** A read is asked once for all; whatever else may write is a call of its own. */
function isPlainRead({ kind, method }: Operation): boolean {
  return method === "GET" && (kind === "list" || kind === "read");
}

/**
 * The answer to a valid request under a version, accepted or not: sent once in a run, for all probes that differ from
 * it in one thing and for all who ask whether the version is accepted.
 */
export async function answerUnder(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<Answer> {
  if (operation.kind === "create" && operation.body)
    return (await plainControl(target, operation, version)).answer;
  return target.once(`control ${operation.id} ${version ?? "none"}`, async () => {
    const plan = withKeyOfItsOwn(target, await freshRequest(target, operation, version));
    if (isPlainRead(operation)) return target.ask(plan, "control");
    return betweenStories(target, operation, () => sendBody(target, plan, "control"));
  });
}

/**
 * Throws Untestable where a valid request is rejected under this version and accepted under another: then the
 * version is at fault, which VERSION-ACCEPTED says, and nothing else can be said under it. Where the plainest request
 * is accepted under it, it is not the version that is rejected.
 */
export async function versionAccepted(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<void> {
  const answer = await answerUnder(target, operation, version);
  if (!isRejected(answer)) return;
  for (const other of versionsOf(target.spec, operation)) {
    if (other !== version && isAccepted(await answerUnder(target, operation, other))) {
      if (await takesThePlainest(target, operation, version)) return;
      throw new Untestable(
        "control-rejected",
        `version ${version ?? "none"} is rejected, another is accepted`,
        [answer],
      );
    }
  }
}

/** Whether a write under a version is accepted with the required fields alone. */
export async function takesThePlainest(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<boolean> {
  if (!operation.body) return false;
  if (operation.kind === "create")
    return isAccepted((await plainCreation(target, operation, "minimal", version)).answer);
  const answer = await target.once(`plainest ${operation.id} ${version ?? "none"}`, async () => {
    const plan = await validRequest(target, operation, version);
    return betweenStories(target, operation, () => sendBody(target, plan, "probe"));
  });
  return isAccepted(answer);
}
