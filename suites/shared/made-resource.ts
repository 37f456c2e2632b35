import type { Call } from "../../client/call.ts";
import { readOf } from "../../client/relations.ts";
import { createdId, withOuterPath } from "../../client/resources.ts";
import type { Answer } from "../../client/target.ts";
import { type RequestPlan, withBody } from "../../generators/request.ts";
import { omit } from "../../spec/json.ts";
import { isAction, operationById } from "../../spec/operations.ts";
import { unusualSwitches } from "./update-fields.ts";

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

interface Acted {
  plan: RequestPlan;
  on: MadeResource;
  answer: Answer;
}

/** Uses a new resource without `leftOut`: one may accept the action only once. Undefined if none can be made. */
export async function actOnNew(
  call: Call,
  before: (made: MadeResource, acting: RequestPlan) => Promise<unknown> = async () => undefined,
  leftOut: readonly string[] = [],
): Promise<Acted | undefined> {
  const { target, operation } = call;
  const idParameter = operation.outer.at(-1);
  if (idParameter?.madeBy === undefined || !isAction(target.spec, operation)) return undefined;
  const maker = call.to(operationById(target.spec, idParameter.madeBy));
  const body = { ...(await maker.body()), ...unusualSwitches(target.spec, maker.operation) };
  const on = await makeResource(maker, withBody(await maker.valid(), omit(body, leftOut)));
  const plan = await actionOn(call, on);
  await before(on, plan);
  return { plan, on, answer: await call.send(plan) };
}

/** Returns a new request of the action for this resource. */
export async function actionOn(action: Call, { id }: MadeResource): Promise<RequestPlan> {
  const plan = await withOuterPath(action.target, await action.fresh());
  const name = action.operation.outer.at(-1)?.name ?? "";
  return { ...plan, outer: { ...plan.outer, [name]: id } };
}
