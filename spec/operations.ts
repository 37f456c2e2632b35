/** Finds operations, and recognizes actions, parts of resources, and fields of state. */

import { SpecError } from "./loading/source.ts";
import type { Schema } from "./model/schema.ts";
import type { Operation, Parameter, Spec } from "./model/spec.ts";
import { typesOf } from "./schema.ts";

/**
 * Returns the operation with this id.
 * @throws SpecError if there is none
 */
export function operationById(spec: Spec, id: string): Operation {
  const operation = spec.operations.find((candidate) => candidate.id === id);
  if (!operation) throw new SpecError(`no operation ${id}`);
  return operation;
}

/** Returns the operation with this key, such as `GET /webhooks`. */
export function operationWithKey({ operations }: Spec, key: string): Operation | undefined {
  return operations.find((operation) => operation.key === key);
}

/** Returns the operations of these kinds. */
export function operationsOf(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return spec.operations.filter((operation) => kinds.includes(operation.kind));
}

/** Returns the create at the path of the operation, if there is one. */
export function createAt(spec: Spec, { path }: Operation): Operation | undefined {
  return operationsOf(spec, "create").find((create) => create.path === path);
}

/** Returns the operations of these kinds that take a body. */
export function operationsWithBody(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return operationsOf(spec, ...kinds).filter(({ body }) => body !== undefined);
}

/** Returns the name of the schema of the resource, such as `Webhook`. */
export function componentOf({ schemas }: Spec, { resource }: Operation): string | undefined {
  return resource && schemas.componentName(resource);
}

/**
 * True for a POST below a resource whose path no list has. It may change the resource for good, even if it
 * answers another one, as the payment of a bill does.
 */
export function mayAct({ operations }: Spec, { kind, path, outer }: Operation): boolean {
  const isListed = operations.some((other) => other.kind === "list" && other.path === path);
  return kind === "create" && outer.length > 0 && !isListed;
}

/** True for a POST that acts on the resource in its path, and answers it. */
export function isAction(spec: Spec, operation: Operation): boolean {
  const { path, outer } = operation;
  const name = componentOf(spec, operation);
  if (name === undefined || !mayAct(spec, operation)) return false;
  const whole = path.slice(0, path.lastIndexOf("}") + 1);
  return spec.operations.some(
    (other) =>
      componentOf(spec, other) === name &&
      (other.id === outer.at(-1)?.madeBy || (other.path === whole && other.kind !== "list")),
  );
}

/** Returns the actions on resources that this operation creates, or that no operation creates. */
export function actionsOnMade(spec: Spec, madeBy: string | undefined): Operation[] {
  return spec.operations.filter(
    (operation) => operation.outer.at(-1)?.madeBy === madeBy && isAction(spec, operation),
  );
}

/** Returns the fields that show a state of the resource: enumerations and booleans that the body can't set. */
export function stateFields(
  { schemas }: Spec,
  { body }: Operation,
  resource: Operation["resource"],
): string[] {
  const taken = schemas.fieldNames(body);
  const isState = (schema: Schema) => schema.enum !== undefined || typesOf(schema).includes("boolean");
  return schemas
    .fields(resource)
    .flatMap(([name, schema]) => (isState(schema) && !taken.includes(name) ? [name] : []));
}

/** True for an update or an action. */
export function isChange(spec: Spec, operation: Operation): boolean {
  return operation.kind === "update" || isAction(spec, operation);
}

export function pathParametersOf({ outer, pathParameter }: Operation): Parameter[] {
  return pathParameter ? [...outer, pathParameter] : [...outer];
}

/** True for a part of a resource (`/jobs/{id}/address`). */
export function isPart(spec: Spec, operation: Operation): boolean {
  const { path, pathParameter } = operation;
  if (!pathParameter || path.endsWith(`{${pathParameter.name}}`)) return false;
  const maker = spec.operations.find(({ id }) => id === pathParameter.madeBy);
  return maker !== undefined && componentOf(spec, maker) !== componentOf(spec, operation);
}

/** True if no valid request is documented (section 4.17). */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
