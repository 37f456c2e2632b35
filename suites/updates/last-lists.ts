import type { Call } from "../../client/call.ts";
import { sendBody } from "../../client/resources.ts";
import { identityOf } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import { isOfRecord } from "../reads/records.ts";
import { readUntilSettled } from "../reads/settled-records.ts";
import { underAllFilters } from "./other-requests.ts";
import { readBack, readerOf } from "./read-back.ts";
import { shownIn } from "./shown-values.ts";
import { otherValues, switchesOf } from "./update.ts";
import { updateRequest } from "./updating.ts";

/** A faulty service may hide a switched-off resource in lists, or change it. */
export async function switchOff(call: Call, id: string): Promise<void> {
  const names = switchesOf(call.target.spec, call.operation.body ?? {});
  await setSwitches(call, id, Object.fromEntries(names.map((name) => [name, false])));
}

/** The owner of the resource may need the booleans that were true at first. */
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

/** Reads a filtered list, then the resource under the same version. Repeats both while they differ. */
export async function readBesideFilters(call: Call, id: string): Promise<void> {
  const { target, operation } = call;
  const list = underAllFilters(call, id, shownIn(call, id).at(-1) ?? {});
  if (list) await target.send(list, { role: "read back", valid: true });
  const beside = list ? call.under(list.version) : call;
  await readBack(beside, id);
  const reader = readerOf(target.spec, operation);
  if (!list || !reader || !isOfRecord(reader)) return;
  const field = identityOf(target.spec, operationById(target.spec, reader.sameRecord.list));
  await readUntilSettled(beside.to(reader), { operation: reader, field }, [{ list, path: id }]);
}
