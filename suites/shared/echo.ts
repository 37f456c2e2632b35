import { BLANK_TEXTS, DECLINABLE_TEXTS, leapSecond, NUL_TEXT } from "../../generators/text.ts";
import { addTo } from "../../spec/grouped.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { isEncoded, typesOf } from "../../spec/schema.ts";

/** The bytes of the run tag: a service may count lengths in bytes. */
const TAG_BYTES = 24;
const LEAST_TAG_BYTES = 17;
const SHORT_LIMIT = 40;
const SHORTEST_LIMIT = 25;

function isPlainText(schema: Schema): boolean {
  return (
    typesOf(schema).includes("string") &&
    !schema.format &&
    !schema.enum &&
    !schema.pattern &&
    !isEncoded(schema) &&
    !schema["x-send"] &&
    !schema["x-values-from"]
  );
}

function isMap(schema: Schema): boolean {
  return typesOf(schema).includes("object") && !schema.properties && schema["x-send"] !== undefined;
}

/** Returns the fields that take any text, with the bytes that a run tag leaves free. */
export function freeTextFields(spec: Spec, body: Schema): [name: string, bytes: number][] {
  return spec.schemas.fields(body).flatMap(([name, schema]): [string, number][] => {
    const limit = schema.maxLength ?? 100;
    const free = isPlainText(schema) && !schema["x-secret"] && limit >= SHORTEST_LIMIT;
    const tag = limit < SHORT_LIMIT ? LEAST_TAG_BYTES : TAG_BYTES;
    return free ? [[name, Math.min(limit - tag, 80)]] : [];
  });
}

/** Returns the maps that take any names and values, such as metadata. */
export function freeMaps(spec: Spec, body: Schema): string[] {
  const maps = spec.schemas
    .fields(body)
    .filter(([, field]) => isMap(field) && !field["x-send"]?.propertyNames);
  return maps.map(([name]) => name);
}

const isLimited = ({ maxLength, maxItems, maximum, maxProperties }: Schema) =>
  [maxLength, maxItems, maximum, maxProperties].some((limit) => limit !== undefined);

/** True if an empty list is surely stored as such. An empty list of providers may mean all. */
const canBeEmpty = (schema: Schema) =>
  typesOf(schema).includes("array") &&
  !schema.minItems &&
  !schema["x-values-from"]?.list &&
  !schema["x-references"];

/** Returns the kinds of extreme values that fields of the body can have. */
export function extremeKinds(spec: Spec, body: Schema) {
  return [
    { detail: "at the limits", title: "with fields of the longest length", fits: isLimited },
    { detail: "empty list", title: "with empty lists", fits: canBeEmpty },
  ].filter(({ fits }) => spec.schemas.fields(body).some(([, schema]) => fits(schema)));
}

export interface Declinable {
  detail: string;
  name: string;
  value: unknown;
  /** Differs from `value` only deep inside. An update that compares no deeper takes it for the same. */
  changed?: unknown;
  /** True for blanks at an end. A service may trim them: showing them is a SHOULD. */
  trimmed?: boolean;
  free?: boolean;
}

/** Returns `name (NUL)` for `name: NUL`. */
export function inBrackets(detail: string): string {
  return detail.replace(/: (.*)$/, " ($1)");
}

/** Joins the values of each map, without control characters. */
export function mixedMaps(values: readonly Declinable[]): (Declinable & { value: JsonObject })[] {
  const members = new Map<string, [string, unknown][]>();
  for (const { name, value } of values) if (isObject(value)) addTo(members, name, ...Object.entries(value));
  const isPlain = ([, value]: [string, unknown]) => typeof value !== "string" || !/\p{Cc}/u.test(value);
  return [...members].map(([name, entries]) => ({
    detail: `${name}: mixed`,
    name,
    value: Object.fromEntries(entries.filter(isPlain)),
  }));
}

/** Few fields are tested, because each needs more creates. */
const TEXT_FIELDS = 2;

/** Returns values that a service may reject, but not change. */
export function declinableValues(spec: Spec, body: Schema): Declinable[] {
  const all = spec.schemas.fields(body);
  // A service may change leap seconds, because few support them.
  const times = all
    .filter(([, field]) => field.format === "date-time")
    .map(([name]): Declinable => ({ detail: `${name}: leap second`, name, value: leapSecond(), free: true }));
  const maps = all.flatMap(([name, field]) => unusualMaps(name, field));
  return [...unusualTexts(spec, body), ...maps, ...times];
}

/** Returns texts for the free text fields that services often change, such as ones with spaces at their ends. */
function unusualTexts(spec: Spec, body: Schema): Declinable[] {
  const { required = [], properties = {} } = spec.schemas.flatten(body);
  const isRequired = (name: string) => Number(required.includes(name));
  const fields = spec.schemas
    .fields(body)
    // Unique fields are left out, because the next run sends the same texts again.
    .filter(([, field]) => isPlainText(field) && field["x-unique"] === undefined)
    // Check ids depend on this order.
    .sort(([a], [b]) => isRequired(b) - isRequired(a) || a.localeCompare(b, "en"))
    .slice(0, TEXT_FIELDS);
  return [...DECLINABLE_TEXTS, ...BLANK_TEXTS].flatMap((each, index) => {
    const legal = fields.filter(
      ([name]) => spec.schemas.validate(properties[name] ?? {}, each.text).length === 0,
    );
    const turn = index % legal.length;
    const own = each === NUL_TEXT ? legal : legal.slice(turn, turn + 1);
    const trimmed = BLANK_TEXTS.includes(each) ? { trimmed: true } : {};
    return own.map(
      ([name]): Declinable => ({
        detail: `${name}: ${each.detail}`,
        name,
        value: each.text,
        ...trimmed,
      }),
    );
  });
}

/** Returns maps with unusual keys or values for the field, if it is a map. */
function unusualMaps(name: string, field: Schema): Declinable[] {
  if (!isMap(field)) return [];
  const mapOf = (what: string, value: JsonObject) => ({ detail: `${name}: ${what}`, name, value });
  if (field["x-send"]?.propertyNames) return [mapOf("non-ASCII value", { "X-Conformance-Text": "Grüße ☃" })];
  const many = Array.from({ length: 40 }, (_, n) => [
    `key${n}`,
    n === 7 ? "" : "long value ".repeat(20).trimEnd(),
  ]);
  return [
    { ...mapOf("nested", nestedMap("value")), changed: nestedMap("other") },
    mapOf(NUL_TEXT.detail, { note: NUL_TEXT.text }),
    mapOf("numbers and booleans", { count: 12, ratio: 0.5, none: 0, flag: true, off: false }),
    mapOf("many, long and empty", Object.fromEntries(many)),
  ];
}

function nestedMap(text: string): JsonObject {
  const deep = { deep: { deeper: text } };
  return { outer: { inner: ["a", deep], other: deep } };
}

export function takesText(spec: Spec, { body = {} }: Operation): boolean {
  return freeTextFields(spec, body).length + freeMaps(spec, body).length > 0;
}
