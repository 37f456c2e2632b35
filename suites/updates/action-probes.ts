import { Call } from "../../client/call.ts";
import { unlessNotTested } from "../../client/check.ts";
import { lateAtTheEnd } from "../../client/eventually.ts";
import { updatesOfMade } from "../../client/relations.ts";
import { sendBody } from "../../client/resources.ts";
import { isAccepted, type Probe } from "../../client/target.ts";
import { objectSent, withBody } from "../../generators/request.ts";
import { uniqueFields } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Acted, actOnNew } from "../shared/action.ts";
import type { MadeResource } from "../shared/made-resource.ts";
import { listsAfterAction } from "./filtered-after-action.ts";
import { pick } from "./updating.ts";

/**
 * Sends the action to two new resources, and to the first again, with updates between. A faulty service may undo the
 * action, or change other fields of the resource.
 */
export function readsAroundAction(action: Operation): Probe {
  return {
    id: `around ${action.id}`,
    stage: "aftermath",
    async run(target) {
      const call = new Call(target, action);
      await call.control();
      const act = () => actOnNew(call, ({ look }) => look());
      const first = await act();
      await lateAtTheEnd(target);
      if (!first) return;
      await first.on.look();
      await listsAfterAction(call, first.on);
      await unlessNotTested(() => updateEach(call, first));
      const second = await unlessNotTested(act);
      await call.send(first.plan);
      for (const acted of [first, second]) await acted?.on.look();
      await makeAgain(call, first.on);
    },
  };
}

/** Sends each update once. A service may reject every update of the resource after the action. */
async function updateEach(call: Call, { on }: Acted): Promise<void> {
  for (const update of updatesOfMade(call.target.spec, on.plan.operation)) {
    const there = call.to(update);
    await sendBody(call.target, withBody(on.to(there), await there.body("minimal")), "probe", true);
    await on.look();
  }
}

/** Creates a resource with the same unique values. A faulty service may accept them again after the action. */
async function makeAgain(call: Call, { plan }: MadeResource): Promise<void> {
  const maker = call.to(plan.operation);
  const values = pick(objectSent(plan) ?? {}, new Set(uniqueFields(call.target.spec, plan.operation)));
  if (Object.keys(values).length === 0) return;
  const again = await maker.send(withBody(await maker.valid(), { ...(await maker.body()), ...values }));
  // If a valid create with other values is accepted, the unique values were the reason for the rejection.
  if (!isAccepted(again)) await maker.control();
}
