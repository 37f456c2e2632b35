/** Turns the texts of openapi.yaml and requirements.yaml into one typed, checked Spec. */

import { createHash } from "node:crypto";
import { loadCatalogue } from "./catalogue.ts";
import { checkExtensions } from "./extensions.ts";
import { appendPointer, isObject, type JsonObject, valueAt } from "./json.ts";
import { buildOperation, type RawOperation } from "./operations.ts";
import { SchemaIndex } from "./schema.ts";
import { SpecError, YamlSource } from "./source.ts";
import type { Operation, Spec } from "./types.ts";

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"] as const;

export interface SpecFile {
  name: string;
  text: string;
}

/**
 * Reads a Spec. Throws SpecError, with file and line, on a syntax error, a duplicate id, a dangling `$ref`, and an
 * extension that is unknown, misplaced or misshapen.
 */
export function loadSpec(openapi: SpecFile, requirements: SpecFile): Spec {
  const source = new YamlSource(openapi.name, openapi.text);
  const catalogue = loadCatalogue(new YamlSource(requirements.name, requirements.text));
  const document = source.value;
  if (!isObject(document) || !isObject(document.paths))
    throw source.error([], "not an OpenAPI document: no paths");
  checkReferences(source, document);
  const raw = rawOperations(source, document);
  checkExtensions(source, {
    requirements: new Set(catalogue.keys()),
    operations: new Set(raw.map((operation) => operation.id)),
  });
  const schemas = new SchemaIndex(document, schemaRoots(document));
  const info = isObject(document.info) ? document.info : {};
  const spec: Spec = {
    title: String(info.title ?? ""),
    versions: (document["x-versions"] as string[] | undefined) ?? [],
    sha256: createHash("sha256").update(openapi.text).update("\0").update(requirements.text).digest("hex"),
    pathReadings: (document["x-path-readings"] as Spec["pathReadings"] | undefined) ?? {
      "as-shown": { prefix: "" },
    },
    operations: raw.map((operation) => buildOperation(operation, schemas)),
    requirements: catalogue,
    schemas,
  };
  checkVersions(source, spec);
  return spec;
}

/** The operation with an operationId; throws where there is none (the loader has checked those of the spec). */
export function operationById(spec: Spec, id: string): Operation {
  const operation = spec.operations.find((candidate) => candidate.id === id);
  if (!operation) throw new SpecError(`no operation ${id}`);
  return operation;
}

function checkReferences(source: YamlSource, document: JsonObject): void {
  const visit = (value: unknown, path: (string | number)[]): void => {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        visit(item, [...path, index]);
      });
    else if (isObject(value)) {
      const reference = value.$ref;
      if (typeof reference === "string" && path[path.length - 1] !== "properties") {
        if (!reference.startsWith("#/"))
          throw source.error([...path, "$ref"], `$ref leaves the document: ${reference}`);
        if (valueAt(document, reference.slice(1)) === undefined) {
          throw source.error([...path, "$ref"], `dangling $ref: ${reference}`);
        }
      }
      for (const [key, child] of Object.entries(value)) visit(child, [...path, key]);
    }
  };
  visit(document, []);
}

function dereference(document: JsonObject, pointer: string): [value: unknown, pointer: string] {
  let at = pointer;
  let value = valueAt(document, at);
  for (let steps = 0; steps < 32 && isObject(value) && typeof value.$ref === "string"; steps++) {
    at = value.$ref.slice(1);
    value = valueAt(document, at);
  }
  return [value, at];
}

function rawOperations(source: YamlSource, document: JsonObject): RawOperation[] {
  const found: RawOperation[] = [];
  const seen = new Set<string>();
  const paths = document.paths as JsonObject;
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) throw source.error(["paths", path], "a path needs operations");
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const at = ["paths", path, method];
      if (!isObject(operation) || typeof operation.operationId !== "string") {
        throw source.error(at, `${method.toUpperCase()} ${path} has no operationId`);
      }
      const id = operation.operationId;
      if (seen.has(id)) throw source.error([...at, "operationId"], `duplicate operationId ${id}`);
      seen.add(id);
      const base = at.reduce(appendPointer, "");
      const parameters = [
        ...parameterPointers(item.parameters, appendPointer(appendPointer("", "paths"), path)),
        ...parameterPointers(operation.parameters, base),
      ].map((pointer) => dereference(document, pointer)[0] as JsonObject);
      const response = isObject(operation.responses) && operation.responses["200"] !== undefined;
      const body = operation.requestBody !== undefined;
      found.push({
        id,
        key: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        value: operation,
        parameters,
        response: response ? contentSchema(document, `${base}/responses/200`) : undefined,
        body: body ? contentSchema(document, `${base}/requestBody`) : undefined,
      });
    }
  }
  return found;
}

function parameterPointers(parameters: unknown, base: string): string[] {
  return Array.isArray(parameters) ? parameters.map((_, index) => `${base}/parameters/${index}`) : [];
}

function contentSchema(document: JsonObject, pointer: string): RawOperation["body"] {
  const [value] = dereference(document, pointer);
  return valueAt(value, "/content/application~1json/schema") as RawOperation["body"];
}

/** The pointers of all schemas that are not part of another schema. */
function schemaRoots(document: JsonObject): string[] {
  const roots: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        visit(item, appendPointer(pointer, index));
      });
    else if (isObject(value)) {
      for (const [key, child] of Object.entries(value)) {
        const below = appendPointer(pointer, key);
        if (key === "schema") roots.push(below);
        else if (below === "/components/schemas" && isObject(child)) {
          for (const name of Object.keys(child)) roots.push(appendPointer(below, name));
        } else visit(child, below);
      }
    }
  };
  visit(document, "");
  return roots;
}

function checkVersions(source: YamlSource, spec: Spec): void {
  for (const operation of spec.operations) {
    for (const value of operation.version?.schema.enum ?? []) {
      if (value !== null && !spec.versions.includes(String(value))) {
        throw source.error(
          ["x-versions"],
          `${operation.key} allows version ${String(value)}, which x-versions lacks`,
        );
      }
    }
  }
}
