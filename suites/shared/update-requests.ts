import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { sendBody } from "../../client/resources.ts";
import { type Answer, isAccepted } from "../../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** Returns the update of the resource with this id. */
export function updateRequest(
  operation: Operation,
  id: string,
  version: string | null,
  body: JsonObject,
): RequestPlan {
  return withBody({ ...requestTo(operation, version), path: id }, body);
}

/** Sends the update, and returns its answer. */
export function sendUpdate(
  { target, operation, version }: Call,
  id: string,
  body: JsonObject,
  role = "update",
): Promise<Answer> {
  return sendBody(target, updateRequest(operation, id, version, body), role);
}

/**
 * Sends an update that must be accepted, and returns its answer.
 * @throws NotTested if the service rejects the update
 */
export async function acceptedUpdate(call: Call, id: string, body: JsonObject): Promise<Answer> {
  const answer = await sendUpdate(call, id, body);
  if (isAccepted(answer)) return answer;
  throw new NotTested("control-rejected", `the update was answered ${answer.status}`, [answer.exchange]);
}
