import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { nullableFields, propertyOf } from "./fields.ts";
import { plainFields } from "./update.ts";

/** Sent while all fields are set, because a faulty service may then change another field. */
export interface SpecialValue {
  field: string;
  /** Returns undefined if the present value allows no such value. */
  from(present: unknown): unknown;
}

const ofList: SpecialValue["from"][] = [() => [], (list) => atLeastTwo(list)?.slice(1)];
const ofMap: SpecialValue["from"][] = [() => ({}), (map) => withoutFirst(map)];

/** Lists that name other resources stay as they are, because an empty one may mean all of them. */
export function specialValues(spec: Spec, operation: Operation): SpecialValue[] {
  const nullable = new Set(nullableFields(spec, operation));
  return plainFields(spec, operation).flatMap((field) => {
    const schema = spec.schemas.flatten(propertyOf(spec, operation, field));
    const isShown = !spec.schemas.holdsSecret(schema);
    const all = [
      ...(nullable.has(field) ? [() => null] : []),
      ...(isShown ? [...byType(schema), (present: unknown) => present] : []),
    ];
    return all.map((from) => ({ field, from }));
  });
}

function byType(schema: Schema): SpecialValue["from"][] {
  const types = typesOf(schema);
  if (types.includes("array") && schema["x-values-from"] === undefined && !schema["x-references"])
    return schema.minItems ? ofList.slice(1) : ofList;
  if (types.includes("object") && !schema.properties) return schema.minProperties ? ofMap.slice(1) : ofMap;
  return [];
}

function atLeastTwo(value: unknown): unknown[] | undefined {
  return Array.isArray(value) && value.length > 1 ? value : undefined;
}

function withoutFirst(value: unknown): JsonObject | undefined {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.length > 1 ? Object.fromEntries(entries.slice(1)) : undefined;
}
