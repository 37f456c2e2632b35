/** Values that break one keyword and nothing else. */

import { distinct, isObject, type JsonObject, jsonType } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import type { Keyword } from "../spec/schema/keywords.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { patternOf } from "./pattern-texts.ts";
import { arrayOfLength, formsOf, mapOfSize, type Supply, textOfLength, validValue } from "./values.ts";
import {
  formatViolations,
  madeUnique,
  numbersOutside,
  otherThan,
  textsOutside,
  unlistedValues,
  valuesOfOtherTypes,
} from "./wrong-values.ts";

export type Constraint = Exclude<
  Keyword,
  | "false schema"
  | "contains"
  | "items"
  | "unevaluatedItems"
  | "unevaluatedProperties"
  | "expected"
  | "relations"
>;

interface KeywordFault {
  what: string;
  change(valid: unknown): unknown;
  /** The valid twin, if it is not the valid value itself. */
  near?: unknown;
  property?: string;
}

type Maker = (schema: Schema, supply: Supply) => KeywordFault[];

const fixed = (what: string, value: unknown): KeywordFault => ({ what, change: () => value });
const shown = (value: unknown): KeywordFault => fixed(JSON.stringify(value), value);

const changed = (
  what: string,
  property: string | undefined,
  change: (object: JsonObject) => unknown,
): KeywordFault => ({
  what,
  ...(property === undefined ? {} : { property }),
  change: (value) => change(isObject(value) ? value : {}),
});

const limit =
  (constraint: Constraint): Maker =>
  (schema) =>
    numbersOutside(schema).flatMap((each) =>
      each.constraint === constraint ? [fixed(String(each.value), each.value)] : [],
    );

export const KEYWORD_FAULTS: Record<Constraint, Maker> = {
  type: (schema, supply) =>
    valuesOfOtherTypes(schema).map((value) =>
      fixed(
        `${jsonType(value)} ${JSON.stringify(value)}`,
        schema["x-unique"] ? madeUnique(value, supply) : value,
      ),
    ),
  null: (schema) => (allowsNull(schema) ? [] : [fixed("null", null)]),
  enum: (schema, supply) => {
    if (!schema.enum) return [];
    const formed = unlistedOfFormat(schema, supply);
    return [...formed, ...unlistedValues(schema).slice(0, formed.length > 0 ? 1 : undefined)].map(shown);
  },
  const: ({ const: only }) => (only === undefined ? [] : otherThan(only).map(shown)),
  oneOf: (schema, supply) => ofNoBranch(schema, "oneOf", supply),
  anyOf: (schema, supply) => ofNoBranch(schema, "anyOf", supply),
  not: ({ not }, supply) => {
    const forbidden = not && validValue(not, supply);
    return forbidden === undefined ? [] : [shown(forbidden)];
  },
  pattern: (schema, supply) => {
    if (schema.pattern === undefined) return [];
    const broken = textsOutside(schema);
    const sent = schema["x-unique"] ? (ownTextOutside(schema, supply) ?? broken) : broken;
    return sent === undefined ? [] : [fixed(JSON.stringify(broken ?? sent), sent)];
  },
  format: ({ format, ...schema }, supply) =>
    (format ? formatViolations(format, supply.schemas) : []).map((value) =>
      fixed(JSON.stringify(value), schema["x-unique"] ? `${value} ${supply.unique()}` : value),
    ),
  maxLength: (schema, supply) => {
    const { maxLength } = schema;
    return maxLength === undefined ? [] : texts(schema, supply, maxLength + 1, maxLength * 4);
  },
  minLength: (schema, supply) => (schema.minLength ? texts(schema, supply, schema.minLength - 1) : []),
  minimum: limit("minimum"),
  maximum: limit("maximum"),
  exclusiveMinimum: limit("exclusiveMinimum"),
  exclusiveMaximum: limit("exclusiveMaximum"),
  multipleOf: limit("multipleOf"),
  maxItems: (schema, supply) => {
    const { maxItems } = schema;
    if (maxItems === undefined) return [];
    const tooMany = arrayOfLength(schema, maxItems + 1, supply);
    const most = arrayOfLength(schema, maxItems, supply);
    // If only few values exist, a list of too many repeats some, and so breaks another rule.
    if (!tooMany || !most || (schema.uniqueItems && distinct(tooMany).length < tooMany.length)) return [];
    return [{ ...fixed(`${maxItems + 1} elements`, tooMany), near: most }];
  },
  minItems: (schema, supply) => {
    const { minItems = 0 } = schema;
    const tooFew = minItems > 0 ? (arrayOfLength(schema, minItems - 1, supply) ?? []) : undefined;
    return tooFew?.length === minItems - 1 ? [fixed(`${minItems - 1} elements`, tooFew)] : [];
  },
  uniqueItems: ({ uniqueItems, maxItems = 2, ...schema }, supply) => {
    const least = Math.max(schema.minItems ?? 0, 1);
    const [first] = uniqueItems && maxItems >= 2 ? (arrayOfLength(schema, least, supply) ?? []) : [];
    const twice = Array.from({ length: Math.max(least, 2) }, () => first);
    return first === undefined ? [] : [fixed("an element twice", twice)];
  },
  maxProperties: (schema, supply) => {
    const { maxProperties: most, additionalProperties: others } = schema;
    if (most === undefined || others === false) return [];
    return [
      changed(`${most + 1} properties`, undefined, (object) => {
        const own = Object.entries(object).filter(([name]) => schema.properties?.[name]);
        const free = Object.entries(mapOfSize(schema, most + 1, supply));
        return Object.fromEntries([...own, ...free].slice(0, most + 1));
      }),
    ];
  },
  minProperties: ({ minProperties: least = 0, required = [] }) =>
    least === 0 || required.length >= least
      ? []
      : [
          changed(least === 1 ? "no field at all" : `${least - 1} properties`, undefined, (object) => {
            const isDue = ([name]: [string, unknown]) => required.includes(name);
            const entries = Object.entries(object);
            const dueFirst = [...entries.filter(isDue), ...entries.filter((entry) => !isDue(entry))];
            return Object.fromEntries(dueFirst.slice(0, least - 1));
          }),
        ],
  required: ({ required = [] }) =>
    required.map((name) => changed("left out", name, (object) => without(object, name))),
  dependentRequired: ({ dependentRequired = {}, required = [] }) =>
    Object.entries(dependentRequired).flatMap(([name, others]) =>
      others
        .filter((other) => !required.includes(other))
        .map((other) => changed(`left out beside ${name}`, other, (object) => without(object, other))),
    ),
  additionalProperties: ({ additionalProperties }) =>
    additionalProperties === false
      ? [changed("a field that is not documented", UNKNOWN, (object) => ({ ...object, [UNKNOWN]: "value" }))]
      : [],
  propertyNames: (schema, supply) => {
    const { propertyNames: form, additionalProperties: others } = schema;
    if (!form) return [];
    const values = validValue(isObject(others) ? others : { type: "string" }, supply);
    return wrongNames(form, supply).map((name) =>
      changed(`a property ${JSON.stringify(name)}`, name, (object) => {
        // Replaces one property, so that their number stays the same.
        const [, ...rest] = Object.entries(object);
        return Object.fromEntries([...rest, [name, values]]);
      }),
    );
  },
};

