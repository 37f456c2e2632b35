import { type RequestPlan, withHeaders } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import type { Call } from "./call.ts";
import { withSpace } from "./samples.ts";
import type { Target } from "./target.ts";

/** Returns a request to an operation whose shape the specification does not show. */
export async function undocumentedRequest(call: Call): Promise<RequestPlan> {
  return likelyComplete(call.target, await call.valid());
}

/** Adds space, key and body, because a service may reject a request only for lack of these. */
export function likelyComplete(target: Target, plan: RequestPlan): RequestPlan {
  const key = target.spec.operations.find((operation) => operation.idempotencyKey)?.idempotencyKey;
  const spaced = withSpace(target, plan);
  if (plan.operation.method !== "POST") return spaced;
  return {
    ...(key ? withHeaders(spaced, { [key.name]: headerText(key.schema, target.unique()) }) : spaced),
    body: { kind: "json", value: {} },
  };
}
