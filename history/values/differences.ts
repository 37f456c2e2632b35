import { describeApart } from "../../spec/apart.ts";
import { isSpelled, plainText } from "../../spec/formats.ts";
import {
  appendPointer,
  canonicalJson,
  isObject,
  type JsonObject,
  jsonIn,
  sameJson,
} from "../../spec/json.ts";
import { lackIn, type OfKind } from "../../spec/model/difference.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { allowsNull, describeValue } from "../../spec/schema.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";
import { schemaOfMember, schemaOfValue } from "./value-schemas.ts";

export interface Difference extends OfKind {
  pointer: string;
  expected: string;
  actual: string;
}

type ReferenceResolver = (value: string) => string;

export interface EchoContext {
  schemas: SchemaIndex;
  sentSchema: Schema;
  shownSchema: Schema;
  resolveReference: ReferenceResolver;
  /** If true, the order of lists and the letter case of mail addresses count. */
  exact?: boolean;
}

/**
 * Returns how `shown` differs from `sent`. Ignores secrets, time zones, the order of lists, repeated members,
 * and null or an empty list shown as missing (section 4).
 */
export function echoDifferences(
  sent: unknown,
  shown: unknown,
  context: EchoContext,
  pointer = "",
): Difference[] {
  const sentSchema = schemaOfValue(context.schemas, context.sentSchema, sent);
  const shownSchema = schemaOfValue(context.schemas, context.shownSchema, shown);
  if (sentSchema["x-secret"] || shownSchema["x-secret"]) return [];
  const within = { ...context, sentSchema, shownSchema };
  if (isObject(sent)) return objectDifferences(sent, shown, within, pointer);
  const isShown = Array.isArray(sent)
    ? showsList(sent, shown, within)
    : showsScalar(sent, shown, within, pointer);
  return isShown ? [] : [{ pointer, ...describeApart(sent, shown) }];
}

function showsScalar(
  sent: unknown,
  shown: unknown,
  { sentSchema, shownSchema, exact }: EchoContext,
  pointer: string,
): boolean {
  if (sent === null) {
    // If an answer can't show null, the service decides what null means.
    const canShowNull = allowsNull(shownSchema) && !shownSchema["x-null-echo"];
    return !canShowNull || shown === null || shown === undefined;
  }
  if (typeof sent !== "string") return sameJson(sent, shown);
  // Some databases store an empty text as null, but not inside an object.
  if (sent === "" && (shown ?? "") === "" && pointer.lastIndexOf("/") === 0) return true;
  if (typeof shown !== "string") return false;
  if (isSpelled(sentSchema) && plainText(sent) === plainText(shown)) return true;
  const isMaskedAlike = shownSchema["x-maskable"] === true && isSameBehindMasks(sent, shown);
  return isMaskedAlike || spelledAddress(sent, exact) === spelledAddress(shown, exact);
}

function showsList(sent: unknown[], shown: unknown, context: EchoContext): boolean {
  const { sentSchema, shownSchema, exact = false, resolveReference } = context;
  const listed = sent.length === 0 ? (shown ?? []) : shown;
  if (!Array.isArray(listed)) return false;
  const isReference = sentSchema["x-references"] !== undefined;
  const isOrdered = exact && !isReference;
  if (sent.some(isObject)) {
    const items = { sentSchema: sentSchema.items ?? {}, shownSchema: shownSchema.items ?? {} };
    return showsObjects(sent, listed, { ...context, ...items }, isOrdered);
  }
  const item = schemaOfValue(context.schemas, sentSchema.items ?? {}, sent[0]);
  const spelled = (value: string) => (isSpelled(item) ? plainText(value) : spelledAddress(value, exact));
  return showsMembers(sent, listed, isReference ? resolveReference : spelled, isOrdered);
}

/** Lower-cases the domain of an address and, unless `exact`, its name. */
function spelledAddress(text: string, exact = false): string {
  const [, name, domain] = /^([^\s@]+)@([^\s@]+)$/.exec(text) ?? [];
  if (name === undefined || domain === undefined) return text;
  return `${exact ? name : name.toLowerCase()}@${domain.toLowerCase()}`;
}

