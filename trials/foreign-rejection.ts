/** Tells the service's own rejections from those of something before it: a firewall's page. */

import { betweenStories } from "../client/controls.ts";
import { validRequest } from "../client/subjects.ts";
import { type Answer, isRejected, type Target } from "../client/target.ts";
import type { Operation } from "../spec/model/spec.ts";

/** How the service rejects what is surely wrong: a body that is no JSON. */
function ownRejection(target: Target, operation: Operation, version: string | null): Promise<Answer> {
  return target.once(`own rejection ${operation.id}`, async () => {
    const plan = await validRequest(target, operation, version);
    const broken = { ...plan, body: { kind: "text", text: "{", contentType: "application/json" } } as const;
    return betweenStories(target, operation, () => target.send(broken, { role: "probe" }));
  });
}

/** Whether a rejection is not shaped like the service's own: no JSON where all its others are (ruling on others' 4xx). */
export async function isForeign(target: Target, operation: Operation, answer: Answer): Promise<boolean> {
  if (!isRejected(answer) || answer.json !== undefined) return false;
  const own = await ownRejection(target, operation, answer.plan.version);
  return isRejected(own) && own.json !== undefined;
}
