import type { Call } from "../../client/call.ts";
import { type Evidence, exchangesOf, Untestable, Violation } from "../../client/check.ts";
import { sendBody } from "../../client/subjects.ts";
import { type Answer, isAccepted, type Target } from "../../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import { type Difference, describeDifferences } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { DifferenceKind } from "../../spec/model/difference.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { operationsOf } from "../shared/rule.ts";
import { pointedAt } from "./pointing.ts";

export function updatesOf(spec: Spec): { operation: Operation }[] {
  return operationsOf(spec, "update").flatMap((operation) => (operation.body ? [{ operation }] : []));
}

export function updatableFields(spec: Spec, body: Schema): string[] {
  return spec.schemas.fields(body).flatMap(([name, field]) => (field["x-consumes"] ? [] : [name]));
}

/** A value for each switch that differs from its default, so that a reset shows. */
export function unusualSwitches(spec: Spec, { body = {} }: Operation): JsonObject {
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

export function requiredAnd(spec: Spec, operation: Operation, body: JsonObject, names: string[]): JsonObject {
  const kept = new Set([...(spec.schemas.flatten(operation.body ?? {}).required ?? []), ...names]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => kept.has(name)));
}

export async function sendUpdate(call: Call, id: string, body: JsonObject): Promise<Answer> {
  const { target, operation, version } = call;
  const answer = await sendBody(target, updateRequest(operation, id, version, body), "update");
  if (!isAccepted(answer)) {
    throw new Untestable("control-rejected", `the update was answered ${answer.status}`, [answer]);
  }
  return answer;
}

const variations = new WeakMap<Target, number>();

/**
 * A different number at each call, so that each update sends new values. The first number is the seed, so
 * that every check sends the same values.
 */
export function nextVariation(target: Target): number {
  const variation = ((variations.get(target) ?? Math.abs(target.settings.seed)) % 20) + 1;
  variations.set(target, variation);
  return variation;
}

export function restartVariations(target: Target): void {
  variations.delete(target);
}

/** @throws Violation if there are differences; `where` begins the expectation */
export function throwDifferences(
  differences: Difference[],
  shown: Evidence,
  where: string,
  kind?: DifferenceKind,
): void {
  if (differences.length === 0) return;
  const { expected, actual, difference } = describeDifferences(differences);
  const evidence = exchangesOf(shown);
  // A difference in the answer to the update is marked there, any other one in the last read.
  const shows = where === "" ? evidence.findLastIndex(({ request }) => request.method !== "GET") : -1;
  const place = shows === -1 ? evidence.length - 1 : shows;
  throw new Violation(
    `${where}${expected}`,
    actual,
    pointedAt(evidence, place, differences[0]?.pointer ?? ""),
    { difference: kind ?? difference },
  );
}

export function pick(resource: JsonObject, names: Set<string>): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.has(name)));
}
