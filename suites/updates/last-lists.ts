import type { Call } from "../../client/call.ts";
import { sendBody } from "../../client/resources.ts";
import { identityOf } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { comparedRecords, type RecordRead } from "../reads/records.ts";
import { underAllFilters } from "./other-requests.ts";
import { readBack } from "./read-back.ts";
import { shownIn } from "./shown-values.ts";
import { otherValues, switchesOf } from "./update.ts";
import { updateRequest } from "./updating.ts";

const MOST_LISTS = 4;

/** Sets the boolean fields to false. A list may hide or change what is switched off. */
export async function switchOff(call: Call, id: string): Promise<void> {
  const names = switchesOf(call.target.spec, call.operation.body ?? {});
  await setSwitches(call, id, Object.fromEntries(names.map((name) => [name, false])));
}

/** Sets the boolean fields that the resource showed as true at first, because its owner may need them so. */
export async function switchOnAgain(call: Call, id: string): Promise<void> {
  const names = switchesOf(call.target.spec, call.operation.body ?? {});
  const first = shownIn(call, id)[0] ?? {};
  const wereOn = names.filter((name) => first[name] === true);
  await setSwitches(call, id, Object.fromEntries(wereOn.map((name) => [name, true])));
}

async function setSwitches(call: Call, id: string, values: JsonObject): Promise<void> {
  const { target, operation, version } = call;
  if (Object.keys(values).length === 0) return;
  const body = { ...(await otherValues(call, shownIn(call, id).at(-1) ?? {}, [])), ...values };
  await sendBody(target, updateRequest(operation, id, version, body), "update", true);
}

/**
 * Reads a list filtered by the values of the resource, and then the resource. If they differ, both are read again,
 * because the resource may change by itself.
 */
export async function readBesideFilters(call: Call, id: string, reader: Operation): Promise<void> {
  const { target } = call;
  const filtered = underAllFilters(call, id, shownIn(call, id).at(-1) ?? {});
  if (!filtered) {
    await readBack(call, id);
    return;
  }
  for (let count = 0; count < MOST_LISTS; count++) {
    if (count > 0) await target.pause(target.settings.visibilityDelay / (MOST_LISTS - 1));
    await target.send(filtered, { role: "read back", valid: true });
    await readBack(call.under(filtered.version), id);
    if (agreesWithList(call, id, reader)) return;
  }
}

function agreesWithList({ target }: Call, id: string, operation: Operation): boolean {
  const { sameRecord } = operation;
  const requirement = sameRecord?.requirement;
  if (!sameRecord || requirement === undefined) return true;
  const at: RecordRead = {
    operation: { ...operation, sameRecord },
    field: identityOf(target.spec, operation),
  };
  const own = comparedRecords(target.history(), at, requirement).find(({ path }) => path === id);
  return own === undefined || own.verdict === "agrees";
}