const UNKNOWN = "conformanceUnknown";

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = object;
  return others;
}

function texts(schema: Schema, supply: Supply, ...lengths: number[]): KeywordFault[] {
  return lengths.flatMap((length) => {
    const text = textOfLength(schema, length, supply);
    return text === undefined ? [] : [fixed(`${length} characters`, text)];
  });
}

function wrongNames(form: Schema, supply: Supply): string[] {
  const text: Schema = { type: "string", ...form };
  const made = (["pattern", "enum", "format", "maxLength"] as const).flatMap((constraint) =>
    KEYWORD_FAULTS[constraint](text, supply).slice(0, 1),
  );
  return made.map(({ change }) => change(undefined)).filter((name) => typeof name === "string");
}

/** Values that fit no branch: unknown members, missing constant properties, other types. */
function ofNoBranch(schema: Schema, choice: "oneOf" | "anyOf", supply: Supply): KeywordFault[] {
  if (!schema[choice]) return [];
  const types = typesOf(schema);
  const unlike = (value: unknown) => {
    const [fault, ...others] = supply.schemas.validate(schema, value);
    const isBroken = fault?.keyword === choice && fault.pointer === "" && others.length === 0;
    return isBroken && (types.length === 0 || types.includes(jsonType(value)));
  };
  const [first, ...others] = formsOf(schema, supply).map((_, index) => unmarked(schema, index, supply));
  const objects = [
    { [UNKNOWN]: "value" },
    ...(first ?? []),
    ...others.flatMap((values) => values.slice(0, 1)),
  ];
  const found = distinct([...objects, "text", []]).filter(unlike);
  const sent = found.length > 0 ? found : [7.5, true].filter(unlike).slice(0, 1);
  return sent.map((value) => fixed(`none of what it can be: ${JSON.stringify(value)}`, value));
}

function unmarked(schema: Schema, index: number, supply: Supply): JsonObject[] {
  const valid = validValue(schema, supply, index);
  const { properties = {} } = supply.schemas.chosen(schema, index);
  const marks = Object.entries(properties).flatMap(([name, child]): [string, unknown][] => {
    const only = supply.schemas.flatten(child).const;
    return only === undefined ? [] : otherThan(only).map((other) => [name, other]);
  });
  if (!isObject(valid) || marks.length === 0) return [];
  const others = Object.fromEntries(marks);
  const rest = Object.fromEntries(Object.entries(valid).filter(([name]) => !(name in others)));
  return [rest, { ...valid, ...others }];
}

/** A repeated unique value may be rejected for that alone, so the text is new. */
function ownTextOutside(schema: Schema, supply: Supply): string | undefined {
  const { pattern = "", minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const mark = supply.unique();
  const text = mark.slice(-Math.min(maxLength, mark.length)).padEnd(minLength, "-");
  return patternOf(pattern).test(text) ? undefined : text;
}

function unlistedOfFormat({ enum: options = [], ...rest }: Schema, supply: Supply): unknown[] {
  if (rest.format === undefined) return [];
  const made = [0, 1, 2].map((variation) => validValue(rest, supply, variation));
  return made.filter((value) => value !== undefined && !options.includes(value)).slice(0, 1);
}
