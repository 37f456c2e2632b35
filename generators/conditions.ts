import { type JsonObject, omit } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";

/**
 * Returns the names of the fields that the object must have because of its other fields (`if`, `dependentSchemas`,
 * `dependentRequired`).
 */
export function requiredByOthers(schema: Schema, object: JsonObject, schemas: SchemaIndex): string[] {
  const { if: condition, dependentSchemas = {}, dependentRequired = {} } = schema;
  const has = ([name]: [string, unknown]) => Object.hasOwn(object, name);
  const holds = condition !== undefined && schemas.validate(condition, object).length === 0;
  const branch = condition && (holds ? schema.then : schema.else);
  const dependent = Object.entries(dependentSchemas)
    .filter(has)
    .map(([, each]) => each);
  return [
    ...[branch ?? {}, ...dependent].flatMap((each) => schemas.required(each)),
    ...Object.entries(dependentRequired)
      .filter(has)
      .flatMap(([, names]) => names),
  ];
}

/** Returns the names of the fields that an object must have only if others have some value. */
export function conditionalNames(schema: Schema, schemas: SchemaIndex): string[] {
  const { if: condition, required = [], dependentSchemas = {} } = schema;
  const branches = condition ? [schema.then ?? {}, schema.else ?? {}] : [];
  const names = [...branches, ...Object.values(dependentSchemas)].flatMap((each) => schemas.required(each));
  return [...new Set(names)].filter((name) => !required.includes(name));
}

/** Returns the object without the field, with the values under which it must have the field. */
export function withoutConditional(
  schema: Schema,
  object: JsonObject,
  name: string,
  schemas: SchemaIndex,
): JsonObject {
  const asked = [object, { ...object, ...constantsOf(schema.if, schemas) }].find((each) =>
    requiredByOthers(schema, each, schemas).includes(name),
  );
  return asked ? omit(asked, [name]) : object;
}

function constantsOf(condition: Schema | undefined, schemas: SchemaIndex): JsonObject {
  const constants = schemas.fields(condition).filter(([, field]) => field.const !== undefined);
  return Object.fromEntries(constants.map(([name, field]) => [name, field.const]));
}
