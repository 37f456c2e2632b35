import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { omit, optionalFields } from "../updates/fields.ts";
import { pick, unusualSwitches } from "../updates/updating.ts";

/**
 * Keeps about half of the optional fields. Over the turns each is sent without each other, because a faulty
 * service may need two together. Nulls stay, because other rules need them.
 */
export function halfOfFields(spec: Spec, operation: Operation, body: JsonObject, turn: number): JsonObject {
  const optional = optionalFields(spec, operation).filter((name) => (body[name] ?? null) !== null);
  // Two field numbers differ in some binary digit.
  const digits = Math.ceil(Math.log2(optional.length + 2));
  const place = Math.floor(turn / 2) % digits;
  const left = optional.filter((_, index) => (((index + 1) >> place) & 1) !== turn % 2);
  const switches = pick(unusualSwitches(spec, operation), Object.keys(body));
  return omit({ ...body, ...switches }, left);
}
