import type { Call } from "../../client/call.ts";
import { resourceLock } from "../../client/controls.ts";
import { eventually, latenessOf } from "../../client/eventually.ts";
import { resourceIdFor } from "../../client/resources.ts";
import type { Answer } from "../../client/target.ts";
import { changes } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import { echoFaults } from "../shared/echo.ts";
import { type LastSeen, readBack, readerOf } from "./read-back.ts";
import { acceptedUpdate, nextVariation, pick, unusualSwitches } from "./updating.ts";

/** Works on the resource of the update while no other probe uses it. */
export async function withLockedResource<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  const { target, operation } = call;
  const id = await resourceIdFor(target, operation, "write");
  const fixture = operation.pathParameter?.madeBy === undefined;
  return target.withWriteLock(resourceLock(operation), () => work(id), { fixture });
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
): Promise<LastSeen> {
  const { target, operation } = call;
  const reader = readerOf(target.spec, operation);
  const lateness = await latenessOf(target, operation, after);
  // Later reads don't wait for fields that never showed.
  const lost = await target.memoize(`lost in ${operation.id} ${after}`, async () => new Set<string>());
  const started = performance.now();
  let looks = 0;
  let missing: string[] = [];
  let mostMissing = 0;
  const look = async () => {
    looks++;
    const seen = await readBack(call, id, { shared: looks === 1 && kept === undefined });
    const faults = await echoFaults(target, operation, sent, seen.resource, reader);
    const changed = changes(kept ?? {}, pick(seen.resource, Object.keys(kept ?? {})));
    missing = [...faults, ...changed]
      .map(({ pointer }) => pointer.split("/").slice(0, 2).join("/"))
      .filter((field) => !lost.has(field));
    mostMissing = Math.max(mostMissing, missing.length);
    return seen;
  };
  const seen = await eventually(target, operation, look, () => missing.length === 0, after);
  for (const field of missing) lost.add(field);
  if (missing.length < mostMissing) lateness.late = true;
  if (looks === 1 || missing.length > 0) return seen;
  return { ...seen, delay: performance.now() - started };
}

/**
 * Updates all fields, and reads until they show.
 * @throws NotTested if the update is rejected
 */
export async function updateAllFields(call: Call, id: string): Promise<LastSeen & { answer: Answer }> {
  const { target, operation } = call;
  const body = await call.body("full", nextVariation(target));
  const switches = Object.entries(unusualSwitches(target.spec, operation)).filter(([name]) => name in body);
  const sent = { ...body, ...Object.fromEntries(switches) };
  const answer = await acceptedUpdate(call, id, sent);
  return { answer, ...(await readSettled(call, id, sent)) };
}
