import type { Operation, Spec } from "./model/spec.ts";

export function identityOf({ schemas }: Spec, { resource }: Partial<Pick<Operation, "resource">>): string {
  return (resource && schemas.flatten(resource)["x-identity"]) ?? "id";
}

export function uniqueFields({ schemas }: Spec, { body }: Operation): string[] {
  const fields = schemas.fields(body).filter(([, field]) => field["x-unique"]?.scope === "space");
  return fields.map(([name]) => name);
}
