import type { Call } from "../../client/call.ts";
import { withResourceReadLock } from "../../client/controls.ts";

/** Sends malformed JSON. Its rejection shows the form of the service's own rejections, unlike a firewall's. */
export function sendMalformedJson(call: Call): Promise<void> {
  const { target, operation } = call;
  return target.memoize(`own rejection ${operation.id}`, async () => {
    const plan = await call.valid();
    const broken = { ...plan, body: { kind: "text", text: "{", contentType: "application/json" } } as const;
    await withResourceReadLock(target, operation, () => target.send(broken, { role: "probe" }));
  });
}
