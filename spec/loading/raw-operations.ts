import { appendPointer, isObject, type JsonObject, valueAt } from "../json.ts";
import { METHODS } from "./document.ts";
import type { RawOperation } from "./operations.ts";

/** Returns the operations with the references of their parameters followed, before their schemas are read. */
export function rawOperations(document: JsonObject): RawOperation[] {
  const found: RawOperation[] = [];
  const paths = document.paths as JsonObject;
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const at = ["paths", path, method];
      if (!isObject(operation)) continue; // `checkDocument` has refused it.
      const id = String(operation.operationId);
      const base = at.reduce(appendPointer, "");
      // A parameter of the operation replaces that of its path.
      const parameters = new Map<string, [value: JsonObject, pointer: string]>();
      for (const pointer of [
        ...parameterPointers(item.parameters, appendPointer(appendPointer("", "paths"), path)),
        ...parameterPointers(operation.parameters, base),
      ]) {
        const [value, place] = dereferenced(document, pointer);
        const parameter = value as JsonObject;
        parameters.set(`${String(parameter.in)} ${String(parameter.name)}`, [parameter, place]);
      }
      const response = isObject(operation.responses) && operation.responses["200"] !== undefined;
      const body = operation.requestBody !== undefined;
      found.push({
        id,
        key: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        at: base,
        open: isOpen(operation.security ?? document.security ?? []),
        value: operation,
        parameters: [...parameters.values()].map(([parameter]) => parameter),
        places: [...parameters.values()].map(([, place]) => place),
        response: response ? contentSchema(document, `${base}/responses/200`) : undefined,
        body: body ? contentSchema(document, `${base}/requestBody`) : undefined,
      });
    }
  }
  return found;
}

function isOpen(security: unknown): boolean {
  return (
    Array.isArray(security) &&
    (security.length === 0 || security.some((wanted) => Object.keys(wanted).length === 0))
  );
}

function parameterPointers(parameters: unknown, base: string): string[] {
  return Array.isArray(parameters) ? parameters.map((_, index) => `${base}/parameters/${index}`) : [];
}

function contentSchema(document: JsonObject, pointer: string): RawOperation["body"] {
  const [value] = dereferenced(document, pointer);
  return valueAt(value, "/content/application~1json/schema") as RawOperation["body"];
}

/** Follows references, at most 32 so that circles end, and returns the value and its JSON pointer. */
function dereferenced(document: JsonObject, pointer: string): [value: unknown, pointer: string] {
  let at = pointer;
  let value = valueAt(document, at);
  for (let steps = 0; steps < 32 && isObject(value) && typeof value.$ref === "string"; steps++) {
    at = value.$ref.slice(1);
    value = valueAt(document, at);
  }
  return [value, at];
}
