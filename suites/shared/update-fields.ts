/** Which fields an update has. */

import { type JsonObject, omit, pick } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { halvesOf } from "../../spec/ordered.ts";
import { namesNull, typesOf } from "../../spec/schema.ts";
import { freeMaps } from "./echo.ts";
import { targetsAt } from "./history-rule.ts";

export function updatesOf(spec: Spec): { operation: Operation }[] {
  return targetsAt(operationsWithBody(spec, "update"));
}

/** Returns the fields that an update takes, except those of one-way changes. */
export function updatableFields(spec: Spec, { body }: Operation): string[] {
  return spec.schemas.fields(body).flatMap(([name, field]) => (field["x-consumes"] ? [] : [name]));
}

export function acceptsEmptyBody(spec: Spec, { body }: Operation): boolean {
  return (spec.schemas.flatten(body).minProperties ?? 0) === 0;
}

export function optionalFields(spec: Spec, operation: Operation): string[] {
  const required = new Set(spec.schemas.required(operation.body));
  return updatableFields(spec, operation).filter((name) => !required.has(name));
}

/** Returns the fields that may be set to null. */
export function nullableFields(spec: Spec, operation: Operation): string[] {
  return updatableFields(spec, operation).filter((name) =>
    namesNull(spec.schemas.field(operation.body, name)),
  );
}

/** Returns the shown fields that no update takes. */
export function untakenFields(spec: Spec, { body, resource }: Operation): string[] {
  const taken = spec.schemas.fieldNames(body);
  return spec.schemas.fieldNames(resource).filter((name) => !taken.includes(name));
}

/** Returns the optional maps that may be empty. */
export function emptiableMaps(spec: Spec, operation: Operation): string[] {
  const optional = optionalFields(spec, operation);
  return freeMaps(spec, operation.body ?? {}).filter(
    (name) => optional.includes(name) && (spec.schemas.field(operation.body, name).minProperties ?? 0) === 0,
  );
}

export function switchesOf(spec: Spec, { body }: Operation): string[] {
  const fields = spec.schemas.fields(body);
  return fields.flatMap(([name, field]) => (typesOf(field).includes("boolean") ? [name] : []));
}

/** Returns the optional fields that are not boolean. */
export function plainFields(spec: Spec, operation: Operation): string[] {
  const switches = new Set(switchesOf(spec, operation));
  return optionalFields(spec, operation).filter((name) => !switches.has(name));
}

/** Returns the opposites of the defaults, so that a reset shows. */
export function unusualSwitches(spec: Spec, operation: Operation): JsonObject {
  const unusual = (name: string) => spec.schemas.field(operation.body, name).default !== true;
  return Object.fromEntries(switchesOf(spec, operation).map((name) => [name, unusual(name)]));
}

/** Returns the required fields and the named ones. */
export function requiredAnd(spec: Spec, operation: Operation, body: JsonObject, names: string[]): JsonObject {
  return pick(body, [...spec.schemas.required(operation.body), ...names]);
}

/**
 * Keeps about half of the optional fields. Over the turns each is sent without each other, because a faulty
 * service may need two together. Nulls stay, because other rules need them.
 */
export function halfOfFields(spec: Spec, operation: Operation, body: JsonObject, turn: number): JsonObject {
  const optional = optionalFields(spec, operation).filter((name) => (body[name] ?? null) !== null);
  const [, left] = halvesOf(optional, turn, Math.floor(turn / 2));
  const switches = pick(unusualSwitches(spec, operation), Object.keys(body));
  return omit({ ...body, ...switches }, left);
}

export interface UpdatedFields {
  required: string[];
  optional: string[];
  /** Names of optional boolean fields. */
  switches: string[];
  /** Names of all other optional fields. */
  plain: string[];
  nullable: string[];
  nullableSwitches: string[];
}

/** Returns the fields of the update by how the walk changes them. */
export function updatedFields(spec: Spec, operation: Operation): UpdatedFields {
  const optional = optionalFields(spec, operation);
  const switches = switchesOf(spec, operation).filter((name) => optional.includes(name));
  const nullable = nullableFields(spec, operation);
  return {
    required: spec.schemas.required(operation.body),
    optional,
    switches,
    plain: plainFields(spec, operation),
    nullable,
    nullableSwitches: switches.filter((name) => nullable.includes(name)),
  };
}
