import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { nullableFields, optionalFields, plainFields, switchesOf } from "../../shared/update-fields.ts";

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
