/** Compares the answers to one write under two versions, although the sent texts differ (section 9). */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { type Answer, isAccepted, resourceOf } from "../client/target.ts";
import { isDateTime } from "../spec/formats.ts";
import { appendPointer, isObject, type JsonObject } from "../spec/json.ts";
import { fullCreation } from "./creation.ts";
import { echoFaults } from "./echo.ts";
import { faultsEachTime, recordFaults, type VersionFault } from "./versions-compared.ts";

/** Two answers, and the faults of the later version. */
export interface ComparedWrites {
  faults: VersionFault[];
  before: Answer;
  after: Answer;
}

/**
 * Compares the answers to a valid write under two versions. Each is sent once. @throws Untestable if one of them
 * shows no resource
 */
export async function writeFaults(call: Call, older: string, newer: string): Promise<ComparedWrites> {
  const { target, operation } = call;
  const under = async (version: string) =>
    operation.kind === "create"
      ? (await fullCreation(call.under(version))).answer
      : call.under(version).controlAnswer();
  const before = await under(older);
  const after = await under(newer);
  const find = async (earlier: Answer, later: Answer) => {
    const alike = await asAlike(call, earlier, later);
    return recordFaults(target.spec, operation.resource ?? {}, shownBy(earlier), alike, "the answer");
  };
  const faults = await find(before, after);
  if (faults.length === 0 || operation.kind === "create") return { faults, before, after };
  const versions = { older, newer };
  const again = async (which: "older" | "newer") => {
    const other = call.under(versions[which]);
    return other.send(await other.fresh(), "again");
  };
  const lasting = await faultsEachTime(faults, again, find);
  return { faults: lasting.faults, before: lasting.older, after: lasting.newer };
}

function shownBy(answer: Answer): JsonObject {
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  if (resource) return resource;
  throw new Untestable("control-rejected", "it is not accepted under both versions", [answer]);
}

/**
 * The later answer, with the earlier value in all fields whose difference is not about versions: sent values, new
 * values of each resource, and times of updates. Fields that the earlier answer lacks are left out.
 */
async function asAlike(call: Call, before: Answer, after: Answer): Promise<JsonObject> {
  const { target, operation } = call;
  const [older, newer] = [shownBy(before), shownBy(after)];
  const [sentBefore, sentAfter] = [sentBy(before), sentBy(after)];
  const unshown = async (sent: JsonObject, shown: JsonObject) =>
    new Set((await echoFaults(target, operation, sent, shown)).map(({ pointer }) => topOf(pointer)));
  const [unshownBefore, unshownAfter] = [await unshown(sentBefore, older), await unshown(sentAfter, newer)];
  const fixed = target.spec.schemas.flatten(operation.resource ?? {})["x-fixed"] ?? [];
  return Object.fromEntries(
    Object.entries(older).flatMap(([name, was]): [string, unknown][] => {
      const sent = [sentBefore, sentAfter].filter((body) => Object.hasOwn(body, name)).length;
      const at = appendPointer("", name);
      // A value that only one request sent does not concern versions, nor does one that the earlier version
      // does not show either.
      const excused = sent === 1 || (sent === 2 && (unshownBefore.has(at) || !unshownAfter.has(at)));
      if (excused) return [[name, was]];
      if (!Object.hasOwn(newer, name)) return [];
      const value = newer[name];
      if (sent > 0) return [[name, value]];
      return [[name, alike(was, value, operation.kind === "update", fixed.includes(name))]];
    }),
  );
}

/** The top field of a pointer. */
function topOf(pointer: string): string {
  return pointer.split("/", 2).join("/");
}

/**
 * The later value, or the earlier one if both count as equal. For one resource, values and not only types must
 * agree.
 */
function alike(was: unknown, value: unknown, sameResource: boolean, fixed: boolean): unknown {
  if (isObject(was) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, alike(was[name], part, sameResource, fixed)]),
    );
  if (was === null || value === null) return was;
  const isTime = [was, value].every((part) => typeof part === "string" && isDateTime(part));
  if (sameResource && (fixed || !isTime)) return value;
  return typeof was === typeof value && Array.isArray(was) === Array.isArray(value) ? was : value;
}

function sentBy({ plan }: Answer): JsonObject {
  return plan.body?.kind === "json" && isObject(plan.body.value) ? plan.body.value : {};
}
