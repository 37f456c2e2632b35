import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { isEncoded, typesOf } from "../spec/schema.ts";

export interface OpenValue {
  requirement: string;
  behaviour: "unknownBodyFields" | "emptyTexts" | "lowerCaseCodes" | "unheardOfValues";
  subject: string;
  field?: string;
  change(valid: JsonObject): JsonObject;
}

function isText(schema: Schema): boolean {
  const isFree = !schema.format && !schema.enum && !schema.pattern && !isEncoded(schema);
  return typesOf(schema).includes("string") && isFree;
}

const UNKNOWN_FIELD: OpenValue = {
  requirement: "CREATE-UNKNOWN-FIELDS",
  behaviour: "unknownBodyFields",
  subject: "a field that is not documented",
  change: (valid) => ({ ...valid, conformanceUnknown: "x" }),
};

/** Returns values that the specification neither allows nor forbids, such as unknown fields. */
export function openValues(spec: Spec, { body }: Operation, unheardOf = ""): OpenValue[] {
  const fields = spec.schemas.fields(body).filter(([, schema]) => schema["x-unique"] === undefined);
  const values = fields.flatMap(([field, schema]): OpenValue[] => {
    const unheard = typesOf(schema).includes("array") ? [unheardOf] : unheardOf;
    const put = (value: (valid: unknown) => unknown) => (valid: JsonObject) => ({
      ...valid,
      [field]: value(valid[field]),
    });
    const empty = {
      requirement: "CREATE-EMPTY-TEXT",
      behaviour: "emptyTexts" as const,
      subject: `an empty ${field}`,
      change: put(() => ""),
    };
    const lowerCase = {
      requirement: "CREATE-CODE-CASE",
      behaviour: "lowerCaseCodes" as const,
      subject: `${field} in lower case`,
      change: put((valid) => String(valid).toLowerCase()),
    };
    const invented = {
      requirement: schema["x-open"] ?? "",
      behaviour: "unheardOfValues" as const,
      subject: `an unheard-of value in ${field}`,
      change: put(() => unheard),
    };
    return [
      ...(isText(schema) && schema.minLength === undefined && !schema["x-send"] ? [empty] : []),
      ...(schema.format === "currency-code" ? [lowerCase] : []),
      ...(schema["x-open"] ? [invented] : []),
    ].map((open) => ({ ...open, field }));
  });
  return body ? [UNKNOWN_FIELD, ...values] : [];
}

const astral = (digit: number) => String.fromCodePoint(0x1f600 + digit);
const toned = (digit: number) => String.fromCodePoint(0x1f446 + (digit % 11), 0x1f3fd);

/** First the unit that allows most: an astral character has one code point, two UTF-16 units, four bytes. */
const UNITS = [
  { unit: "graphemes", share: 1, characters: "characters of two code points", character: toned },
  { unit: "code-points", share: 1, characters: "astral characters", character: astral },
  { unit: "utf-16", share: 2, characters: "astral characters", character: astral },
  { unit: "bytes", share: 4, characters: "astral characters", character: astral },
] as const;

/** Returns the longest texts, one for each unit and limited field. `runTag` makes them new. */
export function longTexts(spec: Spec, { body }: Operation, runTag = "") {
  const limited = spec.schemas.fields(body).filter(([, schema]) => isText(schema) && schema.maxLength);
  return UNITS.map(({ unit, share, characters, character }) =>
    limited.map(([field, { maxLength = 0 }]) => {
      const count = Math.floor(maxLength / share);
      const digit = (index: number) => Number.parseInt(runTag.charAt(index) || "0", 16);
      const text = Array.from({ length: count }, (_, index) => character(digit(index))).join("");
      return { field, unit, what: `${count} ${characters}`, text };
    }),
  );
}
