import { distinct, isObject, type JsonObject, jsonType, omit } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { preferredFirst } from "../spec/ordered.ts";
import type { Keyword } from "../spec/schema/keywords.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { conditionalNames, withoutConditional } from "./conditions.ts";
import { type FaultsOf, inObject, type KeywordFault, replacedBy } from "./keyword-fault.ts";
import { repeatedItems, tooFewItems, tooManyItems, withoutContained } from "./list-faults.ts";
import { ATTRIBUTE, namesOf } from "./map-names.ts";
import { freshNumber } from "./numbers.ts";
import { patternOf } from "./pattern-texts.ts";
import { textOfLength } from "./texts-of-length.ts";
import { formsOf, mapOfSize, type ValueSource, validValue } from "./values.ts";
import { formatNearMisses, formatViolations } from "./wrong-formats.ts";
import {
  madeUnique,
  numbersOutside,
  otherThan,
  textJustOutside,
  textOutside,
  textsAround,
  unlistedValues,
  valuesOfOtherTypes,
} from "./wrong-values.ts";

export type Constraint = Exclude<
  Keyword,
  "false schema" | "items" | "unevaluatedItems" | "unevaluatedProperties" | "expected" | "relations"
>;

const numbersBreaking =
  (constraint: Constraint): FaultsOf =>
  (schema) =>
    numbersOutside(schema).flatMap((each) =>
      each.constraint === constraint ? [replacedBy(each.value)] : [],
    );

export const KEYWORD_FAULTS: Record<Constraint, FaultsOf> = {
  type: (schema, source) =>
    valuesOfOtherTypes(schema).map((value) =>
      replacedBy(schema["x-unique"] ? madeUnique(value, source) : value),
    ),
  null: (schema) => (allowsNull(schema) ? [] : [replacedBy(null)]),
  enum: (schema, source) => {
    if (!schema.enum) return [];
    const formed = unlistedOfFormat(schema, source);
    return [...formed, ...unlistedValues(schema).slice(0, formed.length > 0 ? 1 : undefined)].map(replacedBy);
  },
  const: ({ const: only }) => (only === undefined ? [] : otherThan(only).map(replacedBy)),
  oneOf: (schema, source) => ofNoBranch(schema, "oneOf", source),
  anyOf: (schema, source) => ofNoBranch(schema, "anyOf", source),
  not: ({ not }, source) => {
    const forbidden = not && validValue(not, source);
    return forbidden === undefined ? [] : [replacedBy(forbidden)];
  },
  pattern: (schema, source) => {
    if (schema.pattern === undefined) return [];
    const isUnique = schema["x-unique"] !== undefined;
    const variation = isUnique ? freshNumber(source) : undefined;
    const broken = (isUnique ? ownTextOutside(schema, source) : undefined) ?? textOutside(schema);
    return [broken, textJustOutside(schema, variation), ...textsAround(schema, variation)]
      .filter((text) => text !== undefined)
      .map(replacedBy);
  },
  format: wrongFormats,
  maxLength: (schema, source) => {
    const { maxLength } = schema;
    return maxLength === undefined ? [] : textFaults(schema, source, maxLength + 1, maxLength * 4);
  },
  minLength: (schema, source) => (schema.minLength ? textFaults(schema, source, schema.minLength - 1) : []),
  minimum: numbersBreaking("minimum"),
  maximum: numbersBreaking("maximum"),
  exclusiveMinimum: numbersBreaking("exclusiveMinimum"),
  exclusiveMaximum: numbersBreaking("exclusiveMaximum"),
  multipleOf: numbersBreaking("multipleOf"),
  maxItems: tooManyItems,
  minItems: tooFewItems,
  uniqueItems: repeatedItems,
  contains: withoutContained,
  maxProperties: tooManyProperties,
  minProperties: ({ minProperties: least = 0, required = [] }) =>
    least === 0 || required.length >= least
      ? []
      : [
          inObject((object) => {
            const dueFirst = preferredFirst(Object.entries(object), ([name]) => required.includes(name));
            return Object.fromEntries(dueFirst.slice(0, least - 1));
          }),
        ],
  required: (schema, { schemas }) => [
    ...(schema.required ?? []).map((name) => inObject((object) => omit(object, [name]), name)),
    ...conditionalNames(schema, schemas).map((name) =>
      inObject((object) => withoutConditional(schema, object, name, schemas), name),
    ),
  ],
  dependentRequired: ({ dependentRequired = {}, required = [] }) =>
    Object.values(dependentRequired).flatMap((others) =>
      others
        .filter((other) => !required.includes(other))
        .map((other) => inObject((object) => omit(object, [other]), other)),
    ),
  additionalProperties: ({ additionalProperties }) =>
    additionalProperties === false
      ? [inObject((object) => ({ ...object, [UNKNOWN]: "value" }), UNKNOWN)]
      : [],
  propertyNames: wrongPropertyName,
};

const UNKNOWN = "conformanceUnknown";

/** Returns texts of a wrong format: first texts that are far from it, then near misses. */
function wrongFormats(schema: Schema, { schemas, unique }: ValueSource): KeywordFault[] {
  const { format, "x-unique": isUnique } = schema;
  if (format === undefined) return [];
  const { example, made } = formatNearMisses(schemas, format);
  const isFormed = (value: unknown) =>
    typeof value === "string" && schemas.validate({ format }, value).length === 0;
  return [
    ...formatViolations(schemas, format).map((text) => replacedBy(isUnique ? `${text} ${unique()}` : text)),
    ...made.map(
      (near): KeywordFault => ({
        // The valid value of a unique field is unique, and so is one made from it.
        change: (valid) => near(isFormed(valid) ? String(valid) : example),
        isNearMiss: true,
      }),
    ),
  ];
}

