import type { Schema } from "../model/schema.ts";
import { typesOf } from "../schema.ts";

interface Schemas {
  flatten(schema: Schema): Schema;
}

/** Returns 7 for "7", or the text if it fits no type. */
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
