import type { Call } from "../../client/call.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { echoDifferencesOf } from "../shared/sent-values.ts";
import { nullableFields, optionalFields } from "./fields.ts";
import { nextVariation, requiredAnd } from "./updating.ts";

export function switchesOf(spec: Spec, { body }: Operation): string[] {
  const switches = spec.schemas.fields(body).filter(([, field]) => typesOf(field).includes("boolean"));
  return switches.map(([name]) => name);
}

/** Returns the optional fields that are not boolean. */
export function plainFields(spec: Spec, operation: Operation): string[] {
  const switches = new Set(switchesOf(spec, operation));
  return optionalFields(spec, operation).filter((name) => !switches.has(name));
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

const VARIATIONS_TRIED = 4;

interface BodyOptions {
  shaped?: ((body: JsonObject) => JsonObject) | undefined;
  hasLongLists?: boolean;
}

/** Returns a valid body that differs from `before`, so that lost updates show. */
export async function otherBody(
  call: Call,
  before: JsonObject,
  { shaped = (body) => body, hasLongLists = false }: BodyOptions = {},
): Promise<JsonObject> {
  const { target, operation } = call;
  const next = nextVariation(target);
  // Only odd variations have lists of two elements.
  const variation = hasLongLists ? next | 1 : next;
  const body = { ...shaped(await call.body("full", variation)) };
  for (const name of switchesOf(target.spec, operation)) if (name in body) body[name] = before[name] !== true;
  for (let other = 1; other < VARIATIONS_TRIED; other++) {
    const at = { operation, sent: body, shown: before };
    const faults = operation.resource ? echoDifferencesOf(target.history(), at, operation) : [];
    const differing = new Set(faults.map(({ pointer }) => pointer.split("/")[1]));
    const same = Object.keys(body).filter((name) => name in before && !differing.has(name));
    if (same.length === 0) break;
    const another = shaped(await call.body("full", variation + other));
    for (const name of same)
      if (typeof body[name] !== "boolean" && name in another) body[name] = another[name];
  }
  return body;
}

/** Returns the required fields and the named ones with values that differ from `before`. */
export async function otherValues(call: Call, before: JsonObject, names: string[]): Promise<JsonObject> {
  const full = await otherBody(call, before);
  return requiredAnd(call.target.spec, call.operation, full, names);
}
