/** The Spec of the package, and changed editions of it. */

import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { loadSpec, type SpecFile } from "../../spec/loading/load.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";

/** A file of the package's own spec/. */
function specFile(name: "openapi.yaml" | "requirements.yaml"): SpecFile {
  return { name, text: readFileSync(new URL(`../../spec/${name}`, import.meta.url), "utf8") };
}

export const openapi = specFile("openapi.yaml");
export const requirements = specFile("requirements.yaml");

/** The Spec of the package. */
export const spec: Spec = loadSpec(openapi, requirements);

/** openapi.yaml as a plain value that may be changed. */
export function documentCopy(): JsonObject {
  const value: unknown = parseDocument(openapi.text).toJS();
  if (!isObject(value)) throw new Error("openapi.yaml is no object");
  return value;
}

/** The Spec of a changed document. JSON is YAML, so the loader reads it. */
export function specOf(document: JsonObject): Spec {
  return loadSpec({ name: "edition.yaml", text: JSON.stringify(document, null, 1) }, requirements);
}

/** The operation with a key such as `GET /banks`. */
export function operation(key: string, from: Spec = spec): Operation {
  const found = from.operations.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no operation ${key}`);
  return found;
}

/** The schema of the package's document at `#/components/schemas/NAME`. */
export function component(name: string, from: Spec = spec): Schema {
  for (const schema of from.schemas.all()) {
    if (from.schemas.pointerOf(schema) === `/components/schemas/${name}`) return schema;
  }
  throw new Error(`no schema ${name}`);
}
