/** Tells the service's own rejections from those of something before it: a firewall's page. */

import type { Call } from "../client/call.ts";
import { betweenStories } from "../client/controls.ts";
import { validRequest } from "../client/subjects.ts";
import { type Answer, isRejected } from "../client/target.ts";

/** How the service rejects what is surely wrong: a body that is no JSON. */
function ownRejection(call: Call): Promise<Answer> {
  const { target, operation, version } = call;
  return target.once(`own rejection ${operation.id}`, async () => {
    const plan = await validRequest(target, operation, version);
    const broken = { ...plan, body: { kind: "text", text: "{", contentType: "application/json" } } as const;
    return betweenStories(target, operation, () => target.send(broken, { role: "probe" }));
  });
}

/** Whether a rejection is not shaped like the service's own: no JSON where all its others are (ruling on others' 4xx). */
export async function isForeign(call: Call, answer: Answer): Promise<boolean> {
  if (!isRejected(answer) || answer.json !== undefined) return false;
  const own = await ownRejection(call.under(answer.plan.version));
  return isRejected(own) && own.json !== undefined;
}
