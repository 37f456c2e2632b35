import { type JsonObject, omit, pick } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { halvesOf } from "../../spec/ordered.ts";
import { optionalFields, unusualSwitches } from "./update-fields.ts";

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
