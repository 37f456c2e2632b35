import { untilLate } from "../../../client/eventually.ts";
import { updatesOfMade } from "../../../client/relations.ts";
import type { Probe } from "../../../client/target.ts";
import type { ResourceKind } from "../../../history/resource-kinds.ts";
import type { Operation } from "../../../spec/model/spec.ts";
import { actionOn, actOnNew } from "../../shared/made-resource.ts";
import { plainProbe } from "../../shared/sampled.ts";
import { lookAroundRejected, sendFewFields } from "./probes.ts";

/**
 * Uses each other action on a resource after this one, with an update between. After such a sequence, a faulty service
 * may answer the last action without storing its effect, or do it although it rejects it.
 */
export function actionsInTurn(action: Operation, kind: ResourceKind): Probe {
  return plainProbe("actions in turn", action, "aftermath", async (call) => {
    const others = kind.actions.filter((other) => other !== action);
    if (others.length === 0) return;
    await call.control();
    const acted = await actOnNew(call, ({ look }) => look());
    if (!acted) return;
    const { look, plan } = acted.on;
    const lookNowAndLate = async () => {
      await look();
      await untilLate(call.target);
      await look();
    };
    await lookNowAndLate();
    for (const other of others.map((each) => call.to(each))) {
      for (const update of updatesOfMade(call.target.spec, plan.operation)) {
        await sendFewFields(call.to(update), acted.on);
        await lookNowAndLate();
      }
      const undo = async () => {
        await call.target.send(await actionOn(other, acted.on), { valid: true });
        await lookNowAndLate();
      };
      await undo();
      await call.send(acted.plan);
      await lookNowAndLate();
      await undo();
      await lookAroundRejected(call, look, acted.plan);
    }
  });
}
