/** What all checks of updates share: the one resource that may be changed, requests, and how it is read again. */

import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/types.ts";
import { Untestable, Violation } from "./check.ts";
import { type Difference, describeDifferences } from "./compare.ts";
import { subjectLock } from "./controls.ts";
import { echoFaults } from "./echo.ts";
import { readBack, readerOf, type Seen } from "./read-back.ts";
import { sendBody, subjectOf } from "./subjects.ts";
import { validBody } from "./supply.ts";
import { type Answer, isAccepted, type Target } from "./target.ts";

/** The suite that checks of updates belong to. */
export const UPDATES = "updates";

/** The fields of an update that can be sent without using the resource up. */
export function updatableFields(spec: Spec, body: Schema): string[] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {})
    .filter(([, child]) => !spec.schemas.flatten(child)["x-consumes"])
    .map(([name]) => name);
}

/** Work on the one resource that an update may change, in turns. */
export async function onSubject<T>(
  target: Target,
  operation: Operation,
  work: (id: string) => Promise<T>,
): Promise<T> {
  const id = await subjectOf(target, operation, "write");
  return target.exclusive(subjectLock(operation), () => work(id));
}

/** An update of the resource `id`. */
export function updateRequest(
  operation: Operation,
  id: string,
  version: string | null,
  body: JsonObject,
): RequestPlan {
  return withBody({ ...requestTo(operation, version), path: id }, body);
}

/** The required fields of a body and those named. */
export function requiredAnd(spec: Spec, operation: Operation, body: JsonObject, names: string[]): JsonObject {
  const kept = new Set([...(spec.schemas.flatten(operation.body ?? {}).required ?? []), ...names]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => kept.has(name)));
}

/** Sends a valid update; throws Untestable (control-rejected) when it is not accepted. */
export async function sendUpdate(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  body: JsonObject,
): Promise<Answer> {
  const answer = await sendBody(target, updateRequest(operation, id, version, body), "update");
  if (!isAccepted(answer)) {
    throw new Untestable("control-rejected", `the update was answered ${answer.status}`, [answer.exchange]);
  }
  return answer;
}

const salts = new WeakMap<Target, number>();

/** A different one each time that a check asks, so that an update sends other values than the last one did. */
export function nextSalt(target: Target): number {
  const salt = ((salts.get(target) ?? Math.abs(target.seed)) % 20) + 1;
  salts.set(target, salt);
  return salt;
}

/** Sends a valid update of all fields to other values than before. */
export async function sendOtherValues(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<Answer> {
  const body = await validBody(target, operation, "full", nextSalt(target));
  return sendUpdate(target, operation, id, version, body);
}

/** Throws a Violation where there are differences; `where` begins what was expected. */
export function throwDifferences(
  differences: Difference[],
  evidence: Answer["exchange"][],
  where: string,
): void {
  if (differences.length === 0) return;
  const { expected, actual } = describeDifferences(differences);
  throw new Violation(`${where}${expected}`, actual, evidence);
}

/** The fields of a resource that are named. */
export function pick(resource: JsonObject, names: Set<string>): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.has(name)));
}

export async function readOnce(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<JsonObject> {
  return (await readBack(target, operation, id, { version })).resource;
}

/** The resource once a list has caught up with the last update: two looks in a row that are the same. */
export async function readSettled(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<Seen> {
  const seen = await readBack(target, operation, id, { version });
  if (readerOf(target.spec, operation)?.kind !== "list") return seen;
  const marker = target.settings.visibilityDelay;
  const slow = await target.once(`slow list ${operation.id}`, () => isSlow(target, operation, id, version));
  if (!slow) return seen;
  await target.pause(marker);
  return readBack(target, operation, id, { version });
}

/** Whether the list shows an update only after a while. */
async function isSlow(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<boolean> {
  const sent = await validBody(target, operation, "full", nextSalt(target));
  await sendUpdate(target, operation, id, version, sent);
  const { resource } = await readBack(target, operation, id, { version });
  const reader = readerOf(target.spec, operation);
  const late = (await echoFaults(target, operation, sent, resource, reader)).length > 0;
  if (late) await target.pause(target.settings.visibilityDelay);
  return late;
}
