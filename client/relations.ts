/** Which operations act on one kind of resource: what a create makes, a list shows. */

import type { Operation, Spec } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";

/** The list that shows what a creating operation makes, if any does. */
export function listOf(spec: Spec, create: Operation): Operation | undefined {
  const name = create.resource && spec.schemas.componentName(create.resource);
  if (name === undefined) return undefined;
  return spec.operations.find(
    (operation) =>
      operation.kind === "list" &&
      operation.resource &&
      spec.schemas.componentName(operation.resource) === name,
  );
}

/** The reading operation without a shown shape at the path that a creating operation has too, if there is one. */
export function namedListOf(spec: Spec, create: Operation): Operation | undefined {
  return spec.operations.find(
    ({ kind, method, path }) => kind === "named" && method === "GET" && path === create.path,
  );
}

/** The field that identifies the resource of an operation. */
export function identityOf(spec: Spec, operation: Operation): string {
  return (operation.resource && spec.schemas.flatten(operation.resource)["x-identity"]) ?? "id";
}

/** What an operation makes or shows, in words: the name of its resource, or the end of its path. */
export function kindOf(spec: Spec, operation: Operation): string {
  const name = operation.resource && spec.schemas.componentName(operation.resource);
  if (name !== undefined) return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
  const parts = operation.path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  return parts.at(-1) ?? operation.id;
}

/** A required free text of a body: it holds the run's mark, which tells one body from all others. */
export function markedField(spec: Spec, operation: Operation): string | undefined {
  const flat = spec.schemas.flatten(operation.body ?? {});
  return (flat.required ?? []).find((name) => {
    const schema = spec.schemas.flatten(flat.properties?.[name] ?? {});
    const free = !RULES_OF_FORM.some((rule) => schema[rule] !== undefined);
    return typesOf(schema).includes("string") && free && (schema.maxLength ?? MARK) >= MARK;
  });
}

/** What leaves a text no room for a mark, and how many characters one takes. */
const RULES_OF_FORM = ["format", "enum", "const", "pattern", "examples", "x-values-from", "x-send"] as const;
const MARK = 16;

/** The creating operation that makes what a list shows, if there is one. */
export function createOf(spec: Spec, list: Operation): Operation | undefined {
  return spec.operations.find(
    (operation) => operation.kind === "create" && listOf(spec, operation)?.id === list.id,
  );
}
