import type { Call } from "../../client/call.ts";
import type { JsonObject } from "../../spec/json.ts";
import { underAllFilters } from "./other-requests.ts";
import { readBack } from "./read-back.ts";
import { lastShownIn, shownIn } from "./shown-values.ts";
import { otherValues, switchesOf } from "./update.ts";
import { sendUpdate } from "./updating.ts";

/**
 * Sets the booleans of the resource to false. A faulty service may hide a switched-off resource in lists, or
 * change it.
 */
export async function switchOff(call: Call, id: string): Promise<void> {
  const names = switchesOf(call.target.spec, call.operation);
  await setSwitches(call, id, Object.fromEntries(names.map((name) => [name, false])));
}

/**
 * Sets the booleans to true that were so at first. The owner of the resource may need the booleans that were
 * true at first.
 */
export async function switchOnAgain(call: Call, id: string): Promise<void> {
  const names = switchesOf(call.target.spec, call.operation);
  const first = shownIn(call, id)[0] ?? {};
  const wereOn = names.filter((name) => first[name] === true);
  await setSwitches(call, id, Object.fromEntries(wereOn.map((name) => [name, true])));
}

async function setSwitches(call: Call, id: string, values: JsonObject): Promise<void> {
  if (Object.keys(values).length === 0) return;
  const body = { ...(await otherValues(call, lastShownIn(call, id), [])), ...values };
  await sendUpdate(call, id, body);
}

/** Reads a filtered list, then the resource under the same version. */
export async function readBesideFilters(call: Call, id: string): Promise<void> {
  const list = underAllFilters(call, id, lastShownIn(call, id));
  if (list) await call.target.send(list, { role: "read back", valid: true });
  await readBack(list ? call.under(list.version) : call, id);
}
