import type { Call } from "../../client/call.ts";
import { sendBody } from "../../client/resources.ts";
import type { JsonObject } from "../../spec/json.ts";
import { underAllFilters } from "./other-requests.ts";
import { readBack } from "./read-back.ts";
import { shownIn } from "./shown-values.ts";
import { otherValues, switchesOf } from "./update.ts";
import { updateRequest } from "./updating.ts";

/** Sets the boolean fields to false. A faulty service may hide or change the resource in lists then. */
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

/** Reads a list filtered by the values of the resource, and then the resource under the version of the list. */
export async function readBesideFilters(call: Call, id: string): Promise<void> {
  const filtered = underAllFilters(call, id, shownIn(call, id).at(-1) ?? {});
  if (filtered) await call.target.send(filtered, { role: "read back", valid: true });
  await readBack(filtered ? call.under(filtered.version) : call, id);
}
