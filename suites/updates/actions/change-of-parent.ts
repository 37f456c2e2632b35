import type { Call } from "../../../client/call.ts";
import { untilLate } from "../../../client/eventually.ts";
import { readOf } from "../../../client/relations.ts";
import { outerPath } from "../../../client/resources.ts";
import { sideBySide } from "../../../client/side-by-side.ts";
import { type RequestPlan, withBody } from "../../../generators/request.ts";
import type { Operation, Parameter, Spec } from "../../../spec/model/spec.ts";
import { mayAct } from "../../../spec/operations.ts";
import { probeOf } from "../../shared/sampled.ts";
import { fewFields } from "./probes.ts";

const MOST_OF_KIND = 3;

/** Changes a resource that others belong to, and reads those before and after: they may change or be lost. */
export const changeOfParent = probeOf("of a parent", "burst", async (call) => {
  const { target, operation } = call;
  const changed = operation.pathParameter ?? operation.outer.at(-1);
  const below = changed && belowIn(target.spec, changed);
  if (!below) return;
  const parent = (await outerPath(target, below.operation))[below.parameter.name];
  if (parent === undefined) return;
  const outer = await outerPath(target, operation);
  const reads = readsBelow(call, changed, parent);
  const look = () => sideBySide(reads, (plan) => target.send(plan, { role: "read back" }));
  // Before that, an old value may still be late.
  if (reads.length > 0) await untilLate(target);
  await look();
  // Switching the parent off might forbid what others send below it.
  if (operation.kind === "update")
    await call.send({ ...withBody(await call.valid(), await fewFields(call)), path: parent, outer });
  else await call.send({ ...(await call.fresh()), outer: { ...outer, [changed.name]: parent } });
  await look();
});

/** Returns reads of some resources of each kind that the run created below the parent. */
function readsBelow(call: Call, { madeBy }: Parameter, parent: string): RequestPlan[] {
  const { target } = call;
  return target.spec.operations.flatMap((create) => {
    const parameter = create.outer.find((each) => each.madeBy === madeBy);
    const read = readOf(target.spec, create.id);
    if (!parameter || !read || create.kind !== "create") return [];
    const { accepted } = target.history().creates(create);
    return accepted
      .filter(({ entry }) => entry.path[parameter.name] === parent)
      .slice(-MOST_OF_KIND)
      .map(({ id, entry }) => ({ ...call.to(read).requestAt(id), outer: entry.path }));
  });
}

interface Below {
  operation: Operation;
  /** Names the parent in the path of the operation. */
  parameter: Parameter;
}

/** Returns an operation below a resource of this parameter, or `undefined` if there is none. */
function belowIn(spec: Spec, { madeBy }: Parameter): Below | undefined {
  if (madeBy === undefined) return undefined;
  for (const operation of spec.operations) {
    const parents = mayAct(spec, operation) ? operation.outer.slice(0, -1) : operation.outer;
    const parameter = parents.find((parent) => parent.madeBy === madeBy);
    if (parameter) return { operation, parameter };
  }
  return undefined;
}
