import { Call } from "../../client/call.ts";
import { unlessNotTested } from "../../client/check.ts";
import { readOf } from "../../client/relations.ts";
import { sendBody } from "../../client/resources.ts";
import { isAccepted, type Probe } from "../../client/target.ts";
import { requestTo, withBody } from "../../generators/request.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Acted, actOnNew } from "../shared/action.ts";
import { lateAtTheEnd } from "./probes.ts";

/**
 * Acts on two new resources, and on the first again, with an update between. A faulty service may take the
 * action back, or change other fields of the resource.
 */
export function lookAround(action: Operation): Probe {
  return {
    id: `around ${action.id}`,
    stage: "aftermath",
    async run(target) {
      const call = new Call(target, action);
      await call.control();
      const look = lookWith(call);
      const first = await actOnNew(call, look);
      await lateAtTheEnd(target);
      if (!first) return;
      await look(first.plan.outer);
      await unlessNotTested(() => updateEach(call, first, look));
      const second = await unlessNotTested(() => actOnNew(call, look));
      await call.send(first.plan);
      for (const acted of [first, second]) if (acted) await look(acted.plan.outer);
      await makeAgain(call, first);
    },
  };
}

function lookWith(call: Call) {
  const named = call.operation.outer.at(-1);
  const reader = readOf(call.target.spec, named?.madeBy);
  return async ({ [named?.name ?? ""]: path = "", ...outer }: Record<string, string>) =>
    reader &&
    call.target.send({ ...requestTo(reader, call.to(reader).version), path, outer }, { valid: true });
}

/** After an action, a service may reject all updates of the resource. */
async function updateEach(
  call: Call,
  { plan }: Acted,
  look: (outer: Acted["plan"]["outer"]) => Promise<unknown>,
): Promise<void> {
  const { target, operation } = call;
  const named = operation.outer.at(-1);
  const updates = target.spec.operations.filter(
    ({ kind, body, pathParameter }) =>
      kind === "update" && body && pathParameter && pathParameter.madeBy === named?.madeBy,
  );
  for (const update of updates) {
    const there = call.to(update);
    const { [named?.name ?? ""]: path = "", ...outer } = plan.outer;
    const sent = { ...withBody(requestTo(update, there.version), await there.body("minimal")), path, outer };
    await sendBody(target, sent, "probe", true);
    await look(plan.outer);
  }
}

/** A faulty service may free the unique values of the resource. */
async function makeAgain(call: Call, { made }: Acted): Promise<void> {
  const { target, operation } = call;
  const maker = call.to(operationById(target.spec, operation.outer.at(-1)?.madeBy ?? ""));
  const { schemas } = target.spec;
  const unique = schemas
    .fields(maker.operation.body ?? {})
    .filter(([, field]) => field["x-unique"] !== undefined);
  const values = unique.flatMap(([name]): [string, unknown][] => (name in made ? [[name, made[name]]] : []));
  if (values.length === 0) return;
  const body = { ...(await maker.body()), ...Object.fromEntries(values) };
  const again = await maker.send(withBody(await maker.valid(), body));
  // Only an accepted create shows that the values were the reason.
  if (!isAccepted(again)) await maker.control();
}
