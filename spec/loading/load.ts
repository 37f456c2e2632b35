import { appendPointer, isObject, type JsonObject, pointerTokens, valueAt, walkJson } from "../json.ts";
import type { Requirement, Schema, Spec } from "../model/spec.ts";
import { SchemaIndex } from "../schema-index.ts";
import { idsIn, loadCatalogue } from "./catalogue.ts";
import { checkedEdition, fingerprint } from "./checked.ts";
import { checkDocument, operationsIn } from "./document.ts";
import { checkExtensions } from "./extensions.ts";
import { checkLinks } from "./links.ts";
import { buildOperation, type RawOperation, rawOperations } from "./operations.ts";
import { checkSchemas } from "./schema-rules.ts";
import { Mistakes, SpecError, YamlSource } from "./source.ts";

export interface SpecFile {
  name: string;
  text: string;
}

/** A process may run the suite several times, so the latest edition is kept. */
let latest: Spec | undefined;

/**
 * Returns the specification that both files describe.
 * @throws SpecError with file and line of the mistakes
 */
export function loadSpec(openapi: SpecFile, requirements: SpecFile): Spec {
  const sha256 = fingerprint(openapi.text, requirements.text);
  if (latest?.sha256 !== sha256 || latest.catalogue !== requirements.name)
    latest = newSpec(openapi, requirements, sha256);
  return latest;
}

function newSpec(openapi: SpecFile, requirements: SpecFile, sha256: string): Spec {
  const checked = checkedEdition(sha256);
  if (!checked) return readEdition(openapi, requirements, sha256).spec;
  const { document } = checked;
  const catalogue = new Map(checked.requirements.map((requirement) => [requirement.id, requirement]));
  const edition = { document, catalogue, raw: rawOperations(document) };
  return buildSpec(edition, sha256, requirements.name);
}

interface Edition {
  document: JsonObject;
  catalogue: Map<string, Requirement>;
  raw: RawOperation[];
}

/**
 * Parses and checks both files, and names all mistakes at once.
 * @throws SpecError if there is any.
 */
export function readEdition(
  openapi: SpecFile,
  requirements: SpecFile,
  sha256 = fingerprint(openapi.text, requirements.text),
): Pick<Edition, "document" | "catalogue"> & { spec: Spec } {
  const mistakes = new Mistakes();
  const rules = mistakes.in(() => new YamlSource(requirements.name, requirements.text));
  const catalogue = rules && mistakes.in(() => loadCatalogue(rules));
  const source = mistakes.in(() => new YamlSource(openapi.name, openapi.text));
  const document = source && mistakes.in(() => connectedDocument(source));
  if (source && document) checkParts(source, document, rules && idsIn(rules), mistakes);
  mistakes.throwAll();
  if (!source || !document || !catalogue) throw new SpecError(`${openapi.name}:1: not an edition`);
  const raw = rawOperations(document);
  const spec = buildSpec({ document, catalogue, raw }, sha256, requirements.name);
  mistakes.in(() => checkSchemas(source, spec.schemas));
  mistakes.throwAll();
  mistakes.in(() => checkVersions(source, spec));
  mistakes.in(() => checkLinks(source, spec, raw));
  mistakes.throwAll();
  return { document, catalogue, spec };
}

function connectedDocument(source: YamlSource): JsonObject {
  const document = source.value;
  if (!isObject(document) || !isObject(document.paths))
    throw source.error([], "not an OpenAPI document: no paths");
  checkReferences(source, document);
  checkCircles(source, document, (pointer) => valueAt(document, pointer));
  return document;
}

function checkParts(
  source: YamlSource,
  document: JsonObject,
  requirements: ReadonlySet<string> | undefined,
  mistakes: Mistakes,
): void {
  mistakes.in(() => checkDocument(source, document, schemaRoots(document)));
  const ids = operationIds(document);
  mistakes.in(() => checkOperationIds(source, ids));
  mistakes.in(() =>
    checkExtensions(source, { requirements, operations: new Set(ids.map((operation) => operation.id)) }),
  );
}

function buildSpec({ document, catalogue, raw }: Edition, sha256: string, name: string): Spec {
  const schemas = new SchemaIndex(document, schemaRoots(document));
  const info = isObject(document.info) ? document.info : {};
  return {
    title: String(info.title ?? ""),
    versions: (document["x-versions"] as string[] | undefined) ?? [],
    sha256,
    pathReadings: (document["x-path-readings"] as Spec["pathReadings"] | undefined) ?? {
      "as-shown": { prefix: "" },
    },
    operations: raw.map((operation) => buildOperation(operation, schemas)),
    requirements: catalogue,
    catalogue: name,
    schemas,
  };
}

