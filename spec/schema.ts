import { isObject, jsonType } from "./json.ts";
import type { Schema } from "./model/schema.ts";

/** Yields the schemas directly inside of a schema, with the steps to them. */
export function* childSchemas(schema: Schema): Generator<[step: string[], child: Schema]> {
  for (const [name, child] of Object.entries(schema.properties ?? {})) yield [["properties", name], child];
  for (const key of ["items", "not", "propertyNames", "x-send"] as const) {
    const child = schema[key];
    if (child) yield [[key], child];
  }
  if (isObject(schema.additionalProperties)) yield [["additionalProperties"], schema.additionalProperties];
  for (const key of ["allOf", "oneOf", "anyOf"] as const) {
    for (const [index, child] of (schema[key] ?? []).entries()) yield [[key, String(index)], child];
  }
}

/** Returns a schema that demands both. `b` wins if they contradict each other. */
export function mergeSchemas(a: Schema, b: Schema): Schema {
  const merged: Schema = { ...a, ...b };
  if (a.required && b.required) merged.required = [...new Set([...a.required, ...b.required])];
  if (a["x-requirements"] && b["x-requirements"]) {
    merged["x-requirements"] = { ...a["x-requirements"], ...b["x-requirements"] };
  }
  if (a.properties && b.properties) {
    merged.properties = { ...a.properties };
    for (const [name, schema] of Object.entries(b.properties)) {
      const other = a.properties[name];
      merged.properties[name] = other && !other.$ref && !schema.$ref ? mergeSchemas(other, schema) : schema;
    }
  }
  return merged;
}

export function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

/** True if null is valid, also because no type is stated. */
export function allowsNull(schema: Schema): boolean {
  return (
    typesOf(schema).includes("null") || (schema.type === undefined && (schema.enum?.includes(null) ?? true))
  );
}

/** True for a text that encodes something, such as base64 or JSON: no other text is valid. */
export function isEncoded({ contentEncoding, contentMediaType = "text/plain" }: Schema): boolean {
  return contentEncoding !== undefined || !/^text\//i.test(contentMediaType);
}

/** False if null is allowed only because any value is. */
export function namesNull(schema: Schema): boolean {
  if (schema.type !== undefined) return typesOf(schema).includes("null");
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  return schema.enum?.includes(null) === true || branches.some((branch) => branch.type === "null");
}

/** Returns the value as messages quote it, cut to the limit in characters. */
export function describeValue(value: unknown, limit = 120): string {
  if (value === undefined) return "absent";
  const text = JSON.stringify(value) ?? String(value);
  const cut = text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
  return value !== null && typeof value === "object" ? `${jsonType(value)} ${cut}` : cut;
}
