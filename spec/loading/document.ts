/** Refuses unknown parts of the document: a misspelt one would have no check. */

import { appendPointer, isObject, type JsonObject, pointerTokens, valueAt } from "../json.ts";
import { refusals } from "./refusals.ts";
import { Mistakes, type YamlSource } from "./source.ts";

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"] as const;

interface DocumentedOperation {
  path: string;
  method: string;
  item: JsonObject;
  operation: JsonObject;
}

/** Returns the operations of the document, each with its path item. */
export function operationsIn(document: JsonObject): DocumentedOperation[] {
  return Object.entries(document.paths as JsonObject).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isObject(item) ? item[method] : undefined;
      return isObject(item) && isObject(operation) ? [{ path, method, item, operation }] : [];
    }),
  );
}

/** References to these are followed before the document is checked. */
const FOLLOWED = /^#\/components\/(parameters|requestBodies|responses)\/[^/]+$/;

/** The parts of an operation are this deep in the document. */
const DEEPEST_FOLLOWED = 5;

/**
 * Expects valid references in the document.
 * @throws SpecError with all mistakes
 */
export function checkDocument(
  source: YamlSource,
  document: JsonObject,
  schemaRoots: readonly string[],
): void {
  const { openapi } = document;
  if (typeof openapi !== "string" || !/^3\.1\.\d+$/.test(openapi)) {
    const given = openapi === undefined ? "no openapi" : `openapi ${JSON.stringify(openapi)}`;
    throw source.error(["openapi"], `this has ${given}; OpenAPI 3.1 is needed, as openapi: 3.1.0`);
  }
  const mistakes = new Mistakes();
  const whole = withoutReferences(document, document, DEEPEST_FOLLOWED) as JsonObject;
  const refused = refusals(source, "document", whole, (path) => placeIn(document, path));
  mistakes.add(refused);
  for (const root of schemaRoots)
    mistakes.add(refusals(source, "schema", valueAt(document, root), (path) => root + path));
  if (refused.length === 0) checkOperations(source, whole, mistakes);
  mistakes.throwAll();
}

function checkOperations(source: YamlSource, whole: JsonObject, mistakes: Mistakes): void {
  let operations = 0;
  for (const [name, item] of Object.entries(whole.paths as JsonObject)) {
    if (!isObject(item)) continue;
    const path = ["paths", name];
    mistakes.in(() => checkNames(source, item.parameters, path));
    for (const method of METHODS) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      operations++;
      mistakes.in(() => checkNames(source, operation.parameters, [...path, method]));
      mistakes.in(() => checkPathParameters(source, name, method, [item.parameters, operation.parameters]));
      mistakes.in(() => checkSecurity(source, whole, operation.security, [...path, method, "security"]));
    }
  }
  mistakes.in(() => {
    checkSecurity(source, whole, whole.security, ["security"]);
    if (operations === 0) throw source.error(["paths"], "no path has an operation");
  });
}

function withoutReferences(document: JsonObject, value: unknown, depth: number): unknown {
  if (isObject(value) && isFollowed(value.$ref))
    return withoutReferences(document, valueAt(document, value.$ref.slice(1)), depth);
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutReferences(document, item, depth - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withoutReferences(document, part, depth - 1)]),
  );
}

function isFollowed(reference: unknown): reference is string {
  return typeof reference === "string" && FOLLOWED.test(reference);
}

/** Follows the references on the way to this place. Returns the place in the document that they lead to. */
function placeIn(document: JsonObject, path: string): string {
  let place = "";
  for (const token of pointerTokens(path)) {
    place = appendPointer(place, token);
    for (let value = valueAt(document, place); isObject(value) && isFollowed(value.$ref); ) {
      place = value.$ref.slice(1);
      value = valueAt(document, place);
    }
  }
  return place;
}

/** Refuses a second parameter with the name and place of another. */
function checkNames(source: YamlSource, parameters: unknown, path: readonly string[]): void {
  const names = parametersIn(parameters).map((each) => `${each.in} ${each.name}`);
  const second = names.findIndex((name, index) => names.indexOf(name) < index);
  if (second >= 0) throw source.error([...path, "parameters", second], `a second ${names[second]}`);
}

/** Compares the parameters in the path with the declared parameters of the operation. */
function checkPathParameters(source: YamlSource, name: string, method: string, lists: unknown[]): void {
  const path = ["paths", name, method];
  const key = `${method.toUpperCase()} ${name}`;
  const inPath = [...name.matchAll(/\{([^}]+)\}/g)].map(([, each]) => each ?? "");
  const declared = lists.flatMap(parametersIn).flatMap((each) => (each.in === "path" ? [each.name] : []));
  const undeclared = inPath.find((each) => !declared.includes(each));
  if (undeclared !== undefined) {
    const known = declared.length === 0 ? "" : `; its path parameters are ${declared.join(", ")}`;
    throw source.error(path, `${key} has no parameter in: path for {${undeclared}}${known}`);
  }
  const idle = declared.find((each) => !inPath.includes(String(each)));
  if (idle !== undefined) throw source.error(path, `${key} has a path parameter ${idle}, and no {${idle}}`);
}

function parametersIn(parameters: unknown): JsonObject[] {
  return Array.isArray(parameters) ? parameters.filter(isObject) : [];
}

/** Refuses other security schemes than bearer tokens. */
function checkSecurity(source: YamlSource, document: JsonObject, security: unknown, path: string[]): void {
  for (const [index, wanted] of (Array.isArray(security) ? security : []).entries()) {
    for (const name of Object.keys(Object(wanted))) {
      const place = ["components", "securitySchemes", name];
      const scheme = valueAt(document, place.reduce(appendPointer, ""));
      if (!isObject(scheme))
        throw source.error([...path, index], `components has no security scheme ${name}`);
      if (scheme.type !== "http" || String(scheme.scheme).toLowerCase() !== "bearer")
        throw source.error(
          place,
          `${name} is not of type: http, scheme: bearer; the suite authenticates in no other way`,
        );
    }
  }
}