/**
 * Checks that each `$ref` leads to a part of the document.
 * @throws SpecError with the lines of the others.
 */
function checkReferences(source: YamlSource, document: JsonObject): void {
  const mistakes = new Mistakes();
  walkJson(document, (value, path) => {
    const reference = isObject(value) && path.at(-1) !== "properties" ? value.$ref : undefined;
    if (reference === undefined) return undefined;
    mistakes.in(() => {
      const at = [...path, "$ref"];
      if (typeof reference !== "string")
        throw source.error(at, `$ref is a text, not ${JSON.stringify(reference)}`);
      if (!reference.startsWith("#/")) throw source.error(at, `$ref leaves the document: ${reference}`);
      if (valueAt(document, reference.slice(1)) === undefined)
        throw source.error(at, `dangling $ref: ${reference}`);
    });
    return true;
  });
  mistakes.throwAll();
}

function operationIds(document: JsonObject): { id: string; path: string[] }[] {
  return operationsIn(document).flatMap(({ path, method, operation: { operationId: id } }) =>
    typeof id === "string" ? [{ id, path: ["paths", path, method, "operationId"] }] : [],
  );
}

function checkOperationIds(source: YamlSource, ids: ReturnType<typeof operationIds>): void {
  const mistakes = new Mistakes();
  const seen = new Set<string>();
  for (const { id, path } of ids) {
    mistakes.in(() => {
      if (seen.has(id)) throw source.error(path, `duplicate operationId ${id}`);
    });
    seen.add(id);
  }
  mistakes.throwAll();
}

/** Returns JSON pointers to the schemas of the document that no other schema holds. */
function schemaRoots(document: JsonObject): string[] {
  const roots: string[] = [];
  walkJson(document, (_, path) => {
    const [first, second] = path;
    const isComponent = first === "components" && second === "schemas" && path.length === 3;
    const isRoot = isComponent || path.at(-1) === "schema";
    if (isRoot) roots.push(path.reduce<string>(appendPointer, ""));
    return !isRoot;
  });
  return roots;
}

/**
 * Checks that each version of `x-versions` is allowed by an operation.
 * @throws SpecError with its line.
 */
function checkVersions(source: YamlSource, spec: Spec): void {
  const allowed = spec.operations.map((operation) => operation.version?.schema.enum);
  // If any version header has no enumeration, every version is allowed.
  const idle = spec.versions.find(
    (version) =>
      !spec.operations.some(({ version: header }) => header && !header.schema.enum) &&
      !allowed.some((values) => values?.includes(version)),
  );
  const mistakes = new Mistakes();
  mistakes.in(() => {
    if (idle !== undefined)
      throw source.error(["x-versions"], `x-versions has ${idle}, which no operation allows`);
  });
  for (const operation of spec.operations) {
    for (const value of operation.version?.schema.enum ?? []) {
      mistakes.in(() => {
        if (value === null || spec.versions.includes(String(value))) return;
        throw source.error(
          ["x-versions"],
          `${operation.key} allows version ${String(value)}, which x-versions lacks`,
        );
      });
    }
  }
  mistakes.throwAll();
}

function checkCircles(source: YamlSource, document: unknown, at: (pointer: string) => unknown): void {
  const done = new Set<string>();
  const follow = (pointer: string, path: readonly string[]): void => {
    if (path.includes(pointer)) {
      const names = [...path.slice(path.indexOf(pointer)), pointer].map((each) => each.split("/").at(-1));
      throw source.error(pointerTokens(pointer), `refers to itself: ${names.join(" → ")}`);
    }
    if (done.has(pointer)) return;
    const value = at(pointer) as Schema | undefined;
    if (typeof value !== "object" || value === null) return;
    const parts = [value, ...(Array.isArray(value.allOf) ? value.allOf : [])];
    for (const part of parts) {
      const reference = (part as Schema | null)?.$ref;
      if (typeof reference === "string") follow(reference.slice(1), [...path, pointer]);
    }
    done.add(pointer);
  };
  walkJson(document, (value) => {
    if (isObject(value) && typeof value.$ref === "string") follow(value.$ref.slice(1), []);
    return true;
  });
}
