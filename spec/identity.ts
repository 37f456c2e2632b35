import type { JsonObject } from "./json.ts";
import type { Operation, Spec } from "./model/spec.ts";

/** Returns the field with the id of the resource, by default `id`. */
export function identityOf({ schemas }: Spec, { resource }: Partial<Pick<Operation, "resource">>): string {
  return schemas.flatten(resource)["x-identity"] ?? "id";
}

/** Returns the id of an item as text, as cursors have it. */
export function itemId({ list }: Pick<Operation, "list">, item: JsonObject): string {
  return String(item[list?.identity ?? "id"]);
}

/** True for a whole number that JSON.parse may have rounded, so that two different ids may look equal. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** True for an id such as 17, which a service may count, and which other fields may show by chance. */
export function isCounter(id: string): boolean {
  return /^\d{1,9}$/.test(id);
}

/** Returns the id as a text, or `undefined` if the value is no exact id. */
export function idText(value: unknown): string | undefined {
  if (typeof value === "number") return isRounded(value) ? undefined : String(value);
  return typeof value === "string" ? value : undefined;
}

/** Returns the fields of a resource that never change. */
export function fixedFields({ schemas }: Spec, { resource }: Partial<Pick<Operation, "resource">>): string[] {
  return schemas.flatten(resource)["x-fixed"] ?? [];
}

/** Returns the fields whose values must be unique in a space. */
export function uniqueFields({ schemas }: Spec, { body }: Operation): string[] {
  const fields = schemas.fields(body).filter(([, field]) => field["x-unique"]?.scope === "space");
  return fields.map(([name]) => name);
}
