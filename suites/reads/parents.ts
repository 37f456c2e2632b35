import { Call } from "../../client/call.ts";
import { NotTested, stageOf } from "../../client/check.ts";
import { anotherParent, outerPath } from "../../client/resources.ts";
import type { Probe, Target } from "../../client/target.ts";
import { headerText } from "../../generators/values.ts";
import { NO_SECOND_SPACE } from "../../history/result.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { createAt } from "../../spec/operations.ts";
import { typesOf } from "../../spec/schema.ts";
import { plainProbe } from "../shared/sampled.ts";

/** Sends a request with unknown parents in its path, and with another existing one. */
export function underOtherParents(operation: Operation): Probe {
  return plainProbe("other parents", operation, stageOf(operation), async (call) => {
    const { target } = call;
    await call.control();
    // Without resources, a correct list is empty under every parent, so one is created.
    const create = createAt(target.spec, operation);
    if (operation.list && create && !target.settings.readOnly)
      await new Call(target, create).plain("minimal");
    const parents = await outerPath(target, operation);
    for (const parameter of operation.outer) {
      const { name } = parameter;
      await sendUnder(call, { ...parents, [name]: unknownId(target, parameter) });
      if (operation.kind === "create" && parameter === operation.outer.at(-1)) continue;
      const other = await anotherParent(target, parameter);
      if (other !== undefined) await sendUnder(call, { ...parents, [name]: other });
    }
  });
}

async function sendUnder(call: Call, outer: Record<string, string>): Promise<void> {
  await call.send({ ...(await call.fresh()), outer });
}

function unknownId({ runId, settings }: Target, { schema }: Parameter): string {
  if (typesOf(schema).includes("integer")) return String(2 ** 31 - 1 - (settings.seed % 1000));
  return headerText(schema, `conformance-${runId}`);
}

/** Creates a resource, and reads the list of another parent. */
export function listOfAnother(list: Operation, create: Operation): Probe {
  return plainProbe("list of another parent", list, stageOf(create), async (call) => {
    const { target } = call;
    await new Call(target, create).plain("full");
    const [parameter] = list.outer.slice(-1);
    const other = parameter && (await anotherParent(target, parameter));
    if (parameter === undefined || other === undefined) return;
    const parents = await outerPath(target, list);
    await sendUnder(call, { ...parents, [parameter.name]: other });
  });
}

/** Creates a resource in the second space under a parent of the first. */
export function fromSecondSpace(create: Operation): Probe {
  return plainProbe("parent of the first space", create, stageOf(create), async (call) => {
    if (call.target.settings.secondSpace === undefined) throw new NotTested(...NO_SECOND_SPACE);
    await call.control();
    const outer = await outerPath(call.target, create);
    await call.send({ ...(await call.fresh()), outer, space: "second" });
  });
}
