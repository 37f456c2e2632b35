/** Reads of what does not exist. */

import type { Call } from "../client/call.ts";
import { offending, Untestable, Violation } from "../client/check.ts";
import { type Answer, asText, isAccepted, isServerError, resourceOf } from "../client/target.ts";
import { requestTo } from "../generators/request.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { operationsOf } from "./rule.ts";

/** Reads of other resources, those in the same sort of space first: what is known to them is likelier mistaken for it. */
export function strangersTo(spec: Spec, operation: Operation): Operation[] {
  const shape = ({ resource }: Operation) => resource && spec.schemas.flatten(resource);
  const others = operationsOf(spec, "read").filter(
    (other) => other.pathParameter && other.outer.length === 0 && shape(other) !== shape(operation),
  );
  const isNear = ({ space }: Operation) => (space === undefined) === (operation.space === undefined);
  return [...others.filter(isNear), ...others.filter((other) => !isNear(other))];
}

/** The path value of a resource that is read, where there is one. */
export async function knownTo(call: Call): Promise<string | undefined> {
  try {
    return (await call.control()).plan.path;
  } catch (error) {
    if (error instanceof Untestable) return undefined;
    throw error;
  }
}

export function readUnknown(call: Call, id: string): Promise<Answer> {
  const { target, operation, version } = call;
  return target.send({ ...requestTo(operation, version), path: id }, { role: "probe" });
}

/** Throws a Violation where a read of an unknown id is not rejected. */
export function mustNotFind(call: Call, id: string, answer: Answer): void {
  const { target, operation } = call;
  if (isServerError(answer))
    throw new Untestable("server-error", `an unknown id was answered ${answer.status}`, [answer]);
  if (answer.status >= 400) return;
  // What looks like an unknown id may be one that exists: then the record that is shown has it.
  const resource = resourceOf(answer);
  const by = operation.sameRecord?.by ?? [
    operation.resource ? (target.spec.schemas.flatten(operation.resource)["x-identity"] ?? "id") : "id",
  ];
  if (isAccepted(answer) && resource && by.some((field) => asText(resource[field]) === id)) return;
  throw notRejected(`the unknown id ${describeValue(id, 60)}`, answer);
}

export function notRejected(what: string, answer: Answer): Violation {
  return new Violation(`a read of ${what} to be rejected (4xx)`, `status ${answer.status}`, [
    offending(answer, "status"),
  ]);
}
