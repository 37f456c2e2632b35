import { identityOf } from "../spec/identity.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import { offending, Untestable, Violation } from "./check.ts";
import {
  type Answer,
  asText,
  isAccepted,
  isServerError,
  resourceOf,
  resultOf,
  type Target,
} from "./target.ts";

/**
 * @throws Violation if the service did not accept a valid request; Untestable for a 5xx, which has its own
 * finding
 */
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
 * @throws Violation if the answer does not show the requested resource: a service may answer 200 to
 * everything
 */
export function mustServe(target: Target, answer: Answer, what: string): void {
  mustAccept(answer, what);
  mustShow(target, answer);
}

/**
 * @throws Untestable (no-data) if an accepted answer shows no list, no resource with an id, or another
 * resource than requested. Undocumented operations need to show nothing.
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
  // The last parameter of the path names the resource itself. A resource need not name its parent.
  const named = operation.path.endsWith(`{${operation.pathParameter?.name}}`);
  if (path !== undefined && named && !isNamedBy(path, resource))
    throw unshown(`it was accepted, and does not show ${path}`);
}

function showsList(answer: Answer): boolean {
  const result = resultOf(answer);
  const hasPagination = isObject(answer.json) && isObject(answer.json.pagination);
  return Array.isArray(result) || (result === null && hasPagination);
}

export function isNamedBy(path: string, resource: JsonObject): boolean {
  return Object.values(resource).some((value) => asText(value) === path);
}

export function controlAccepted(answer: Answer, what: string): void {
  if (isAccepted(answer)) return;
  throw new Untestable(
    "control-rejected",
    `${what} was answered ${answer.status}, so a rejection would prove nothing`,
    [answer],
  );
}
