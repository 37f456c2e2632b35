/** Operations without a documented shape (section 4.17): no request to them is known to be valid. */

import { type RequestPlan, withHeaders } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import type { Call } from "./call.ts";
import { withSpace } from "./samples.ts";
import type { Target } from "./target.ts";

/** The likeliest request to such an operation. */
export async function undocumentedRequest(call: Call): Promise<RequestPlan> {
  return undocumented(call.target, await call.valid());
}

/** A request with all that other operations take: a service may reject a call without a space or a key. */
export function undocumented(target: Target, plan: RequestPlan): RequestPlan {
  const key = target.spec.operations.find((operation) => operation.idempotencyKey)?.idempotencyKey;
  const spaced = withSpace(target, plan);
  if (plan.operation.method !== "POST") return spaced;
  return {
    ...(key ? withHeaders(spaced, { [key.name]: headerText(key.schema, target.unique()) }) : spaced),
    body: { kind: "json", value: {} },
  };
}
