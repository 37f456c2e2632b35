import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { sendBody } from "../../client/resources.ts";
import { type Answer, isAccepted } from "../../client/target.ts";
import { withBody } from "../../generators/request.ts";
import type { JsonObject } from "../../spec/json.ts";

/** Sends the update, and returns its answer. */
export function sendUpdate(call: Call, id: string, body: JsonObject, role = "update"): Promise<Answer> {
  return sendBody(call.target, withBody(call.requestAt(id), body), role);
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
