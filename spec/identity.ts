import type { Operation, Spec } from "./model/spec.ts";

export function identityOf({ schemas }: Spec, { resource }: Partial<Pick<Operation, "resource">>): string {
  return (resource && schemas.flatten(resource)["x-identity"]) ?? "id";
}

/** True for whole numbers that JSON.parse may have rounded: they tell no two resources apart. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Returns undefined if the value is no exact id. */
export function idText(value: unknown): string | undefined {
  if (typeof value === "number") return isRounded(value) ? undefined : String(value);
  return typeof value === "string" ? value : undefined;
}

export function uniqueFields({ schemas }: Spec, { body }: Operation): string[] {
  const fields = schemas.fields(body).filter(([, field]) => field["x-unique"]?.scope === "space");
  return fields.map(([name]) => name);
}
