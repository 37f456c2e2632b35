import type { Call } from "../../client/call.ts";
import { sendBody } from "../../client/resources.ts";
import { identityOf } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { comparedRecords, type RecordRead } from "../reads/records.ts";
import { underAllFilters } from "./other-requests.ts";
import { readBack } from "./read-back.ts";
import { otherValues, switchesOf } from "./update.ts";
import { updateRequest } from "./updating.ts";

const MOST_LISTS = 4;

/** Sets the boolean fields to false. A list may hide or change what is switched off. */
export async function switchOff(call: Call, id: string, shown: JsonObject): Promise<void> {
  const { target, operation, version } = call;
  const switches = switchesOf(target.spec, operation.body ?? {});
  if (switches.length === 0) return;
  const off = Object.fromEntries(switches.map((name) => [name, false]));
  const body = { ...(await otherValues(call, shown, [])), ...off };
  await sendBody(target, updateRequest(operation, id, version, body), "update", true);
}

/**
 * Reads the resource, then a list filtered by its values, and the resource again. If they differ, both are read again,
 * because the resource may change by itself.
 */
export async function readBesideFilters(call: Call, id: string, reader: Operation): Promise<void> {
  const { target } = call;
  const { resource } = await readBack(call, id);
  const filtered = underAllFilters(call, id, resource);
  if (!filtered) return;
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
