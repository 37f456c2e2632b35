/** Resources that took an action which they accept only once. */

import type { RequestPlan } from "../generators/request.ts";
import { idActedOn, isDoneBefore } from "../history/answers/actions-done.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";
import { sendsAll } from "./version-choice.ts";

const MOST_ACTED_ON = { quick: 4, full: 40 } as const;

/**
 * Returns the id of a resource for this action alone: an action may be for good, and others would then be rejected. If
 * one resource rejected the action after it had accepted it, each acceptance is followed by a new resource. Faulty
 * bodies have their own resources. Else their rejection might be due to a valid one that came before.
 */
export async function unusedBy(
  target: Target,
  action: Operation,
  plan: RequestPlan | undefined,
  resourceFor: (purpose: string) => Promise<string>,
): Promise<string> {
  const usedUp = usedUpBy(target, action);
  const most = MOST_ACTED_ON[sendsAll(target) ? "full" : "quick"];
  const hasFault = plan !== undefined && !hasValidBody(target.spec, plan);
  const purpose = hasFault ? `${action.key} with a fault` : action.key;
  let id = await resourceFor(purpose);
  for (let number = 2; number <= most && usedUp.has(id); number++)
    id = await resourceFor(`${purpose} ${number}`);
  return id;
}

/** Returns the resources that accepted the action, if one of them then rejected a valid one. */
function usedUpBy(target: Target, action: Operation): ReadonlySet<string | undefined> {
  const history = target.history();
  const uses = history.answers.to(action);
  const isDone = isDoneBefore(history, action);
  const isOneWay = uses.some(({ entry, isValid }) => isValid && isDone(entry));
  return new Set(isOneWay ? uses.map(({ entry }) => idActedOn(target.spec, entry)) : []);
}

/** True if the body fits its schema, or the operation takes none. */
function hasValidBody({ schemas }: Spec, { operation, body }: RequestPlan): boolean {
  if (operation.body === undefined) return true;
  return body?.kind === "json" && schemas.validate(operation.body, body.value).length === 0;
}
