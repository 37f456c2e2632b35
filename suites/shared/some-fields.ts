import type { Call } from "../../client/call.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { unusualSwitches } from "../updates/updating.ts";

/** The names of the fields that a valid body may leave out (section 4). */
export function optionalFields(spec: Spec, { body = {} }: Operation): string[] {
  const { required = [], properties = {} } = spec.schemas.flatten(body);
  return Object.keys(properties).filter((name) => !required.includes(name));
}

/**
 * Keeps about half of the optional fields, and gives booleans the opposite of their default. In a few turns each field
 * is sent without each other one, because a faulty service may need two of them together.
 */
export function halfOfFields(
  { target: { spec }, operation }: Pick<Call, "target" | "operation">,
  body: JsonObject,
  turn: number,
): JsonObject {
  const optional = optionalFields(spec, operation).filter((name) => name in body);
  // The numbers of the fields, from 1, differ in a binary digit. No number has the same digit at all places.
  const digits = Math.ceil(Math.log2(optional.length + 2));
  const place = Math.floor(turn / 2) % digits;
  const left = optional.filter((_, index) => (((index + 1) >> place) & 1) !== turn % 2);
  const { ...kept } = { ...body, ...pickKnown(unusualSwitches(spec, operation), body) };
  for (const name of left) delete kept[name];
  return kept;
}

function pickKnown(switches: JsonObject, body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(switches).filter(([name]) => name in body));
}
