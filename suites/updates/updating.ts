/** Shared by all checks of updates: requests and differences. */

import type { Call } from "../../client/call.ts";
import { type Evidence, exchangesOf, Untestable, Violation } from "../../client/check.ts";
import { sendBody } from "../../client/subjects.ts";
import { type Answer, isAccepted, type Target } from "../../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import { type Difference, describeDifferences } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { operationsOf } from "../shared/rule.ts";
import { pointedAt } from "./pointing.ts";

/** The updates of a spec that have a body. */
export function updatesOf(spec: Spec): { operation: Operation }[] {
  return operationsOf(spec, "update").flatMap((operation) => (operation.body ? [{ operation }] : []));
}

/** The fields of an update that do not use the resource up. */
export function updatableFields(spec: Spec, body: Schema): string[] {
  return spec.schemas.fields(body).flatMap(([name, field]) => (field["x-consumes"] ? [] : [name]));
}

/** The switches of an update, each different from its default, so that a reset shows. */
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

/** The required fields of a body, and the named ones. */
export function requiredAnd(spec: Spec, operation: Operation, body: JsonObject, names: string[]): JsonObject {
  const kept = new Set([...(spec.schemas.flatten(operation.body ?? {}).required ?? []), ...names]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => kept.has(name)));
}

/** Sends a valid update. @throws Untestable (control-rejected) if it is not accepted */
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
 * Another number at each call, so that an update sends other values than the last one. It begins with the run's
 * seed, so that a scenario sends the same for every check.
 */
export function nextSalt(target: Target): number {
  const salt = ((salts.get(target) ?? Math.abs(target.settings.seed)) % 20) + 1;
  salts.set(target, salt);
  return salt;
}

/** Begins again, so that a scenario does not depend on earlier requests of its check. */
export function restartSalts(target: Target): void {
  salts.delete(target);
}

/** @throws Violation if there are differences; `where` is the beginning of the expectation */
export function throwDifferences(differences: Difference[], shown: Evidence, where: string): void {
  if (differences.length === 0) return;
  const { expected, actual } = describeDifferences(differences);
  const evidence = exchangesOf(shown);
  // A difference in the answer to the update is marked there, all others in the last read.
  const shows = where === "" ? evidence.findLastIndex(({ request }) => request.method !== "GET") : -1;
  const place = shows === -1 ? evidence.length - 1 : shows;
  throw new Violation(
    `${where}${expected}`,
    actual,
    pointedAt(evidence, place, differences[0]?.pointer ?? ""),
  );
}

/** The named fields of a resource. */
export function pick(resource: JsonObject, names: Set<string>): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.has(name)));
}
