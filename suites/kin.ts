/** Which operations act on one kind of resource: what a create makes, a list shows. */

import type { Operation, Spec } from "../spec/types.ts";

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

/** The creating operation that makes what a list shows, if there is one. */
export function createOf(spec: Spec, list: Operation): Operation | undefined {
  return spec.operations.find(
    (operation) => operation.kind === "create" && listOf(spec, operation)?.id === list.id,
  );
}
