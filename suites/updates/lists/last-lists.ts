import type { Call } from "../../../client/call.ts";
import type { RequestPlan } from "../../../generators/request.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { switchesOf, updatableFields } from "../../shared/update-fields.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { otherValues } from "../bodies.ts";
import { readBack } from "../read-back.ts";
import { lastShownIn, shownIn } from "../shown-values.ts";
import { underAllFilters, underFiltersOf } from "../walk/other-requests.ts";

/** Sets the booleans of the resource to false: a faulty service may hide it in lists then, or change it. */
export async function switchOff(call: Call, id: string): Promise<void> {
  const names = switchesOf(call.target.spec, call.operation);
  await setSwitches(call, id, Object.fromEntries(names.map((name) => [name, false])));
}

/** Sets the booleans to true that were so at first: the owner of the resource may need them. */
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

/**
 * Changes the fields that the list is filtered by, and returns reads of the list under their former values. A faulty
 * service may filter by the values before the last update.
 */
export async function changeFilteredFields(call: Call, id: string): Promise<RequestPlan[]> {
  const before = lastShownIn(call, id);
  const fields = updatableFields(call.target.spec, call.operation);
  const plans = underFiltersOf(call, before, fields);
  if (plans.length > 0) await sendUpdate(call, id, await otherValues(call, before, fields));
  return plans;
}

/** Reads a filtered list, then the resource under the same version. */
export async function readBesideFilters(call: Call, id: string): Promise<void> {
  const list = underAllFilters(call, id, lastShownIn(call, id));
  if (list) await call.target.send(list, { role: "read back", valid: true });
  await readBack(list ? call.under(list.version) : call, id);
}
