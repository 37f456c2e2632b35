/** The specification of this package, and changed copies of it. */

import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { loadSpec, type SpecFile } from "../../spec/loading/load.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";

function specFile(name: "openapi.yaml" | "requirements.yaml"): SpecFile {
  return { name, text: readFileSync(new URL(`../../spec/${name}`, import.meta.url), "utf8") };
}

export const openapi = specFile("openapi.yaml");
export const requirements = specFile("requirements.yaml");

export const spec: Spec = loadSpec(openapi, requirements);

/** A copy of openapi.yaml as an object, which a test may change. */
export function documentCopy(): JsonObject {
  const value: unknown = parseDocument(openapi.text).toJS();
  if (!isObject(value)) throw new Error("openapi.yaml is no object");
  return value;
}

/** The object at this place of a document, which a test may change. */
export function objectAt(value: unknown, ...names: string[]): JsonObject {
  const found = names.reduce<unknown>((holder, name) => (isObject(holder) ? holder[name] : undefined), value);
  if (!isObject(found)) throw new Error(`nothing at ${names.join("/")}`);
  return found;
}

/** Loads a changed document. JSON is valid YAML, so the loader can read it. */
export function specOf(document: JsonObject): Spec {
  return loadSpec({ name: "edition.yaml", text: JSON.stringify(document, null, 1) }, requirements);
}

export function operation(key: string, from: Spec = spec): Operation {
  const found = from.operations.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no operation ${key}`);
  return found;
}

/** Returns the schema at `#/components/schemas/NAME` of the document. */
export function component(name: string, from: Spec = spec): Schema {
  for (const schema of from.schemas.all()) {
    if (from.schemas.pointerOf(schema) === `/components/schemas/${name}`) return schema;
  }
  throw new Error(`no schema ${name}`);
}
