/** Requests in two spaces, for rules over the whole run. */

import { Call } from "../../client/call.ts";
import type { Probe } from "../../client/target.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { moved } from "../../trials/elsewhere.ts";

/** A create, and the undocumented list at its path in both spaces. */
export function listInBothSpaces(list: Operation, create: Operation): Probe {
  return {
    id: `both spaces ${list.id}`,
    stage: "aftermath",
    async run(target) {
      const call = new Call(target, list);
      const plan = call.withSpace(await call.valid());
      const inSecond = moved(target, plan, "second");
      await call.to(create).control();
      await call.ask(plan);
      await call.send(inSecond);
    },
  };
}
