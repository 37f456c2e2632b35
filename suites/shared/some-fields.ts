import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { omit, optionalFields } from "../updates/fields.ts";
import { pick, unusualSwitches } from "../updates/updating.ts";

/**
 * Keeps about half of the optional fields, and gives booleans the opposite of their default. In a few turns each field
 * is sent without each other one, because a faulty service may need two of them together. A field that is null stays:
 * another rule may need an accepted create with that null.
 */
export function halfOfFields(spec: Spec, operation: Operation, body: JsonObject, turn: number): JsonObject {
  const optional = optionalFields(spec, operation).filter((name) => (body[name] ?? null) !== null);
  // The numbers of the fields, from 1, differ in a binary digit. No number has the same digit at all places.
  const digits = Math.ceil(Math.log2(optional.length + 2));
  const place = Math.floor(turn / 2) % digits;
  const left = optional.filter((_, index) => (((index + 1) >> place) & 1) !== turn % 2);
  const switches = pick(unusualSwitches(spec, operation), new Set(Object.keys(body)));
  return omit({ ...body, ...switches }, left);
}
