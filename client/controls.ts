import { isForbiddenSpace } from "../generators/wrong-spaces.ts";
import type { Operation } from "../spec/model/spec.ts";
import { NotTested } from "./check.ts";
import { type Answer, isAccepted, type Target } from "./target.ts";

/** Returns the name of the lock for changes by the operation. Operations on one fixture share a lock. */
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
