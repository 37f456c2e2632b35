import { isObject, type JsonObject, jsonType, sameJson } from "../../spec/json.ts";
import type { Schema, Spec } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";

export type VersionRequirement = "VERSION-FIELDS" | "VERSION-VALUES" | "VERSION-MEMBERS";

export interface VersionFinding {
  requirement: VersionRequirement;
  subject: string;
  difference: { expected: string; actual: string } | null;
}

type Schemas = Spec["schemas"];
type IsSame = (before: unknown, after: unknown) => boolean;

/** Yields a finding for each documented field that the older version shows. */
export function* recordFindings(
  schemas: Schemas,
  schema: Schema,
  older: JsonObject,
  newer: JsonObject,
  owner: string,
  isSame: IsSame = sameJson,
  at = "",
): Generator<VersionFinding> {
  for (const [name, child] of Object.entries(schemas.properties(schema))) {
    if (!Object.hasOwn(older, name)) continue;
    const field = at === "" ? name : `${at}.${name}`;
    const [before, after] = [older[name], newer[name]];
    const isLost = !Object.hasOwn(newer, name);
    yield fieldFinding(`${field} of ${owner}`, isLost);
    const { items, "x-secret": secret } = schemas.flatten(child);
    const isStructured = Object.keys(schemas.properties(child)).length > 0;
    if (isLost || secret) continue;
    if (isObject(before) && isObject(after) && isStructured)
      yield* recordFindings(schemas, child, before, after, owner, isSame, field);
    else if (items && areRecords(before) && areRecords(after) && before.length === after.length)
      for (const [index, item] of before.entries())
        yield* recordFindings(schemas, items, item, after[index] ?? {}, owner, isSame, `${field}[${index}]`);
    else yield valueFinding(`${field} of ${owner}`, before, after, isSame(before, after));
  }
}

function areRecords(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Yields a finding for each part of an undocumented value. */
export function* valueFindings(older: unknown, newer: unknown, at: string): Generator<VersionFinding> {
  if (isObject(older) && isObject(newer))
    for (const [name, value] of Object.entries(older)) {
      const isLost = !Object.hasOwn(newer, name);
      yield fieldFinding(`${at}/${name}`, isLost);
      if (!isLost) yield* valueFindings(value, newer[name], `${at}/${name}`);
    }
  else if (areRecords(older) && areRecords(newer) && older.length === newer.length)
    for (const [index, item] of older.entries()) yield* valueFindings(item, newer[index], `${at}/${index}`);
  else yield valueFinding(at, older, newer, sameJson(older, newer));
}

function fieldFinding(subject: string, isLost: boolean): VersionFinding {
  const difference = isLost ? { expected: subject, actual: "absent" } : null;
  return { requirement: "VERSION-FIELDS", subject, difference };
}

function valueFinding(subject: string, before: unknown, after: unknown, isSame: boolean): VersionFinding {
  const shown = (value: unknown) => `${subject}: ${describeValue(value, 60)} (${jsonType(value)})`;
  const difference = isSame ? null : { expected: shown(before), actual: shown(after) };
  return { requirement: "VERSION-VALUES", subject, difference };
}
