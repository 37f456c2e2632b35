import type { Call } from "../../client/call.ts";
import { restAtTheEnd } from "../../client/eventually.ts";
import { readOf, updateOf } from "../../client/relations.ts";
import { createdResource, withOuterPath } from "../../client/resources.ts";
import { asText, type Probe } from "../../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import { isAction } from "../../spec/actions.ts";
import { identityOf } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { plainProbe } from "../shared/sampled.ts";

/**
 * A faulty service may change a resource when another is created below it, or the lower one when its parent is
 * updated.
 */
export function parentAfter(create: Operation): Probe {
  return plainProbe("parent after", create, "aftermath", async (call) => {
    const { spec } = call.target;
    const children = spec.operations.filter(
      (each) => each.kind === "create" && each.outer.at(-1)?.madeBy === create.id && !isAction(spec, each),
    );
    for (const child of children) await lookAround(call, child);
  });
}

async function lookAround(call: Call, child: Operation): Promise<void> {
  const { target, operation } = call;
  const parent = await make(call, await withOuterPath(target, await call.fresh()));
  const { outer } = parent.plan;
  await parent.look();
  const below = call.to(child);
  const path = { ...outer, [child.outer.at(-1)?.name ?? ""]: parent.id };
  const item = await make(below, { ...(await below.fresh()), outer: path });
  await settle(call);
  await parent.look();
  const update = updateOf(target.spec, operation);
  if (!update) return;
  await item.look();
  const above = call.to(update);
  const sent = withBody(requestTo(update, above.version), await above.body("full", 1));
  await above.send({ ...sent, path: parent.id, ...(outer ? { outer } : {}) }, "update");
  await settle(call);
  await item.look();
}

interface Made {
  plan: RequestPlan;
  id: string;
  look(): Promise<unknown>;
}

/** @throws NotTested if nothing is made */
async function make(call: Call, plan: RequestPlan): Promise<Made> {
  const { target, operation } = call;
  const resource = createdResource(operation, await call.send(plan, "create"));
  const id = asText(resource[identityOf(target.spec, operation)]) ?? "";
  const reader = readOf(target.spec, operation.id);
  const { outer } = plan;
  const look = async () => {
    if (!reader) return;
    const read = { ...requestTo(reader, call.to(reader).version), path: id, ...(outer ? { outer } : {}) };
    await target.send(read, { valid: true });
  };
  return { plan, id, look };
}

function settle({ target }: Call): Promise<void> {
  return restAtTheEnd(target, Math.min(target.settings.visibilityDelay, SETTLING));
}

/** Most services show a change after this many milliseconds. */
const SETTLING = 300;
