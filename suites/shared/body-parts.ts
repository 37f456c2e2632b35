import fc from "fast-check";
import { bodyEdges, type Edge } from "../../generators/body-edges.ts";
import { METADATA_NAMES, ordinaryPieces, ordinaryText, ordinaryTexts } from "../../generators/text.ts";
import type { ValueSource } from "../../generators/values.ts";
import { inventedNames } from "../../history/creates/invented-names.ts";
import { fieldAt, isObject, type JsonObject, omit, sameJson, valueAt, withValue } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { namesNull, typesOf } from "../../spec/schema.ts";
import { freeMaps, freeTextFields } from "./echo.ts";

type PartKind = "edge" | "null" | "each value" | "switch" | "left out" | "text";

/** A special value of one field, such as null or a limit. A body can hold several parts. */
export interface BodyPart {
  kind: PartKind;
  field: string;
  /** The value in words (`left out`). Check ids contain it, so it must not change. */
  what: string;
  pointer: string;
  constraint?: Edge["constraint"];
  put(body: JsonObject, source: ValueSource): JsonObject | undefined;
  /** Always false for a value that is chosen when it is sent. */
  isIn(body: JsonObject): boolean;
  /** True if the service may reject the value as unknown (an invented provider code). */
  isDoubtful(source: ValueSource): boolean;
}

/** Returns a value source for the planning of checks. Fixed values keep check ids the same in each run. */
export function planningSource(spec: Spec): ValueSource {
  return {
    schemas: spec.schemas,
    unique: () => "pc-00000000-0000",
    known: () => ["known"],
    references: () => ["known"],
    seed: 0,
  };
}

/** Returns the parts that are tried in bodies of the operation. */
export const plannedParts = memoized((spec: Spec, operation: Operation) => bodyPartsOf(spec, operation));

/** Returns the parts, with texts that `turn` selects. */
export function bodyPartsOf(spec: Spec, operation: Operation, turn = 0): BodyPart[] {
  const { body } = operation;
  if (!body) return [];
  const required = new Set(spec.schemas.required(body));
  return [
    ...edgeParts(body, planningSource(spec)),
    ...spec.schemas.fields(body).flatMap(([name, schema]) => [
      ...(namesNull(schema) ? [valuePart("null", name, "null", null)] : []),
      ...choiceParts(name, schema),
      ...(typesOf(schema).includes("boolean")
        ? [true, false].map((value) => valuePart("switch", name, String(value), value))
        : []),
      ...(schema.default !== undefined && !required.has(name)
        ? [
            {
              ...valuePart("left out", name, "left out", undefined),
              put: (valid: JsonObject) => omit(valid, [name]),
            },
          ]
        : []),
    ]),
    ...textParts(spec, body, turn),
  ];
}

/** Returns the values at the limits of the body's schema as parts to send. */
function edgeParts(body: Schema, planning: ValueSource): BodyPart[] {
  return bodyEdges(body, planning).map(({ pointer, constraint, what, isIn }): BodyPart => {
    const find = (source: ValueSource) =>
      bodyEdges(body, source, fieldAt(pointer)).find(
        (edge) => edge.pointer === pointer && edge.constraint === constraint && edge.what === what,
      );
    return {
      kind: "edge",
      field: fieldAt(pointer),
      what: `${constraint} ${what}`,
      pointer,
      constraint,
      put(valid, source) {
        const edge = find(source) ?? find({ ...source, known: inventedNames });
        return edge && withValue(valid, pointer, edge.value);
      },
      isIn: (sent) => isIn(valueAt(sent, pointer)),
      isDoubtful: (source) => find(source)?.doubtful ?? true,
    };
  });
}

/** Returns a part that sets one field to this value. */
function valuePart(kind: PartKind, name: string, what: string, value: unknown): BodyPart {
  return {
    kind,
    field: name,
    what,
    pointer: `/${name}`,
    put: (valid) => ({ ...valid, [name]: value }),
    isIn: (sent) => sent[name] === value,
    isDoubtful: () => false,
  };
}

const MOST_VALUES = 4;
const MOST_KNOWN = 2;

/** Returns one part for each allowed value, because a service may know only some. */
function choiceParts(name: string, schema: Schema): BodyPart[] {
  const listed = (schema["x-send"] ?? schema).enum?.filter((value) => value !== null);
  const from = schema["x-values-from"];
  const isNamed = from !== undefined && typesOf(schema).includes("string");
  if (schema["x-consumes"] || !(listed || isNamed)) return [];
  const count = from ? MOST_KNOWN : Math.min(listed?.length ?? 0, MOST_VALUES);
  return Array.from({ length: count }, (_, index) => ({
    ...valuePart("each value", name, `value ${index + 1}`, undefined),
    put(valid, source) {
      const values = from ? source.known(from.fixture) : (listed ?? []);
      const value = values[index];
      return value === undefined ? undefined : { ...valid, [name]: value };
    },
    isIn: (sent) => !from && sameJson(sent[name] ?? null, listed?.[index]),
  }));
}

/** Returns parts with unusual texts for the free text fields. The turn rotates which field gets which text. */
function textParts(spec: Spec, body: Schema, turn: number): BodyPart[] {
  const part = (name: string, put: BodyPart["put"]): BodyPart => ({
    ...valuePart("text", name, "text", undefined),
    put,
    isIn: () => false,
  });
  const texts = freeTextFields(spec, body).map(([name, bytes], place) => {
    const pieces = ordinaryPieces(bytes, turn + place);
    const put: BodyPart["put"] = (valid, source) => ({
      ...valid,
      [name]: `${source.unique()} ${pieces.join(" ")}`,
    });
    return part(name, put);
  });
  const maps = freeMaps(spec, body).map((name) =>
    part(name, (valid, source) => ({
      ...valid,
      [name]: { ...(isObject(valid[name]) ? valid[name] : {}), ...awkwardEntries(source.seed) },
    })),
  );
  return [...texts, ...maps];
}

const MAP_BYTES = 80;
const LONG_LENGTH = 100;

function awkwardEntries(seed: number): JsonObject {
  const [random = ""] = fc.sample(ordinaryText(MAP_BYTES), { seed, numRuns: 1 });
  const texts = [
    ...ordinaryTexts(MAP_BYTES),
    ...LOOKALIKE_TEXTS,
    "long".padEnd(LONG_LENGTH, " and long"),
    random,
  ];
  return Object.fromEntries(texts.map((text, index) => [METADATA_NAMES[index] ?? `note${index}`, text]));
}

const LOOKALIKE_TEXTS = ["null", "0012.50", "true", "-1e5", "007", "42"];

/** Returns few groups of parts, each with at most one part of a field. */
export function packedParts(parts: readonly BodyPart[]): BodyPart[][] {
  return packedBy(parts, ({ field }) => field);
}

/** Returns few groups, each with at most one item of a field. */
export function packedBy<T>(items: readonly T[], fieldOf: (item: T) => string): T[][] {
  const packs: T[][] = [];
  for (const item of items) {
    const free = packs.find((pack) => !pack.some((other) => fieldOf(other) === fieldOf(item)));
    if (free) free.push(item);
    else packs.push([item]);
  }
  return packs;
}

/** Returns the part in words, such as `name of 200 characters`. */
export function nameOf({ field, pointer, what, kind }: BodyPart): string {
  const words = what.replace(/^\w+ /, "").replace(/^1 (\w+)s$/, "1 $1");
  return kind === "edge" ? `${pointer.slice(1)} of ${words}` : `${field} ${what}`;
}
