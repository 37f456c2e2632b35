import type { Schema } from "../model/schema.ts";
import { typesOf } from "../schema.ts";
import type { SchemaFault } from "./validator.ts";

interface Schemas {
  flatten(schema: Schema): Schema;
}

interface ValidatingSchemas extends Schemas {
  validate(schema: Schema, value: unknown): SchemaFault[];
}

/** Returns the faults of the text: none if any reading is valid, as 1.5 is for `integer or string`. */
export function parameterFaults(schemas: ValidatingSchemas, schema: Schema, text: string): SchemaFault[] {
  // The text of a list or an object depends on its style, so none is surely faulty.
  if (mayHaveStyle(schemas, schema)) return [];
  const value = parameterValue(schemas, schema, text);
  const faults = schemas.validate(schema, value);
  if (faults.length === 0 || value === text) return faults;
  return schemas.validate(schema, text).length > 0 ? faults : [];
}

function mayHaveStyle(schemas: Schemas, schema: Schema): boolean {
  const types = branchesOf(schemas, schema).flatMap(typesOf);
  return types.includes("array") || types.includes("object");
}

/** Returns the value that the parameter's text stands for: 7 for "7", or the text if no other type fits. */
export function parameterValue(schemas: Schemas, schema: Schema, text: string): unknown {
  const branches = branchesOf(schemas, schema);
  const types = branches.flatMap(typesOf);
  const options = branches.flatMap(({ enum: listed = [], const: only }) => [...listed, only]);
  const listed = types.length === 0 ? options.find((option) => String(option) === text) : undefined;
  if (listed !== undefined) return listed;
  if (types.includes("integer") || types.includes("number"))
    return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Returns the schema and its alternatives (oneOf, anyOf) at any depth. */
function branchesOf(schemas: Schemas, schema: Schema): Schema[] {
  const flat = schemas.flatten(schema);
  const branches = [...(flat.oneOf ?? []), ...(flat.anyOf ?? [])];
  return [flat, ...branches.flatMap((branch) => branchesOf(schemas, branch))];
}
