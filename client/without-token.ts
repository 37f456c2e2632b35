/** After a request without a token, a service may answer from its cache, or reject valid requests. */

import { MISSING, withCredentialFault } from "../generators/credentials.ts";
import type { RequestPlan } from "../generators/request.ts";
import type { Operation } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";

/** Names the request for `memoize`, so that several rules share it. */
export function credentialKey(
  { id }: Operation,
  version: string | null,
  { title }: { title: string },
): string {
  return `${id} ${version ?? "none"} ${title}`;
}

/** Returns the request without a token, or `undefined` for operations that need none. */
export function withoutToken({ settings, runId }: Target, plan: RequestPlan): RequestPlan | undefined {
  return plan.operation.open ? undefined : withCredentialFault(plan, settings.token, runId, MISSING);
}

/** Sends the request without Authorization, once for all probes. */
export function sendWithoutToken(target: Target, plan: RequestPlan): Promise<void> {
  const { operation, version } = plan;
  return target.memoize(credentialKey(operation, version, MISSING), async () => {
    const faulty = withoutToken(target, plan);
    if (faulty) await target.send(faulty, { role: "probe" });
  });
}
