import type { Call } from "../../../client/call.ts";
import { makerOf } from "../../../client/relations.ts";
import type { Probe } from "../../../client/target.ts";
import type { JsonObject } from "../../../spec/json.ts";
import type { Operation } from "../../../spec/model/spec.ts";
import { rotated } from "../../../spec/ordered.ts";
import { plainProbe } from "../../shared/sampled.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { otherValues } from "../bodies.ts";
import { readBack, readerOf } from "../read-back.ts";
import { withLockedResource } from "../settled-reads.ts";
import { lastShownIn } from "../shown-values.ts";
import { onOtherVersion, onUnrelated } from "../walk/unrelated.ts";
import { fieldsSentAlone } from "./concurrent.ts";

/**
 * Updates two fields of new resources one after the other. A service that writes late may lose the first
 * update. Reads of other probes would hide this.
 */
export function updatesInTurn(update: Operation): Probe {
  return plainProbe("updates in turn", update, "burst", async (call) => {
    const { spec, settings } = call.target;
    const [field] = rotated(fieldsSentAlone(spec, update), settings.seed);
    if (field === undefined || makerOf(spec, update) === undefined) return;
    await withLockedResource(call, (first) => updateOthersToo(call, first, field));
  });
}

/** Updates several resources before any is read, because a service may mix them up. */
async function updateOthersToo(call: Call, first: string, field: string): Promise<void> {
  const reader = readerOf(call.target.spec, call.operation);
  const updateAll = async (ids: string[]) => {
    const bodies: [id: string, body: JsonObject][] = [];
    for (const id of ids) bodies.push([id, await otherValues(call, lastShownIn(call, id), [field])]);
    for (const [id, body] of bodies) await sendUpdate(call, id, body);
    // Only single reads follow here, because lists are read at the end of the run.
    if (reader?.kind === "read") for (const id of ids) await readBack(call, id);
  };
  await onUnrelated(call, (second) =>
    reader?.kind === "list"
      ? onOtherVersion(call, (third) => updateAll([first, second, third]))
      : updateAll([first, second]),
  );
}
