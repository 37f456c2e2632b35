/** Bodies of awkward text, and whether what was sent is shown. Shared by creates and updates. */

import { referenceResolver } from "../client/references.ts";
import { supplyFor, validBody } from "../client/supply.ts";
import type { Target } from "../client/target.ts";
import { withValue } from "../generators/at-pointer.ts";
import { bodyEdges } from "../generators/body-edges.ts";
import { BLANK_TEXTS, DECLINABLE_TEXTS, leapSecond, NUL_TEXT } from "../generators/text.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { type Difference, echoDifferences } from "./differences.ts";

/** Bytes of awkward text in a field, behind the run's mark: within every documented limit, however it is counted. */
const MARK_BYTES = 24;
const SHORTEST_LIMIT = 40;

/** What is free text in a body: plain strings without format, values or pattern, and long enough for a mark. */
export function freeTextFields(spec: Spec, body: Schema): [name: string, bytes: number][] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {}).flatMap(
    ([name, child]): [string, number][] => {
      const schema = spec.schemas.flatten(child);
      const free =
        typesOf(schema).includes("string") &&
        !schema.format &&
        !schema.enum &&
        !schema.pattern &&
        !schema["x-send"] &&
        !schema["x-values-from"] &&
        !schema["x-secret"];
      const limit = schema.maxLength ?? 100;
      return free && limit >= SHORTEST_LIMIT ? [[name, Math.min(limit - MARK_BYTES, 80)]] : [];
    },
  );
}

/** Free-form attributes of a body. */
export function freeMaps(spec: Spec, body: Schema): string[] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {})
    .filter(([, child]) => {
      const schema = spec.schemas.flatten(child);
      return (
        typesOf(schema).includes("object") &&
        !schema.properties &&
        schema["x-send"] !== undefined &&
        !schema["x-send"].propertyNames
      );
    })
    .map(([name]) => name);
}

/** Where a resource does not show what was sent to an operation. */
export async function echoFaults(
  target: Target,
  operation: Operation,
  sent: JsonObject,
  shown: JsonObject,
  shownBy: Operation = operation,
  exact = false,
): Promise<Difference[]> {
  if (!operation.body || !shownBy.resource) return [];
  return echoDifferences(sent, shown, {
    schemas: target.spec.schemas,
    sentSchema: operation.body,
    shownSchema: shownBy.resource,
    resolveReference: await referenceResolver(target, operation.body),
    exact,
  });
}

/** A body to send, and what is special about it. */
interface Special {
  what: string;
  sent: JsonObject;
}

/** Properties of a body whose schema is of a kind. */
function propertiesThat(spec: Spec, body: Schema, fits: (schema: Schema) => boolean): [string, Schema][] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {})
    .map(([name, child]): [string, Schema] => [name, spec.schemas.flatten(child)])
    .filter(([, schema]) => fits(schema));
}

const isLimited = ({ maxLength, maxItems, maximum, maxProperties }: Schema) =>
  [maxLength, maxItems, maximum, maxProperties].some((limit) => limit !== undefined);
const isNullable = (schema: Schema) => typesOf(schema).length > 0 && allowsNull(schema);
const isChoice = (schema: Schema) =>
  typesOf(schema).includes("string") &&
  !schema["x-consumes"] &&
  (schema["x-values-from"] !== undefined || (schema["x-send"] ?? schema).enum !== undefined);

/** Lists that may be empty, and whose items are the client's own: of what the service lists, none may stand for all. */
const canBeEmpty = (schema: Schema) =>
  typesOf(schema).includes("array") &&
  !schema.minItems &&
  !schema["x-values-from"]?.list &&
  !schema["x-references"];

/** What can be special about the bodies of an operation, as far as its fields allow it. */
export function specials(spec: Spec, body: Schema) {
  return [
    {
      detail: "at the limits",
      title: "where a field is as long as its rule allows",
      make: bodiesAtLimits,
      fits: isLimited,
    },
    { detail: "empty list", title: "where a list is empty", make: bodiesWithEmptyList, fits: canBeEmpty },
    { detail: "null", title: "where a field is null", make: bodiesWithNull, fits: isNullable },
    {
      detail: "each value",
      title: "whichever value a field takes of a few",
      make: bodiesOfEachValue,
      fits: isChoice,
    },
  ].filter(({ fits }) => propertiesThat(spec, body, fits).length > 0);
}

/** Bodies with one field as long as its rule allows. Names that the service may not know, and empty values, are left out. */
async function bodiesAtLimits(target: Target, operation: Operation): Promise<Special[]> {
  const { body } = operation;
  if (!body) return [];
  const edges = bodyEdges(body, await supplyFor(target, body)).filter(
    ({ doubtful, value }) => !doubtful && (typeof value !== "object" || Object.keys(value ?? {}).length > 0),
  );
  return Promise.all(
    edges.map(async ({ pointer, what, value }) => ({
      what: `${pointer.slice(1)} of ${what}`,
      sent: withValue(await validBody(target, operation, "full"), pointer, value),
    })),
  );
}

/** Bodies with null in one field each that may be null. */
function bodiesWithNull(target: Target, operation: Operation): Promise<Special[]> {
  return bodiesWith(target, operation, isNullable, null);
}

