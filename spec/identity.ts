import type { Operation, Spec } from "./model/spec.ts";

/** The field that identifies the resource of an operation; `id` if the specification names none. */
export function identityOf({ schemas }: Spec, { resource }: Partial<Pick<Operation, "resource">>): string {
  return (resource && schemas.flatten(resource)["x-identity"]) ?? "id";
}