function isTextOf(sent: unknown, shown: unknown): boolean {
  if (typeof sent === "string" || typeof shown !== "string") return false;
  return String(sent) === shown || sameJson(jsonIn(shown), sent);
}

/** Returns the fields of the object that are shown with another value than was sent, or not at all. */
function objectDifferences(
  sent: JsonObject,
  shown: unknown,
  context: EchoContext,
  pointer: string,
): Difference[] {
  const { schemas, sentSchema, shownSchema } = context;
  if (!isObject(shown)) {
    const onlySecrets = holdsOnlySecrets(sent, sentSchema, schemas);
    return shown === undefined && onlySecrets
      ? []
      : [{ pointer, expected: describeValue(sent), actual: describeValue(shown), ...lackIn(shown) }];
  }
  return Object.entries(sent).flatMap(([name, value]) => {
    const below = appendPointer(pointer, name);
    const childSent = schemaOfMember(sentSchema, name);
    const childShown = schemaOfMember(shownSchema, name);
    // If only requests document a field, answers need not show it.
    const { properties } = shownSchema;
    if (pointer === "" ? !properties?.[name] : properties && childSent && !childShown) return [];
    const own = valueUnder(shown, name, sentSchema);
    // A service may show a free-form value as text: `"5"` for 5.
    if (isFreeForm(sentSchema) && isTextOf(value, own)) return [];
    if (
      own === undefined &&
      childSent &&
      isObject(value) &&
      holdsOnlySecrets(value, schemas.flatten(childSent), schemas)
    )
      return [];
    return echoDifferences(
      value,
      own,
      { ...context, sentSchema: childSent ?? {}, shownSchema: childShown ?? {} },
      below,
    );
  });
}

function isFreeForm(schema: Schema): boolean {
  return schema.properties === undefined && schema["x-send"] !== undefined;
}

