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
  // One of the allowed values is left, as in a branch that fixes its tag.
  if (merged.const !== undefined) delete merged.enum;
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

/** Returns the schema of the element at the index of a list, or `undefined` if the list states none. */
export function elementSchema({ prefixItems = [], items }: Schema, index: number): Schema | undefined {
  return prefixItems[index] ?? (isObject(items) ? items : undefined);
}

/** Returns how many elements of a list `contains` asks for. */
export function containedCount({ contains, minContains = 1 }: Schema): number {
  return contains ? minContains : 0;
}

/** Returns how many elements a list must have. */
export function leastElements(schema: Schema): number {
  return Math.max(schema.minItems ?? 0, containedCount(schema));
}

/** Returns how many elements a list can have at most, because `items: false` allows none after `prefixItems`. */
export function mostElements({ prefixItems = [], items }: Schema): number {
  return items !== undefined && !items ? prefixItems.length : Number.POSITIVE_INFINITY;
}

/** Returns the schema of the member of this name, or `undefined` if the object states none. */
export function memberSchema(schema: Schema, name: string): Schema | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties: others } = schema;
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const [, named] =
    Object.entries(patternProperties).find(([text]) => new RegExp(text, "u").test(name)) ?? [];
  return own ?? named ?? (isObject(others) ? others : undefined);
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
