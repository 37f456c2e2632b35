import type { Call } from "../../client/call.ts";
import { readOf } from "../../client/relations.ts";
import { createdId, withOuterPath } from "../../client/resources.ts";
import type { RequestPlan } from "../../generators/request.ts";

export interface MadeResource {
  plan: RequestPlan;
  id: string;
  to(call: Call): RequestPlan;
  /** Reads the resource if an operation can. */
  look(): Promise<void>;
}

/**
 * Creates a resource that no other probe knows.
 * @throws NotTested if the create is rejected
 */
export async function makeResource(call: Call, create: RequestPlan): Promise<MadeResource> {
  const { target, operation } = call;
  const plan = await withOuterPath(target, create);
  const id = createdId(target, operation, await call.send(plan, "create"));
  const outer = plan.outer ? { outer: plan.outer } : {};
  const to = (there: Call): RequestPlan => ({ ...there.requestAt(id), ...outer });
  const reader = readOf(target.spec, operation.id);
  const look = async () => {
    if (reader) await target.send(to(call.to(reader)), { valid: true });
  };
  return { plan, id, to, look };
}
