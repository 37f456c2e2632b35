import { type Entry, objectSent, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { echoDifferences } from "../../history/values/differences.ts";
import { isDateTime } from "../../spec/formats.ts";
import { fixedFields } from "../../spec/identity.ts";
import { canonicalJson, fieldAt, isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Schema } from "../../spec/model/spec.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";
import { recordFindings, type VersionFinding } from "./findings.ts";

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
    // Each answer shows what was sent, so the versions agree.
    else if (senders === "both" && name in is) yield* compare(was, was);
    else if (senders === "none" && !isUpdatable(history, operation, name))
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

function isUpdatable({ spec }: History, { kind, body = {} }: Operation, name: string): boolean {
  return kind === "update" && name in (spec.schemas.flatten(body).properties ?? {});
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
