import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { offending, Untestable, Violation } from "./check.ts";
import { identityOf } from "./relations.ts";
import {
  type Answer,
  asText,
  isAccepted,
  isServerError,
  resourceOf,
  resultOf,
  type Target,
} from "./target.ts";

/** Throws a Violation unless the service accepted a valid request; a 5xx is a finding of its own, elsewhere. */
export function mustAccept(answer: Answer, what: string, before: Answer[] = []): void {
  if (isAccepted(answer)) return;
  if (isServerError(answer)) {
    throw new Untestable("server-error", `${what} was answered ${answer.status}`, [answer]);
  }
  throw new Violation(`${what} to be accepted`, `status ${answer.status}`, [
    ...before,
    offending(answer, "status"),
  ]);
}

/**
 * Throws a Violation unless the service accepted a valid request, as mustAccept does, and Untestable where it accepted
 * it and shows nothing for it, as mustShow does: a 200 alone may be what the service says to everything.
 */
export function mustServe(target: Target, answer: Answer, what: string): void {
  mustAccept(answer, what);
  mustShow(target, answer);
}

/**
 * Throws Untestable (no-data) where an accepted call shows nothing: no list to a call of a list, no resource with an id
 * to a create, not the resource that was asked for to any other. What is accepted without showing anything may not have
 * been understood at all. Of an operation without a shown shape nothing is expected.
 */
export function mustShow({ spec }: Target, answer: Answer): void {
  const { operation, path } = answer.plan;
  const unshown = (what: string) => new Untestable("no-data", what, [answer]);
  if (operation.list) {
    if (!showsList(answer)) throw unshown("it was accepted, and shows no list");
    return;
  }
  if (!operation.resource) return;
  const resource = resourceOf(answer);
  if (!resource || Object.keys(resource).length === 0) throw unshown("it was accepted, and shows nothing");
  if (operation.kind === "create" && asText(resource[identityOf(spec, operation)]) === undefined)
    throw unshown("it was accepted, and shows no resource with an id");
  // What hangs below a resource need not name it.
  const named = operation.path.endsWith(`{${operation.pathParameter?.name}}`);
  if (path !== undefined && named && !isNamedBy(path, resource))
    throw unshown(`it was accepted, and does not show ${path}`);
}

function showsList(answer: Answer): boolean {
  const result = resultOf(answer);
  const hasPagination = isObject(answer.json) && isObject(answer.json.pagination);
  return Array.isArray(result) || (result === null && hasPagination);
}

/** Whether a value of the path names a resource: by its id, its code, or whatever else of it the path may hold. */
export function isNamedBy(path: string, resource: JsonObject): boolean {
  return Object.values(resource).some((value) => asText(value) === path);
}

/** Throws Untestable unless the control of a probe was accepted. */
export function controlAccepted(answer: Answer, what: string): void {
  if (isAccepted(answer)) return;
  throw new Untestable(
    "control-rejected",
    `${what} was answered ${answer.status}, so a rejection would prove nothing`,
    [answer],
  );
}

/** Throws a Violation unless a probe was rejected. */
export function mustReject(answer: Answer, what: string, before: Answer[] = []): void {
  if (isServerError(answer)) {
    throw new Untestable("server-error", `${what} was answered ${answer.status}`, [answer]);
  }
  if (answer.status >= 400) return;
  throw new Violation(`${what} to be rejected (4xx)`, `status ${answer.status}`, [
    ...before,
    offending(answer, "status"),
  ]);
}

/** Records the status that a probe is answered with (row 26); what it gives cause to reject is the check's own word. */
export function noteRejection(target: Target, operation: Operation, probe: string, answer: Answer): void {
  const shown = { ...answer.exchange, offending: "status" };
  target.note(
    {
      requirement: "REJECTION-STATUS",
      operation: operation.key,
      practice: "rejection",
      tried: probe,
      answer: { status: answer.status },
    },
    [shown],
  );
}
