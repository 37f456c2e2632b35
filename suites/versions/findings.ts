import { type Entry, objectSent, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { echoDifferences } from "../../history/values/differences.ts";
import { isDateTime } from "../../spec/formats.ts";
import { fixedFields } from "../../spec/identity.ts";
import { canonicalJson, fieldAt, isObject, type JsonObject, jsonType, sameJson } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";

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

interface Written {
  sent: JsonObject;
  shown: JsonObject;
  unshown: Set<string>;
}

/** Yields the differences between two writes, without fields that only one of them sent. */
export function* writeFindings(
  history: History,
  operation: Operation,
  older: Entry,
  newer: Entry,
): Generator<VersionFinding> {
  const { schemas } = history.spec;
  const { resource = {} } = operation;
  const fixed = fixedFields(history.spec, operation);
  const taken = schemas.fieldNames(operation.body);
  const [before, after] = [
    writtenFields(history, operation, older),
    writtenFields(history, operation, newer),
  ];
  const compare = (one: JsonObject, other: JsonObject, isSame = sameJson) =>
    recordFindings(schemas, resource, one, other, "the answer", isSame);
  const isAboutOne = operation.kind !== "create" || areAlike(schemas, operation, before.sent, after.sent);
  for (const name of Object.keys(before.shown)) {
    const [was, is] = [onlyField(before.shown, name), onlyField(after.shown, name)];
    const senders = sendersOf(name, before, after);
    if (senders === "both" && after.unshown.has(name)) yield* compare(was, is);
    // Each answer shows the sent value, so the versions agree.
    else if (senders === "both" && name in is) yield* compare(was, was);
    else if (senders === "none" && !(operation.kind === "update" && taken.includes(name)))
      yield* compare(
        isAboutOne ? was : requiredPart(schemas, resource, was),
        is,
        isAlike(operation, fixed.includes(name)),
      );
  }
}

function onlyField(shown: JsonObject, name: string): JsonObject {
  return Object.hasOwn(shown, name) ? { [name]: shown[name] } : {};
}

/** True if creates send the same choices. An optional field may be shown beside some choices alone. */
function areAlike(
  schemas: SchemaIndex,
  { body = {} }: Operation,
  one: JsonObject,
  other: JsonObject,
): boolean {
  const plain = (value: unknown, schema: Schema): unknown => {
    const flat = schemas.flatten(schema);
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, plain(part, flat.properties?.[name] ?? {})]),
      );
    return typeof value === "string" && !flat.enum ? "text" : value;
  };
  return canonicalJson(plain(one, body)) === canonicalJson(plain(other, body));
}

/** Returns the fields that each resource has or should have. */
function requiredPart(schemas: SchemaIndex, schema: Schema, shown: JsonObject): JsonObject {
  const { required = [], "x-expected": expected = [], properties = {} } = schemas.flatten(schema);
  const partOf = (value: unknown, child: Schema): unknown => {
    if (Array.isArray(value)) return value.map((item) => partOf(item, schemas.flatten(child).items ?? {}));
    return isObject(value) ? requiredPart(schemas, child, value) : value;
  };
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([name]) => required.includes(name) || expected.includes(name))
      .map(([name, value]) => [name, partOf(value, properties[name] ?? {})]),
  );
}

/** Returns the fields that the write sent and its answer shows, and those whose sent values are not shown. */
function writtenFields(history: History, operation: Operation, entry: Entry): Written {
  const sent = objectSent(entry) ?? {};
  const shown = resourceIn(entry) ?? {};
  const { body: sentSchema = {}, resource: shownSchema = {} } = operation;
  const { schemas } = history.spec;
  const resolveReference = history.references(sentSchema);
  const differences = echoDifferences(sent, shown, { schemas, sentSchema, shownSchema, resolveReference });
  return { sent, shown, unshown: new Set(differences.map(({ pointer }) => fieldAt(pointer))) };
}

function sendersOf(name: string, before: Written, after: Written): "none" | "both" | "unclear" {
  const senders = [before, after].filter(({ sent }) => Object.hasOwn(sent, name));
  if (senders.length === 0) return "none";
  const isClear = senders.length === 2 && senders.every(({ sent }) => sent[name] !== null);
  return isClear && !before.unshown.has(name) ? "both" : "unclear";
}

/** Returns the comparison under two versions: the same type, and for updates the same value, except times. */
function isAlike({ kind }: Operation, isFixed: boolean): (before: unknown, after: unknown) => boolean {
  const isTime = (value: unknown) => typeof value === "string" && isDateTime(value);
  return (before, after) => {
    if (kind === "update" && (isFixed || !(isTime(before) && isTime(after)))) return sameJson(before, after);
    const isArray = Array.isArray(before) === Array.isArray(after);
    return before === null || after === null || (typeof before === typeof after && isArray);
  };
}
