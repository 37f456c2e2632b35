/** Distinguishes the service's own rejections from a firewall's page. */

import type { Call } from "../../client/call.ts";
import { betweenScenarios } from "../../client/controls.ts";
import { validRequest } from "../../client/subjects.ts";
import { type Answer, isRejected } from "../../client/target.ts";

/** Sends a body that is not JSON. Its rejection shows how the service itself rejects. */
export function ownRejection(call: Call): Promise<Answer> {
  const { target, operation, version } = call;
  return target.once(`own rejection ${operation.id}`, async () => {
    const plan = await validRequest(target, operation, version);
    const broken = { ...plan, body: { kind: "text", text: "{", contentType: "application/json" } } as const;
    return betweenScenarios(target, operation, () => target.send(broken, { role: "probe" }));
  });
}

/** True for a rejection that is not JSON, although the service's own rejections are. */
export async function isForeign(call: Call, answer: Answer): Promise<boolean> {
  if (!isRejected(answer) || answer.json !== undefined) return false;
  const own = await ownRejection(call.under(answer.plan.version));
  return isRejected(own) && own.json !== undefined;
}
