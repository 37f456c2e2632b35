import type { Call } from "../../client/call.ts";
import { restBriefly } from "../../client/eventually.ts";
import { updateOf } from "../../client/relations.ts";
import type { Probe } from "../../client/target.ts";
import { withBody } from "../../generators/request.ts";
import { isAction } from "../../spec/actions.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { makeResource } from "../shared/made-resource.ts";
import { plainProbe } from "../shared/sampled.ts";

/** Reads the parent: in a faulty service, a new child may change it, or an updated parent its child. */
export function parentAfter(create: Operation): Probe {
  return plainProbe("parent after", create, "aftermath", async (call) => {
    const { spec } = call.target;
    const children = spec.operations.filter(
      (operation) =>
        operation.kind === "create" &&
        operation.outer.at(-1)?.madeBy === create.id &&
        !isAction(spec, operation),
    );
    for (const child of children) await readsAroundChild(call, child);
  });
}

/** Reads a parent before and after a child of it is created, and the child before and after its parent is updated. */
async function readsAroundChild(call: Call, child: Operation): Promise<void> {
  const { target, operation } = call;
  const parent = await makeResource(call, await call.fresh());
  await parent.look();
  const below = call.to(child);
  const outer = { ...parent.plan.outer, [child.outer.at(-1)?.name ?? ""]: parent.id };
  const item = await makeResource(below, { ...(await below.fresh()), outer });
  await restBriefly(target);
  await parent.look();
  const update = updateOf(target.spec, operation);
  if (!update) return;
  await item.look();
  const above = call.to(update);
  await above.send(withBody(parent.to(above), await above.body("full", 1)), "update");
  await restBriefly(target);
  await item.look();
}
