/** What the text of a parameter means: a number in a query is text until it is read. */

import type { Schema } from "../model/schema.ts";
import { typesOf } from "../schema.ts";

/** The value of a text by the types of its flat schema; the text itself if it is none of them. */
export function parameterValue(schema: Schema, text: string): unknown {
  const types = typesOf(schema);
  // Without a type, the values that are listed say of which they are.
  const listed = types.length === 0 ? schema.enum?.find((option) => String(option) === text) : undefined;
  if (listed !== undefined) return listed;
  if (types.includes("integer") || types.includes("number"))
    return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
