/** Before anything else: is there a service at all, and does it take the token and the space? */

import { type Answer, isAccepted, isRejected } from "../client/target.ts";
import { type RequestPlan, requestTo } from "../generators/request.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";

type Asked = Answer | { reason: string; message: string };

/**
 * A plain sentence when the target can't be judged, else null. Only what every answer agrees on counts: one list
 * that refuses is a finding about that list, not a reason to give up.
 */
export async function preflight(
  spec: Spec,
  settings: Settings,
  ask: (plan: RequestPlan) => Promise<Asked>,
): Promise<string | null> {
  const simple = spec.operations.filter(isSimpleRead);
  const open = simple.filter((operation) => !operation.space);
  const spaced = simple.filter((operation) => operation.space);
  const first = open[0] ?? spaced[0];
  if (!first) return null;
  const version = versionToAsk(settings, first);
  const firstAnswer = await ask(requestTo(first, version));
  if (!("status" in firstAnswer)) return unreachable(settings, firstAnswer);
  const others: Answer[] = [];
  for (const operation of spaced) {
    const answer = await ask(requestTo(operation, version));
    if (!("status" in answer)) continue;
    others.push(answer);
    if (isAccepted(answer)) break;
  }
  const all = [firstAnswer, ...others];
  if (all.every((answer) => answer.status === 401 || answer.status === 403)) {
    return `the service refuses the token: ${told(firstAnswer)}`;
  }
  if (isAccepted(firstAnswer) && others.length > 0 && others.every(isRejected)) {
    const last = others[0] ?? firstAnswer;
    return `the service refuses the space ${settings.space}: ${told(last)}`;
  }
  return null;
}

/** A GET that needs nothing but the usual headers. */
function isSimpleRead(operation: Operation): boolean {
  return (
    operation.kind === "list" &&
    operation.parameters.every((parameter) => !parameter.required || parameter.role === "space")
  );
}

function versionToAsk(settings: Settings, operation: Operation): string | null {
  const named = settings.serviceVersion !== "all" && settings.serviceVersion !== "none";
  return named && operation.version ? settings.serviceVersion : null;
}

function told(answer: Answer): string {
  return `${answer.plan.operation.key} was answered ${answer.status}`;
}

function unreachable(settings: Settings, asked: { reason: string; message: string }): string {
  if (asked.reason === "no-answer") return `no answer from ${settings.baseUrl}: ${asked.message}`;
  return `${settings.baseUrl} can't be asked (${asked.reason}): ${asked.message}`;
}
