import { isObject } from "../../spec/json.ts";
import type { Schema } from "../../spec/model/spec.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";

/** Merges references, `allOf` and the alternative (`oneOf`, `anyOf`) that the value fits. */
export function schemaOfValue(schemas: SchemaIndex, schema: Schema, value: unknown): Schema {
  const flat = schemas.flatten(schema);
  const options = flat.oneOf ?? flat.anyOf ?? [];
  const choices = options.filter((option) => schemas.flatten(option).type !== "null");
  const choice = choices.findIndex((option) => schemas.validate(option, value).length === 0);
  return choice === -1 ? flat : schemas.chosen(flat, choice);
}

/** Returns the schema of the member, or `undefined` if it is undocumented. */
export function schemaOfMember(
  { properties, additionalProperties }: Schema,
  name: string,
): Schema | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return isObject(additionalProperties) ? additionalProperties : undefined;
}

/** True if the schema allows members that it does not name. */
export function hasFreeMembers({ properties, additionalProperties }: Schema): boolean {
  return !properties || Boolean(additionalProperties);
}
