/** Values that updates send. */

import type { Call } from "../../client/call.ts";
import type { Target } from "../../client/target.ts";
import { inOtherCaseAfter } from "../../generators/text.ts";
import { hasFreeMembers } from "../../history/values/value-schemas.ts";
import { fixtureValues, UNIQUE } from "../../spec/fixture-values.ts";
import { isDateTime } from "../../spec/formats.ts";
import { fieldAt, isObject, type JsonObject, pick } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { rotated } from "../../spec/ordered.ts";
import { isEncoded } from "../../spec/schema.ts";
import { echoDifferencesOf } from "../shared/sent-values.ts";
import { requiredAnd, switchesOf } from "../shared/update-fields.ts";

const variations = new WeakMap<Target, number>();

/** Returns the number of the next variation of values, from 1 to 20. Equal seeds give equal variations. */
export function nextVariation(target: Target): number {
  const variation = ((variations.get(target) ?? Math.abs(target.settings.seed)) % 20) + 1;
  variations.set(target, variation);
  return variation;
}

/** Begins again with the variation of the seed. */
export function restartVariations(target: Target): void {
  variations.delete(target);
}

const VARIATIONS_TRIED = 4;

interface BodyOptions {
  shaped?: ((body: JsonObject) => JsonObject) | undefined;
  hasLongLists?: boolean;
}

/** Returns a valid body that differs from `before`, so that lost updates show. */
export async function otherBody(
  call: Call,
  before: JsonObject,
  { shaped = (body) => body, hasLongLists = false }: BodyOptions = {},
): Promise<JsonObject> {
  const { target, operation } = call;
  const next = nextVariation(target);
  // Only odd variations have lists of two elements.
  const variation = hasLongLists ? next | 1 : next;
  const body = { ...shaped(await call.body("full", variation)) };
  for (const name of switchesOf(target.spec, operation)) if (name in body) body[name] = before[name] !== true;
  for (let other = 1; other < VARIATIONS_TRIED; other++) {
    const at = { operation, sent: body, shown: before };
    const faults = operation.resource ? echoDifferencesOf(target.history(), at, operation) : [];
    const differing = new Set(faults.map(({ pointer }) => fieldAt(pointer)));
    const same = Object.keys(body).filter((name) => name in before && !differing.has(name));
    if (same.length === 0) break;
    const another = shaped(await call.body("full", variation + other));
    for (const name of same)
      if (typeof body[name] !== "boolean" && name in another) body[name] = another[name];
  }
  return body;
}

/** Returns the required fields and the named ones with values that differ from `before`. */
export async function otherValues(call: Call, before: JsonObject, names: string[]): Promise<JsonObject> {
  const full = await otherBody(call, before);
  return requiredAnd(call.target.spec, call.operation, full, names);
}

/** Returns the required fields with their shown values, if these are valid. */
export function requiredAsShown({ target, operation: { body } }: Call, shown: JsonObject): JsonObject {
  const { schemas } = target.spec;
  const isValid = (name: string) => schemas.validate(schemas.field(body, name), shown[name]).length === 0;
  return pick(shown, schemas.required(body).filter(isValid));
}

/** Returns the body, or `undefined` if the service shows another boolean, which sending it would hide. */
export function unlessUndone(
  switches: readonly string[],
  body: JsonObject | undefined,
  shown: JsonObject,
): JsonObject | undefined {
  const isUndone = (name: string) => typeof shown[name] === "boolean" && shown[name] !== body?.[name];
  return body && switches.some((name) => name in body && isUndone(name)) ? undefined : body;
}

/** Returns another value of the same type. */
export function altered(value: unknown): unknown {
  if (typeof value === "string") return isDateTime(value) ? "2001-01-01T00:00:00Z" : `${value}x`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.map(altered);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, altered(part)]));
  return value;
}