function valueUnder(shown: JsonObject, name: string, sentSchema: Schema): unknown {
  if (Object.hasOwn(shown, name)) return shown[name];
  if (!holdsHeaders(sentSchema)) return undefined;
  return Object.entries(shown).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

function holdsOnlySecrets(sent: JsonObject, schema: Schema, schemas: SchemaIndex): boolean {
  return Object.entries(sent).every(([name, value]) => {
    const child = schema.properties?.[name];
    if (!child) return false;
    const flat = schemas.flatten(child);
    return flat["x-secret"] === true || (isObject(value) && holdsOnlySecrets(value, flat, schemas));
  });
}

function namesOf(list: unknown[], name: ReferenceResolver): string[] {
  return list.map((value) =>
    typeof value === "string" || typeof value === "number" ? name(String(value)) : canonicalJson(value),
  );
}

function showsMembers(sent: unknown[], shown: unknown[], name: ReferenceResolver, ordered: boolean): boolean {
  const arranged = (names: string[]) => (ordered ? names : names.sort());
  const sentNames = namesOf(sent, name);
  const shownNames = arranged(namesOf(shown, name));
  const isEqual = (names: string[]) => sameJson(arranged([...names]), shownNames);
  return isEqual(sentNames) || isEqual([...new Set(sentNames)]);
}

function showsObjects(sent: unknown[], shown: unknown[], context: EchoContext, ordered: boolean): boolean {
  if (sent.length !== shown.length) return false;
  const shows = (one: unknown, other: unknown) => echoDifferences(one, other, context, "/0").length === 0;
  if (ordered) return sent.every((one, index) => shows(one, shown[index]));
  return arePairs(sent, shown, shows);
}

function arePairs(ones: unknown[], others: unknown[], isPair: typeof sameFieldValue): boolean {
  const left = [...others];
  return ones.every((one) => {
    const found = left.findIndex((other) => isPair(one, other));
    if (found !== -1) left.splice(found, 1);
    return found !== -1;
  });
}

function sameMembers(a: unknown[], b: unknown[]): boolean {
  const isSame = (one: unknown, other: unknown) => (isObject(one) ? sameFieldValue : sameJson)(one, other);
  if (sameJson(namesOf(a, plainText).sort(), namesOf(b, plainText).sort())) return true;
  return a.length === b.length && a.some(isObject) && arePairs(a, b, isSame);
}

const MASKED = /[*•…]+|[xX]{3,}/;
const PHONE = /^[\d\s()+./*•…xX-]+$/;

/** True for a text such as `****1234`. */
export function isMasked(text: string): boolean {
  return MASKED.test(text);
}

/** True if the values agree around their masks (`+2376*****001`). */
export function isSameBehindMasks(a: unknown, b: unknown): boolean {
  if (typeof a !== "string" || typeof b !== "string")
    return isEmptyList(a) || isEmptyList(b) || sameJson(a, b);
  const isPhone = PHONE.test(a) && PHONE.test(b);
  const [first, second] = [a, b].map((text) => (isPhone ? text.replace(/[\s()+./-]/g, "") : text.trim()));
  const one = (first ?? "").split(MASKED);
  const other = (second ?? "").split(MASKED);
  if (one.length === 1 && other.length === 1) return first === second;
  const begins = commonLength(one[0], other[0]);
  const ends = commonLength(one.at(-1), other.at(-1));
  return (
    one[0]?.slice(0, begins) === other[0]?.slice(0, begins) &&
    one.at(-1)?.slice(-ends || Number.POSITIVE_INFINITY) ===
      other.at(-1)?.slice(-ends || Number.POSITIVE_INFINITY)
  );
}

function commonLength(a = "", b = ""): number {
  return Math.min(a.length, b.length);
}

/** True also for other spellings of a value, reordered lists, and null, empty or missing lists. */
export function sameFieldValue(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b || plainText(a) === plainText(b);
  if (Array.isArray(a) && Array.isArray(b)) return sameMembers(a, b);
  if (isObject(a) && isObject(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => sameFieldValue(a[name], b[name]));
  }
  if (isEmptyList(a) && isEmptyList(b)) return true;
  return sameJson(a, b);
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Returns the fields that differ. Fields in `headers` hold headers, whose names have no case. */
export function changes(
  before: JsonObject,
  after: JsonObject,
  headers: ReadonlySet<string> = new Set(),
): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const compared = (resource: JsonObject, name: string) =>
    headers.has(name) ? withoutCase(resource[name]) : resource[name];
  return [...names]
    .filter((name) => !sameFieldValue(compared(before, name), compared(after, name)))
    .map((name) => ({
      pointer: appendPointer("", name),
      ...describeApart(before[name], after[name]),
    }));
}

/** Returns the map with its names in lower case. */
export function withoutCase(headers: unknown): unknown {
  return isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    : headers;
}

/** Returns the fields that hold HTTP headers, whose names are case-insensitive. */
export function headerFields(schemas: SchemaIndex, body: Schema = {}): Set<string> {
  const fields = schemas.fields(body).filter(([, field]) => holdsHeaders(field));
  return new Set(fields.map(([name]) => name));
}

function holdsHeaders(schema: Schema): boolean {
  return schema["x-send"]?.propertyNames !== undefined;
}

const MAX_DESCRIBED = 4;

/** Returns the kind that all differences share, if they share one. */
export function commonKind(differences: readonly OfKind[]): OfKind {
  const [first, ...others] = differences;
  const isCommon = others.every(({ difference }) => difference === first?.difference);
  return first?.difference !== undefined && isCommon ? { difference: first.difference } : {};
}

/** Returns one text for all expected values, and one for all actual ones. */
export function describeDifferences(
  differences: Difference[],
): { expected: string; actual: string } & OfKind {
  const more = differences.length - MAX_DESCRIBED;
  const described = (side: "expected" | "actual") =>
    differences
      .slice(0, MAX_DESCRIBED)
      .map((difference) => `${difference.pointer.slice(1)} ${difference[side]}`)
      .concat(more > 0 ? [`and ${more} more`] : [])
      .join("; ");
  return { expected: described("expected"), actual: described("actual"), ...commonKind(differences) };
}
