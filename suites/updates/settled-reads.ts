import type { Call } from "../../client/call.ts";
import { withResourceWriteLock } from "../../client/controls.ts";
import { eventually, latenessOf } from "../../client/eventually.ts";
import { resourceIdFor } from "../../client/resources.ts";
import { changes } from "../../history/values/differences.ts";
import { type JsonObject, pick } from "../../spec/json.ts";
import { echoDifferencesOf } from "../shared/sent-values.ts";
import { unusualSwitches } from "../shared/update-fields.ts";
import { acceptedUpdate } from "../shared/update-requests.ts";
import { nextVariation } from "./bodies.ts";
import { readBack, readerOf } from "./read-back.ts";

/** Works on the resource of the update while no other probe uses it. */
export async function withLockedResource<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  const { target, operation } = call;
  const id = await resourceIdFor(target, operation, "write");
  return withResourceWriteLock(target, operation, () => work(id));
}

/**
 * Reads until the values show or the consistency timeout ends. `after` names the kind of requests before: an accepted
 * PUT resets fields for good, but after rejected updates the same fields must show again.
 * @throws NotTested if the resource can't be read
 */
export async function readSettled(
  call: Call,
  id: string,
  sent: JsonObject,
  kept?: JsonObject,
  after = "",
): Promise<JsonObject> {
  const { target, operation } = call;
  const reader = readerOf(target.spec, operation);
  const lateness = await latenessOf(target, operation, after);
  // Later reads don't wait for fields that never showed.
  const lost = await target.memoize(`lost in ${operation.id} ${after}`, async () => new Set<string>());
  let isFirst = true;
  let missing: string[] = [];
  let mostMissing = 0;
  const look = async () => {
    const seen = await readBack(call, id, { shared: isFirst && kept === undefined });
    isFirst = false;
    const at = { operation, sent, shown: seen };
    const faults = reader?.resource ? echoDifferencesOf(target.history(), at, reader) : [];
    const changed = changes(kept ?? {}, pick(seen, Object.keys(kept ?? {})));
    missing = [...faults, ...changed]
      .map(({ pointer }) => pointer.split("/").slice(0, 2).join("/"))
      .filter((field) => !lost.has(field));
    mostMissing = Math.max(mostMissing, missing.length);
    return seen;
  };
  const seen = await eventually(target, operation, look, () => missing.length === 0, after);
  for (const field of missing) lost.add(field);
  if (missing.length < mostMissing) lateness.late = true;
  return seen;
}

/**
 * Updates all fields, reads until they show, and returns the resource.
 * @throws NotTested if the update is rejected
 */
export async function updateAllFields(call: Call, id: string): Promise<JsonObject> {
  const { target, operation } = call;
  const body = await call.body("full", nextVariation(target));
  const switches = Object.entries(unusualSwitches(target.spec, operation)).filter(([name]) => name in body);
  const sent = { ...body, ...Object.fromEntries(switches) };
  await acceptedUpdate(call, id, sent);
  return readSettled(call, id, sent);
}
