/** What all checks of updates share: requests, and what differs afterwards. */

import type { Call } from "../client/call.ts";
import { type Evidence, exchangesOf, Untestable, Violation } from "../client/check.ts";
import { sendBody } from "../client/subjects.ts";
import { type Answer, isAccepted, type Target } from "../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import { type Difference, describeDifferences } from "../history/differences.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import { pointedAt } from "./pointing.ts";
import { operationsOf } from "./rule.ts";

/** The updates of a spec that have a body. */
export function updatesOf(spec: Spec): { operation: Operation }[] {
  return operationsOf(spec, "update").flatMap((operation) => (operation.body ? [{ operation }] : []));
}

/** The fields of an update that can be sent without using the resource up. */
export function updatableFields(spec: Spec, body: Schema): string[] {
  return spec.schemas.fields(body).flatMap(([name, field]) => (field["x-consumes"] ? [] : [name]));
}

/** The switches of an update at what is not usual: on, but for those that are on by default. What is reset then shows. */
export function unusualSwitches(spec: Spec, { body = {} }: Operation): JsonObject {
  const switches = spec.schemas.fields(body).filter(([, field]) => typesOf(field).includes("boolean"));
  return Object.fromEntries(switches.map(([name, field]) => [name, field.default !== true]));
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
export async function sendUpdate(call: Call, id: string, body: JsonObject): Promise<Answer> {
  const { target, operation, version } = call;
  const answer = await sendBody(target, updateRequest(operation, id, version, body), "update");
  if (!isAccepted(answer)) {
    throw new Untestable("control-rejected", `the update was answered ${answer.status}`, [answer]);
  }
  return answer;
}

const salts = new WeakMap<Target, number>();

/**
 * A different one each time that a check asks, so that an update sends other values than the last one did. They begin
 * where the run's seed says, not the check's: whichever check tells a story, and tells it again, sends the same.
 */
export function nextSalt(target: Target): number {
  const salt = ((salts.get(target) ?? Math.abs(target.settings.seed)) % 20) + 1;
  salts.set(target, salt);
  return salt;
}

/** Begins anew with the salts: what a story sends does not hang on what its check sent before. */
export function restartSalts(target: Target): void {
  salts.delete(target);
}

/** Throws a Violation where there are differences; `where` begins what was expected. */
export function throwDifferences(differences: Difference[], shown: Evidence, where: string): void {
  if (differences.length === 0) return;
  const { expected, actual } = describeDifferences(differences);
  const evidence = exchangesOf(shown);
  // What the answer to the update shows is at fault there; all else in what was read last.
  const shows = where === "" ? evidence.findLastIndex(({ request }) => request.method !== "GET") : -1;
  const place = shows === -1 ? evidence.length - 1 : shows;
  throw new Violation(
    `${where}${expected}`,
    actual,
    pointedAt(evidence, place, differences[0]?.pointer ?? ""),
  );
}

/** The fields of a resource that are named. */
export function pick(resource: JsonObject, names: Set<string>): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.has(name)));
}
