/** What can be special about a valid body: one part for each inside edge, null, empty list, value of a few, and text. */

import fc from "fast-check";
import { withoutValue, withValue } from "../generators/at-pointer.ts";
import { bodyEdges, type Edge } from "../generators/body-edges.ts";
import { METADATA_NAMES, ordinaryPieces, ordinaryText, ordinaryTexts } from "../generators/text.ts";
import type { Supply } from "../generators/values.ts";
import { inventedNames } from "../history/invented-names.ts";
import { isObject, type JsonObject, pointerTokens } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { freeMaps, freeTextFields } from "./echo.ts";

/** What a part is about; rules pick theirs by it. */
type PartKind = "edge" | "null" | "each value" | "switch" | "left out" | "text";

/** One special thing about a body, at one of its fields. Parts of different fields can travel in one body. */
export interface Part {
  kind: PartKind;
  /** The field at the top of the body that it changes. */
  field: string;
  /** Tells it from other parts of the operation; part of check ids. */
  what: string;
  pointer: string;
  constraint?: Edge["constraint"];
  /** The body with this part; undefined where no value is known for it. */
  put(body: JsonObject, supply: Supply): JsonObject | undefined;
  /** Whether it stands on names that the service may not know: a rejection is then no fault of the service. */
  isDoubtful(supply: Supply): boolean;
  /** For texts: the pieces that it is made of. */
  pieces?: string[];
}

const surely = () => false;

/**
 * Every part of an operation's body. The supply is for planning: values are made when they are sent. `turn` says which
 * texts come first where a field has no room for all.
 */
export function partsOf(spec: Spec, operation: Operation, planning: Supply, turn = 0): Part[] {
  const { body } = operation;
  if (!body) return [];
  const required = new Set(spec.schemas.flatten(body).required);
  return [
    ...edgeParts(body, planning),
    ...spec.schemas
      .fields(body)
      .flatMap(([name, schema]) => [
        ...(isNullable(schema) ? [valuePart("null", name, "null", null)] : []),
        ...choiceParts(name, schema),
        ...(typesOf(schema).includes("boolean")
          ? [true, false].map((value) => valuePart("switch", name, String(value), value))
          : []),
        ...(schema.default !== undefined && !required.has(name) ? [leftOut(name)] : []),
      ]),
    ...textParts(spec, body, turn),
  ];
}

function edgeParts(body: Schema, planning: Supply): Part[] {
  return bodyEdges(body, planning).map(({ pointer, constraint, what }): Part => {
    const find = (supply: Supply) =>
      bodyEdges(body, supply).find(
        (edge) => edge.pointer === pointer && edge.constraint === constraint && edge.what === what,
      );
    return {
      kind: "edge",
      field: pointerTokens(pointer)[0] ?? "",
      what: `${constraint} ${what}`,
      pointer,
      constraint,
      put(valid, supply) {
        const edge = find(supply) ?? find({ ...supply, known: inventedNames });
        return edge && withValue(valid, pointer, edge.value);
      },
      isDoubtful: (supply) => find(supply)?.doubtful ?? true,
    };
  });
}

function valuePart(kind: PartKind, name: string, what: string, value: unknown): Part {
  return {
    kind,
    field: name,
    what,
    pointer: `/${name}`,
    put: (valid) => ({ ...valid, [name]: value }),
    isDoubtful: surely,
  };
}

function leftOut(name: string): Part {
  return {
    ...valuePart("left out", name, "left out", undefined),
    put: (valid) => withoutValue(valid, `/${name}`),
  };
}

const MOST_VALUES = 4;

/** Each of the values of a field that takes one of a few: a service may know but one of them. */
function choiceParts(name: string, schema: Schema): Part[] {
  const listed = (schema["x-send"] ?? schema).enum !== undefined;
  const named = schema["x-values-from"] !== undefined && typesOf(schema).includes("string");
  if (schema["x-consumes"] || !(listed || named)) return [];
  const from = schema["x-values-from"];
  const options = (supply: Supply) =>
    (from ? supply.known(from.fixture) : ((schema["x-send"] ?? schema).enum ?? [])).filter(
      (option) => option !== null,
    );
  const own = (schema["x-send"] ?? schema).enum?.filter((option) => option !== null).length;
  return Array.from({ length: Math.min(from ? 2 : (own ?? 0), MOST_VALUES) }, (_, index) => ({
    kind: "each value",
    field: name,
    what: `value ${index + 1}`,
    pointer: `/${name}`,
    put(valid, supply) {
      const value = options(supply)[index];
      return value === undefined ? undefined : { ...valid, [name]: value };
    },
    isDoubtful: surely,
  }));
}

/** Awkward but legal text in every field that takes free text, and in every map of attributes. */
function textParts(spec: Spec, body: Schema, turn: number): Part[] {
  const part = (name: string, put: Part["put"]): Part => ({
    kind: "text",
    field: name,
    what: "text",
    pointer: `/${name}`,
    put,
    isDoubtful: surely,
  });
  const texts = freeTextFields(spec, body).map(([name, bytes], place) => {
    const pieces = ordinaryPieces(bytes, turn + place);
    const put: Part["put"] = (valid, supply) => ({
      ...valid,
      [name]: `${supply.unique()} ${pieces.join(" ")}`,
    });
    return { ...part(name, put), pieces };
  });
  const maps = freeMaps(spec, body).map((name) =>
    part(name, (valid, supply) => ({
      ...valid,
      [name]: { ...(isObject(valid[name]) ? valid[name] : {}), ...awkwardEntries(supply.seed) },
    })),
  );
  return [...texts, ...maps];
}

const MAP_BYTES = 80;
/** As long as every documented limit of an attribute allows. */
const LONG = 100;

/** Attributes with every awkward name, and with every awkward text; the last is one that the seed makes up. */
function awkwardEntries(seed: number): JsonObject {
  const [random = ""] = fc.sample(ordinaryText(MAP_BYTES), { seed, numRuns: 1 });
  const texts = [...ordinaryTexts(MAP_BYTES), ...LOOKALIKE_TEXTS, "long".padEnd(LONG, " and long"), random];
  return Object.fromEntries(texts.map((text, index) => [METADATA_NAMES[index] ?? `note${index}`, text]));
}

/** Texts that read like values of another type, and are taken for them where they stand alone. */
const LOOKALIKE_TEXTS = ["null", "0012.50", "true", "-1e5", "007", "42"];

function isNullable(schema: Schema): boolean {
  return typesOf(schema).length > 0 && allowsNull(schema);
}

/** Parts packed into as few bodies as can be: no two parts of a body are about one field. */
export function packed(parts: readonly Part[]): Part[][] {
  const packs: Part[][] = [];
  for (const part of parts) {
    const free = packs.find((pack) => !pack.some(({ field }) => field === part.field));
    if (free) free.push(part);
    else packs.push([part]);
  }
  return packs;
}

/** What parts are called together, for people. */
export function nameOf({ field, pointer, what, kind }: Part): string {
  return kind === "edge" ? `${pointer.slice(1)} of ${what.replace(/^\w+ /, "")}` : `${field} ${what}`;
}
