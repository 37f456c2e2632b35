import { idText } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Schema, Spec } from "../../spec/model/spec.ts";
import { type Entry, itemsIn } from "../entry.ts";

export type References = NonNullable<Schema["x-references"]>;

/** Maps the id and codes of a resource to one name: a reference may be any of them. */
export function referenceNames(
  spec: Spec,
  bodies: Schema[],
  entries: readonly Entry[],
): (value: string) => string {
  const names = listedNames(spec, bodies, entries);
  return (value) => names.get(value) ?? value;
}

/** Maps each id and code of a listed resource to its first one. */
export function listedNames(spec: Spec, bodies: Schema[], entries: readonly Entry[]): Map<string, string> {
  const references = bodies.flatMap((body) => referencesIn(spec, body));
  return new Map(references.flatMap((wanted) => toFirstNames(itemsListed(wanted, entries), wanted)));
}

function referencesIn({ schemas }: Spec, body: Schema): References[] {
  return schemas.fields(body).flatMap(([, schema]) => schema["x-references"] ?? []);
}

/** Pairs each name of a record with its first one: a service may show `id` for a sent `code`. */
function toFirstNames(items: readonly JsonObject[], { fields }: References): [string, string][] {
  return items.flatMap((item) => {
    const names = namesOf(item, fields);
    return names.map((name): [string, string] => [name, names[0] ?? name]);
  });
}

/** Returns numbers as text. */
export function namesOf(item: JsonObject, fields: readonly string[]): string[] {
  return fields.flatMap((field) => idText(item[field]) ?? []);
}

function itemsListed({ lists }: References, entries: readonly Entry[]): JsonObject[] {
  return entries.flatMap((entry) => {
    return lists.includes(entry.operation?.id ?? "") ? itemsIn(entry) : [];
  });
}
