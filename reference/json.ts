/** A JSON value as JSON.parse gives it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object; a key may always be missing. */
export interface JsonObject {
  [key: string]: Json;
}

/** Whether a value is a JSON object (neither null nor a list). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object without the keys whose value is undefined: an absent field, not a null one. */
export function compact(fields: Record<string, Json | undefined>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}

/** The value's JSON with object keys in order, so that equal bodies have equal text. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
  return `{${pairs.join(",")}}`;
}

/** Characters of a text, counted as code points (an emoji outside the BMP is one). */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
