import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { sendBody } from "../../client/resources.ts";
import { type Answer, isAccepted, type Target } from "../../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { operationsOf } from "../shared/suite.ts";

export function updatesOf(spec: Spec): { operation: Operation }[] {
  return operationsOf(spec, "update").flatMap((operation) => (operation.body ? [{ operation }] : []));
}

/** Returns the fields that an update takes, without those that it sets for good. */
export function updatableFields(spec: Spec, { body }: Operation): string[] {
  return spec.schemas.fields(body).flatMap(([name, field]) => (field["x-consumes"] ? [] : [name]));
}

/** Returns the opposites of the defaults, so that a reset shows. */
export function unusualSwitches(spec: Spec, { body }: Operation): JsonObject {
  const switches = spec.schemas.fields(body).filter(([, field]) => typesOf(field).includes("boolean"));
  return Object.fromEntries(switches.map(([name, field]) => [name, field.default !== true]));
}

export function updateRequest(
  operation: Operation,
  id: string,
  version: string | null,
  body: JsonObject,
): RequestPlan {
  return withBody({ ...requestTo(operation, version), path: id }, body);
}

/** Returns the required fields and the named ones. */
export function requiredAnd(spec: Spec, operation: Operation, body: JsonObject, names: string[]): JsonObject {
  return pick(body, [...spec.schemas.required(operation.body), ...names]);
}

export function sendUpdate(
  { target, operation, version }: Call,
  id: string,
  body: JsonObject,
  role = "update",
): Promise<Answer> {
  return sendBody(target, updateRequest(operation, id, version, body), role);
}

/**
 * Sends an update that must be accepted, and returns its answer.
 * @throws NotTested if the service rejects the update
 */
export async function acceptedUpdate(call: Call, id: string, body: JsonObject): Promise<Answer> {
  const answer = await sendUpdate(call, id, body);
  if (isAccepted(answer)) return answer;
  throw new NotTested("control-rejected", `the update was answered ${answer.status}`, [answer.exchange]);
}

const variations = new WeakMap<Target, number>();

/** Returns the number of the next variation of values, from 1 to 20. Equal seeds give equal variations. */
export function nextVariation(target: Target): number {
  const variation = ((variations.get(target) ?? Math.abs(target.settings.seed)) % 20) + 1;
  variations.set(target, variation);
  return variation;
}

/** Begins again with the variation of the seed. */
export function restartVariations(target: Target): void {
  variations.delete(target);
}

export function pick(resource: JsonObject, names: Iterable<string>): JsonObject {
  const kept = new Set(names);
  return Object.fromEntries(Object.entries(resource).filter(([name]) => kept.has(name)));
}
