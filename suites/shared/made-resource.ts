import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { readOf } from "../../client/relations.ts";
import { createdResource, withOuterPath } from "../../client/resources.ts";
import { asText } from "../../client/target.ts";
import { type RequestPlan, requestTo } from "../../generators/request.ts";
import { identityOf } from "../../spec/identity.ts";

export interface MadeResource {
  plan: RequestPlan;
  id: string;
  to(call: Call): RequestPlan;
  /** Reads the resource if an operation can. */
  look(): Promise<void>;
}

export async function makeResource(call: Call, create: RequestPlan): Promise<MadeResource> {
  const { target, operation } = call;
  const plan = await withOuterPath(target, create);
  const resource = createdResource(operation, await call.send(plan, "create"));
  const id = asText(resource[identityOf(target.spec, operation)]);
  if (id === undefined) throw new NotTested("control-rejected", `${operation.key} showed no id`);
  const outer = plan.outer ? { outer: plan.outer } : {};
  const to = (there: Call): RequestPlan => ({
    ...requestTo(there.operation, there.version),
    path: id,
    ...outer,
  });
  const reader = readOf(target.spec, operation.id);
  const look = async () => {
    if (reader) await target.send(to(call.to(reader)), { valid: true });
  };
  return { plan, id, to, look };
}
