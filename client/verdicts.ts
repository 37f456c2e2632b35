import { isObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { Untestable, Violation } from "./check.ts";
import { type Answer, isAccepted, isServerError, resultOf, type Target } from "./target.ts";

/** Throws a Violation unless the service accepted a valid request; a 5xx is a finding of its own, elsewhere. */
export function mustAccept(answer: Answer, what: string): void {
  if (isAccepted(answer)) return;
  if (isServerError(answer)) {
    throw new Untestable("server-error", `${what} was answered ${answer.status}`, [answer.exchange]);
  }
  throw new Violation(`${what} to be accepted`, `status ${answer.status}`, [
    { ...answer.exchange, offending: "status" },
  ]);
}

/**
 * Throws Untestable where an accepted call shows nothing: no list to a call of a list, no resource to any other. What
 * is accepted without showing anything may not have been understood at all.
 */
export function mustShow(answer: Answer): void {
  const result = resultOf(answer);
  const shows = answer.plan.operation.list ? Array.isArray(result) || result === null : isObject(result);
  if (!shows) throw new Untestable("no-data", "it was accepted, and shows nothing", [answer.exchange]);
}

/** Throws Untestable unless the control of a probe was accepted. */
export function controlAccepted(answer: Answer, what: string): void {
  if (isAccepted(answer)) return;
  throw new Untestable(
    "control-rejected",
    `${what} was answered ${answer.status}, so a rejection would prove nothing`,
    [answer.exchange],
  );
}

/** Throws a Violation unless a probe was rejected. */
export function mustReject(answer: Answer, what: string, before: Answer[] = []): void {
  if (isServerError(answer)) {
    throw new Untestable("server-error", `${what} was answered ${answer.status}`, [answer.exchange]);
  }
  if (answer.status >= 400) return;
  throw new Violation(`${what} to be rejected (4xx)`, `status ${answer.status}`, [
    ...before.map((earlier) => earlier.exchange),
    { ...answer.exchange, offending: "status" },
  ]);
}

/** Records the status that a probe is answered with (row 26); what it gives cause to reject is the check's own word. */
export function noteRejection(target: Target, operation: Operation, probe: string, answer: Answer): void {
  const shown = { ...answer.exchange, offending: "status" };
  target.observe("REJECTION-STATUS", operation.key, probe, String(answer.status), [shown]);
}
