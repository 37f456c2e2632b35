import type { Call } from "../../client/call.ts";
import { createdResource, withOuterPath } from "../../client/resources.ts";
import { asText } from "../../client/target.ts";
import { isAction } from "../../spec/actions.ts";
import { identityOf } from "../../spec/identity.ts";
import { operationById } from "../../spec/loading/load.ts";

export type ActedOn = Record<string, string>;

/** A service may accept the action only once per resource. Returns undefined if no new one can be created. */
export async function actOnNew(
  call: Call,
  before: (outer: ActedOn) => Promise<unknown> = async () => undefined,
): Promise<ActedOn | undefined> {
  const { target, operation } = call;
  const named = operation.outer.at(-1);
  if (named?.madeBy === undefined || !isAction(target.spec, operation)) return undefined;
  const maker = call.to(operationById(target.spec, named.madeBy));
  const made = createdResource(maker.operation, await maker.send(await maker.fresh(), "create"));
  const plan = await withOuterPath(target, await call.fresh());
  const id = asText(made[identityOf(target.spec, maker.operation)]);
  if (id === undefined) return undefined;
  const outer = { ...plan.outer, [named.name]: id };
  await before(outer);
  await call.send({ ...plan, outer });
  return outer;
}
