import type { Call } from "../../client/call.ts";
import { createdResource, withOuterPath } from "../../client/resources.ts";
import { asText } from "../../client/target.ts";
import { type RequestPlan, withBody } from "../../generators/request.ts";
import { isAction } from "../../spec/actions.ts";
import { identityOf } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import { unusualSwitches } from "../updates/updating.ts";

type Outer = Record<string, string>;

export interface Acted {
  /** The request of the action. */
  plan: RequestPlan & { outer: Outer };
  /** The body of the request that made the resource. */
  made: JsonObject;
}

/** A service may accept the action only once per resource. Returns undefined if no new one can be created. */
export async function actOnNew(
  call: Call,
  before: (outer: Outer) => Promise<unknown> = async () => undefined,
): Promise<Acted | undefined> {
  const { target, operation } = call;
  const named = operation.outer.at(-1);
  if (named?.madeBy === undefined || !isAction(target.spec, operation)) return undefined;
  const maker = call.to(operationById(target.spec, named.madeBy));
  const body = { ...(await maker.body()), ...unusualSwitches(target.spec, maker.operation) };
  const answer = await maker.send(withBody(await maker.valid(), body), "create");
  const id = asText(createdResource(maker.operation, answer)[identityOf(target.spec, maker.operation)]);
  const plan = await withOuterPath(target, await call.fresh());
  if (id === undefined) return undefined;
  const outer = { ...plan.outer, [named.name]: id };
  await before(outer);
  const acting = { ...plan, outer };
  await call.send(acting);
  return { plan: acting, made: body };
}