/** Bodies with an empty list in one field each that may be one. */
function bodiesWithEmptyList(target: Target, operation: Operation): Promise<Special[]> {
  return bodiesWith(target, operation, canBeEmpty, []);
}

async function bodiesWith(
  target: Target,
  operation: Operation,
  fits: (schema: Schema) => boolean,
  value: unknown,
): Promise<Special[]> {
  const { body } = operation;
  const names = body ? propertiesThat(target.spec, body, fits).map(([name]) => name) : [];
  return Promise.all(
    names.map(async (name) => ({
      what: `${name} ${JSON.stringify(value)}`,
      sent: { ...(await validBody(target, operation, "full")), [name]: value },
    })),
  );
}

const MOST_VALUES = 4;

/** Bodies with each of the values of a field that takes one of a few: a service may know but one of them. */
async function bodiesOfEachValue(target: Target, operation: Operation): Promise<Special[]> {
  const { body } = operation;
  if (!body) return [];
  const supply = await supplyFor(target, body);
  const choices = propertiesThat(target.spec, body, isChoice).flatMap(([name, schema]) => {
    const from = schema["x-values-from"];
    const options = from ? supply.known(from.fixture) : ((schema["x-send"] ?? schema).enum ?? []);
    return options
      .filter((option) => option !== null)
      .slice(0, MOST_VALUES)
      .map((value) => ({ name, value }));
  });
  return Promise.all(
    choices.map(async ({ name, value }) => ({
      what: `${name} ${String(value)}`,
      sent: { ...(await validBody(target, operation, "full")), [name]: value },
    })),
  );
}

/** A value that a service may decline, for a field of a body. */
export interface Declinable {
  detail: string;
  name: string;
  value: unknown;
  /** Whether a careful service may trim it: that it is shown as it was sent is then no more than expected. */
  trimmed?: boolean;
  /** Whether what comes of it is the service's own choice, as long as it answers. */
  free?: boolean;
}

/** Fields that texts which may be declined are spread over: so they travel in fewer bodies. */
const TEXT_FIELDS = 2;

/** Control characters, blanks, nested or other than textual metadata, header values beyond ASCII (rulings on 62 and 80). */
export function declinableValues(spec: Spec, body: Schema): Declinable[] {
  const properties = Object.entries(spec.schemas.flatten(body).properties ?? {});
  const required = new Set(spec.schemas.flatten(body).required ?? []);
  const isText = ([, child]: [string, Schema]) => {
    const schema = spec.schemas.flatten(child);
    return (
      typesOf(schema).includes("string") &&
      !schema.format &&
      !schema.enum &&
      !schema.pattern &&
      !schema["x-send"] &&
      !schema["x-values-from"]
    );
  };
  const isMap = ([, child]: [string, Schema]) => {
    const schema = spec.schemas.flatten(child);
    return typesOf(schema).includes("object") && !schema.properties && schema["x-send"] !== undefined;
  };
  const fields = properties
    .filter(isText)
    // What must be unique would be refused to the next run.
    .filter(([, child]) => spec.schemas.flatten(child)["x-unique"] === undefined)
    // The same ones however the document orders them: their names are part of check ids.
    .sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)) || a.localeCompare(b, "en"))
    .slice(0, TEXT_FIELDS)
    .map(([name]) => name);
  const texts = [...DECLINABLE_TEXTS, ...BLANK_TEXTS].flatMap((each, index) => {
    const legal = fields.filter(
      (name) => spec.schemas.validate(Object.fromEntries(properties)[name] ?? {}, each.text).length === 0,
    );
    const turn = index % legal.length;
    const own = each === NUL_TEXT ? legal : legal.slice(turn, turn + 1);
    const trimmed = BLANK_TEXTS.includes(each) ? { trimmed: true } : {};
    return own.map((name) => ({
      detail: `${name}: ${each.detail}`,
      name,
      value: each.text as unknown,
      ...trimmed,
    }));
  });
  // Few clocks know of leap seconds: what becomes of one is told nowhere.
  const times = properties
    .filter(([, child]) => spec.schemas.flatten(child).format === "date-time")
    .map(([name]) => ({ detail: `${name}: leap second`, name, value: leapSecond() as unknown, free: true }));
  const maps = properties.filter(isMap).flatMap(([name, child]) => {
    const headers = spec.schemas.flatten(child)["x-send"]?.propertyNames !== undefined;
    if (headers)
      return [
        { detail: `${name}: non-ASCII value`, name, value: { "X-Conformance-Text": "Grüße ☃" } as unknown },
      ];
    return [
      {
        detail: `${name}: nested`,
        name,
        value: { outer: { inner: ["a", { deep: { deeper: "value" } }] } } as unknown,
      },
      { detail: `${name}: ${NUL_TEXT.detail}`, name, value: { note: NUL_TEXT.text } as unknown },
      {
        detail: `${name}: numbers and booleans`,
        name,
        value: { count: 12, ratio: 0.5, flag: true } as unknown,
      },
      {
        detail: `${name}: many, long and empty`,
        name,
        value: Object.fromEntries(
          Array.from({ length: 40 }, (_, n) => [
            `key${n}`,
            n === 7 ? "" : "long value ".repeat(20).trimEnd(),
          ]),
        ) as unknown,
      },
    ];
  });
  return [...texts, ...maps, ...times];
}
