import { Call } from "../../client/call.ts";
import { makerOf } from "../../client/relations.ts";
import { sendBody } from "../../client/resources.ts";
import type { Probe } from "../../client/target.ts";
import type { RequestPlan } from "../../generators/request.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { rotated } from "../../spec/ordered.ts";
import { fieldsSentAlone } from "./concurrent.ts";
import { readBack, readerOf } from "./read-back.ts";
import { withLockedResource } from "./settled-reads.ts";
import { shownIn } from "./shown-values.ts";
import { onOtherVersion, onUnrelated } from "./unrelated.ts";
import { otherValues } from "./update.ts";
import { updateRequest } from "./updating.ts";

/** A service that writes late may lose the first update. Reads of other probes would hide this. */
export function updatesInTurn(update: Operation): Probe {
  return {
    id: `updates in turn ${update.id}`,
    stage: "burst",
    async run(target) {
      const call = new Call(target, update);
      const [field] = rotated(fieldsSentAlone(target.spec, update), target.settings.seed);
      if (field === undefined || makerOf(target.spec, update) === undefined) return;
      await withLockedResource(call, (first) => updateOthersToo(call, first, field));
    },
  };
}

async function updateOthersToo(call: Call, first: string, field: string): Promise<void> {
  const { target, operation, version } = call;
  const reader = readerOf(target.spec, operation);
  const updateAll = async (ids: string[]) => {
    const updates: RequestPlan[] = [];
    for (const id of ids) {
      const body = await otherValues(call, shownIn(call, id).at(-1) ?? {}, [field]);
      updates.push(updateRequest(operation, id, version, body));
    }
    for (const update of updates) await sendBody(target, update, "update", true);
    // Only single reads follow here, because lists are read at the end of the run.
    if (reader?.kind === "read") for (const id of ids) await readBack(call, id);
  };
  await onUnrelated(call, (second) =>
    reader?.kind === "list"
      ? onOtherVersion(call, (third) => updateAll([first, second, third]))
      : updateAll([first, second]),
  );
}
