import type { Schema } from "../model/schema.ts";
import { typesOf } from "../schema.ts";

/** Returns the value of a text, such as 7 for "7", or the text itself if it fits no other type. */
export function parameterValue(schema: Schema, text: string): unknown {
  const types = typesOf(schema);
  const listed = types.length === 0 ? schema.enum?.find((option) => String(option) === text) : undefined;
  if (listed !== undefined) return listed;
  if (types.includes("integer") || types.includes("number"))
    return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
