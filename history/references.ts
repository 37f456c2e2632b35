import { isObject } from "../spec/json.ts";
import type { Schema, Spec } from "../spec/model/spec.ts";
import { type Entry, isAccepted, responseJson } from "./entry.ts";

/** Maps the id and the codes of a resource to one name, because a service may show either as a reference. */
export function referenceNames(
  spec: Spec,
  bodies: Schema[],
  entries: readonly Entry[],
): (value: string) => string {
  const names = listedNames(spec, bodies, entries);
  return (value) => names.get(value) ?? value;
}

export function listedNames(spec: Spec, bodies: Schema[], entries: readonly Entry[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const body of bodies)
    for (const [, { "x-references": wanted }] of spec.schemas.fields(body)) {
      if (!wanted) continue;
      for (const entry of entries) {
        if (entry.operation === null || !wanted.lists.includes(entry.operation.id) || !isAccepted(entry))
          continue;
        for (const item of itemsOf(entry)) {
          const values = wanted.fields
            .map((field) => item[field])
            .filter((value) => typeof value === "string");
          for (const value of values) names.set(value, values[0] ?? value);
        }
      }
    }
  return names;
}

function itemsOf(entry: Entry): Record<string, unknown>[] {
  const json = responseJson(entry);
  return isObject(json) && Array.isArray(json.result) ? json.result.filter(isObject) : [];
}
