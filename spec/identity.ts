import type { Operation, Spec } from "./model/spec.ts";

/** The field that identifies the resource of an operation; `id` if the specification names none. */
export function identityOf({ schemas }: Spec, { resource }: Partial<Pick<Operation, "resource">>): string {
  return (resource && schemas.flatten(resource)["x-identity"]) ?? "id";
}

/** The fields of a body whose value must be unique in the space. */
export function uniqueFields({ schemas }: Spec, { body }: Operation): string[] {
  const fields = schemas.fields(body).filter(([, field]) => field["x-unique"]?.scope === "space");
  return fields.map(([name]) => name);
}
