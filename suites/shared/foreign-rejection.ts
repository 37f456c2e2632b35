import type { Call } from "../../client/call.ts";
import { withResourceReadLock } from "../../client/controls.ts";
import type { Answer } from "../../client/target.ts";

/**
 * Sends malformed JSON, and returns the answer. Malformed JSON shows the form of the service's own rejections,
 * unlike a firewall's.
 */
export function ownRejection(call: Call): Promise<Answer> {
  const { target, operation } = call;
  return target.memoize(`own rejection ${operation.id}`, async () => {
    const plan = await call.valid();
    const broken = { ...plan, body: { kind: "text", text: "{", contentType: "application/json" } } as const;
    return withResourceReadLock(target, operation, () => target.send(broken, { role: "probe" }));
  });
}