/** Alters the fields, except those whose values the user may give: a faulty service may send webhooks to another URL. */
export function alteredBody({ schemas }: Spec, { body }: Operation, sent: JsonObject): JsonObject {
  const isOpen = (name: string) => schemas.field(body, name)["x-values-from"] === undefined;
  const values = Object.entries(sent).map(([name, value]) => [name, isOpen(name) ? altered(value) : value]);
  return Object.fromEntries(values);
}

export function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Cuts lists to one element. */
export function withShortLists(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, 1) : value]),
  );
}

/** Returns values that differ little from the shown ones. The seed picks one of the ways. */
export function closeValues(call: Call, shown: JsonObject, names: string[]): JsonObject {
  const values = names.flatMap((name): [string, unknown][] => {
    const [close] = rotated(closeTo(call, name, shown[name]), call.target.settings.seed);
    return close === undefined ? [] : [[name, close]];
  });
  return Object.fromEntries(values);
}

/**
 * Returns values that differ little from the shown one: a text in another letter case and one with another end, a time
 * a second later, and a map with another name for its last value.
 */
export function closeTo(call: Call, name: string, value: unknown): unknown[] {
  const { schemas } = call.target.spec;
  const schema = schemas.field(call.operation.body, name);
  const given = fixtureValues(call.target.settings.fixtures[schema["x-values-from"]?.fixture ?? ""]);
  // The user may give the only values that the field may have, such as the URL of a receiver.
  if (given.length > 0 && !given.some((each) => each.includes(UNIQUE))) return [];
  return changedALittle(call, name, value).filter(
    (close) => close !== undefined && close !== value && schemas.validate(schema, close).length === 0,
  );
}

function changedALittle({ target, operation }: Call, name: string, value: unknown): unknown[] {
  const { schemas } = target.spec;
  const schema = schemas.field(operation.body, name);
  if (isObject(value) && hasFreeMembers(schema) && !schemas.holdsSecret(schema)) {
    const entries = Object.entries(value);
    const last = entries.at(-1);
    return last ? [Object.fromEntries([...entries.slice(0, -1), [`${last[0]}${OTHER_END}`, last[1]]])] : [];
  }
  if (typeof value !== "string") return [];
  if (schema.format === "date-time") return [secondLater(value)];
  const isAny = isAnyText(target.spec, operation, name);
  return isAny ? [swappedCase(value, target.runId), `${value}${OTHER_END}`] : [];
}

/** Makes another text or name that a service takes for the one without it if it compares only the beginnings. */
const OTHER_END = "b";

const SECOND_MS = 1000;
/** A resource that soon expires may refuse updates. */
const SOON_MS = 600_000;
const FAR_AHEAD_MS = 2 * 24 * 3600 * SECOND_MS;

/** Returns undefined for a time that a service may decline, because it is past or far ahead. */
function secondLater(time: string): string | undefined {
  const milliseconds = Date.parse(time);
  const ahead = milliseconds - Date.now();
  if (!isDateTime(time) || ahead < SOON_MS || ahead > FAR_AHEAD_MS) return undefined;
  const second = Math.floor(milliseconds / SECOND_MS) + 1;
  return new Date(second * SECOND_MS).toISOString().replace(".000", "");
}

function isAnyText(spec: Spec, operation: Operation, name: string): boolean {
  const schema = spec.schemas.field(operation.body, name);
  const isLimited = ["enum", "pattern", "const", "x-send", "x-secret", "x-references"].some(
    (keyword) => keyword in schema,
  );
  // A code that a list shows may be unknown in another letter case.
  const isListed = schema["x-values-from"]?.list !== undefined;
  const isAnyFormat = schema.format === undefined || schema.format === "uri";
  return !isLimited && !isListed && !isEncoded(schema) && isAnyFormat;
}

/** Swaps the letter case, except up to the end of the run tag, which names the sender. */
function swappedCase(text: string, runTag: string): string {
  // Host names ignore case.
  const [origin = ""] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(text) ?? [];
  const words = text.slice(origin.length).split(/(?<=[\s/?&=])/);
  return origin + words.map((word) => inOtherCaseAfter(word, runTag)).join("");
}
