import type { Operation, Parameter, Spec } from "./model/spec.ts";

/** Returns the name of the schema of the resource, such as `Webhook`. */
export function componentOf({ schemas }: Spec, { resource }: Operation): string | undefined {
  return resource && schemas.componentName(resource);
}

/** True for a POST that acts on the resource in its path. */
export function isAction(spec: Spec, { kind, path, resource, outer }: Operation): boolean {
  const name = resource && spec.schemas.componentName(resource);
  const named = outer.at(-1);
  if (kind !== "create" || name === undefined || !named) return false;
  const whole = path.slice(0, path.lastIndexOf("}") + 1);
  return (
    !spec.operations.some((other) => other.kind === "list" && other.path === path) &&
    spec.operations.some(
      (other) =>
        componentOf(spec, other) === name &&
        (other.id === named.madeBy || (other.path === whole && other.kind !== "list")),
    )
  );
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