/** Returns an object with one property more than `maxProperties`, if the schema leaves their names open. */
function tooManyProperties(schema: Schema, source: ValueSource): KeywordFault[] {
  const { maxProperties: most, additionalProperties: others, patternProperties } = schema;
  if (most === undefined || (others === false && !patternProperties)) return [];
  return [
    inObject((object) => {
      const own = Object.entries(object).filter(([name]) => schema.properties?.[name]);
      const free = Object.entries(mapOfSize(schema, most + 1, source));
      return Object.fromEntries([...own, ...free].slice(0, most + 1));
    }),
  ];
}

/** Returns objects with a property whose name `propertyNames` does not allow. */
function wrongPropertyName(schema: Schema, source: ValueSource): KeywordFault[] {
  const { propertyNames: form, additionalProperties: others } = schema;
  if (!form) return [];
  const values = validValue(isObject(others) ? others : { type: "string" }, source);
  // The name is part of the fault's place, so it must be the same in each run.
  return wrongNames(form, { ...source, unique: () => ATTRIBUTE }).map((name) =>
    inObject((object) => {
      const [, ...rest] = Object.entries(object);
      return Object.fromEntries([...rest, [name, values]]);
    }, name),
  );
}

function textFaults(schema: Schema, source: ValueSource, ...lengths: number[]): KeywordFault[] {
  return lengths.flatMap((length) => {
    const text = textOfLength(schema, length, source);
    return text === undefined ? [] : [replacedBy(text)];
  });
}

/** Returns names that break one rule of the form, and then names that are near to a valid one. */
function wrongNames(form: Schema, source: ValueSource): string[] {
  const text: Schema = { type: "string", ...form };
  const made = (["pattern", "enum", "format", "maxLength", "minLength"] as const).flatMap((constraint) =>
    KEYWORD_FAULTS[constraint](text, source).slice(0, 1),
  );
  const far = made.map(({ change }) => change(undefined)).filter((name) => typeof name === "string");
  const [right = ""] = namesOf({ propertyNames: form }, 1, 0);
  const near = [right.toUpperCase(), `${right.slice(0, 1)}!${right.slice(2)}`, `${right}x`];
  const isWrong = (name: string) => source.schemas.validate(text, name).length > 0;
  return [...new Set([...far, ...near.filter(isWrong)])].filter((name) => name !== "");
}

/** Returns values that only `choice` rejects, because no branch accepts them. */
function ofNoBranch(schema: Schema, choice: "oneOf" | "anyOf", source: ValueSource): KeywordFault[] {
  if (!schema[choice]) return [];
  const types = typesOf(schema);
  const breaksOnlyChoice = (value: unknown) => {
    const [fault, ...others] = source.schemas.validate(schema, value);
    const isBroken = fault?.keyword === choice && fault.pointer === "" && others.length === 0;
    return isBroken && (types.length === 0 || types.includes(jsonType(value)));
  };
  const [first, ...others] = formsOf(schema, source).map((_, index) =>
    withWrongConstants(schema, index, source),
  );
  const objects = [
    { [UNKNOWN]: "value" },
    ...(first ?? []),
    ...others.flatMap((values) => values.slice(0, 1)),
  ];
  const found = distinct([...objects, "text", []]).filter(breaksOnlyChoice);
  const without = found.length > 0 ? undefined : withoutAlternatives(schema, choice, source);
  if (without && breaksOnlyChoice(without.change(validValue(schema, source)))) return [without];
  const sent = found.length > 0 ? found : [7.5, true].filter(breaksOnlyChoice).slice(0, 1);
  return sent.map(replacedBy);
}

/** Returns the fault of an object without the fields of any branch of the union (neither mail nor phone). */
function withoutAlternatives(
  schema: Schema,
  choice: "oneOf" | "anyOf",
  source: ValueSource,
): KeywordFault | undefined {
  const { required = [] } = schema;
  const named = (schema[choice] ?? []).flatMap((branch) => source.schemas.required(branch));
  const names = [...new Set(named)].filter((name) => !required.includes(name));
  if (names.length === 0) return undefined;
  return inObject((object) => omit(object, names));
}

/** Returns values of one form of the union in which one constant is wrong. */
function withWrongConstants(schema: Schema, index: number, source: ValueSource): JsonObject[] {
  const valid = validValue(schema, source, index);
  const { properties = {} } = source.schemas.chosen(schema, index);
  const constants = Object.entries(properties).flatMap(([name, child]): [string, unknown][] => {
    const only = source.schemas.flatten(child).const;
    return only === undefined ? [] : otherThan(only).map((other) => [name, other]);
  });
  if (!isObject(valid) || constants.length === 0) return [];
  const others = Object.fromEntries(constants);
  return [omit(valid, Object.keys(others)), { ...valid, ...others }];
}

/** Returns a unique text of the allowed length that breaks the pattern, or `undefined`. */
function ownTextOutside(schema: Schema, source: ValueSource): string | undefined {
  const { pattern = "", minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const unique = source.unique();
  const text = unique.slice(-Math.min(maxLength, unique.length)).padEnd(minLength, "-");
  return patternOf(pattern).test(text) ? undefined : text;
}

function unlistedOfFormat({ enum: options = [], ...rest }: Schema, source: ValueSource): unknown[] {
  if (rest.format === undefined) return [];
  const made = [0, 1, 2].map((variation) => validValue(rest, source, variation));
  return made.filter((value) => value !== undefined && !options.includes(value)).slice(0, 1);
}
