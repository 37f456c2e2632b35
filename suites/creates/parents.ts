import type { Call } from "../../client/call.ts";
import { restBriefly } from "../../client/eventually.ts";
import { updateOf } from "../../client/relations.ts";
import type { Probe } from "../../client/target.ts";
import { withBody } from "../../generators/request.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isAction } from "../../spec/operations.ts";
import { type MadeResource, makeResource } from "../shared/made-resource.ts";
import { plainProbe } from "../shared/sampled.ts";

/** Reads the parent: in a faulty service, a new or updated child may change it, or an updated parent its child. */
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

/** Reads a parent around the create and an update of a child, and the child around an update of its parent. */
async function readsAroundChild(call: Call, child: Operation): Promise<void> {
  const parent = await makeResource(call, await call.fresh());
  await parent.look();
  const below = call.to(child);
  const outer = { ...parent.plan.outer, [child.outer.at(-1)?.name ?? ""]: parent.id };
  const item = await makeResource(below, { ...(await below.fresh()), outer });
  await restBriefly(call.target);
  await parent.look();
  await readsAroundUpdate(below, item, parent);
  await readsAroundUpdate(call, parent, item);
}

/** Reads another resource before and after an update of the one that the call creates. */
async function readsAroundUpdate(call: Call, changed: MadeResource, other: MadeResource): Promise<void> {
  const update = updateOf(call.target.spec, call.operation);
  if (!update) return;
  await other.look();
  const there = call.to(update);
  await there.send(withBody(changed.to(there), await there.body("full", 1)), "update");
  await restBriefly(call.target);
  await other.look();
}
