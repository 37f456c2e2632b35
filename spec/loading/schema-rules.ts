/** Refuses keywords, types and limits that no check would test. */

import { formatNames } from "../formats.ts";
import { isObject, type JsonObject, jsonType } from "../json.ts";
import { didYouMean } from "../nearest.ts";
import { Mistakes, type YamlSource } from "./source.ts";

type Path = readonly (string | number)[];

const TYPES = ["string", "integer", "number", "boolean", "array", "object", "null"];

const countUpTo = (most: number): [is: (value: unknown) => boolean, what: string] => [
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most,
  `a count of at most ${most}, as larger ones can't be tried`,
];
const TEXT_LENGTH = countUpTo(100_000);
const LIST_SIZE = countUpTo(10_000);
const isNumber = (value: unknown) => typeof value === "number";
const isText = (value: unknown) => typeof value === "string";
const isBoolean = (value: unknown) => typeof value === "boolean";
const isList = (value: unknown) => Array.isArray(value);
const areNames = (value: unknown) => Array.isArray(value) && value.every(isText);

const VALUE_CHECKS: Record<string, [is: (value: unknown) => boolean, what: string]> = {
  minLength: TEXT_LENGTH,
  maxLength: TEXT_LENGTH,
  minItems: LIST_SIZE,
  maxItems: LIST_SIZE,
  minProperties: LIST_SIZE,
  maxProperties: LIST_SIZE,
  minimum: [isNumber, "a number"],
  maximum: [isNumber, "a number"],
  exclusiveMinimum: [isNumber, "a number"],
  exclusiveMaximum: [isNumber, "a number"],
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, "a number above 0"],
  uniqueItems: [isBoolean, "true or false"],
  pattern: [isText, "a text"],
  format: [isText, "a text"],
  required: [areNames, "a list of names"],
  enum: [(value) => Array.isArray(value) && value.length > 0, "a list of values"],
  examples: [isList, "a list of values"],
  properties: [isObject, "an object of schemas"],
  allOf: [isList, "a list of schemas"],
  oneOf: [isList, "a list of schemas"],
  anyOf: [isList, "a list of schemas"],
  description: [isText, "a text"],
  title: [isText, "a text"],
};

const WITH_ONE_SCHEMA = [
  "items",
  "not",
  "propertyNames",
  "additionalProperties",
  "contains",
  "if",
  "then",
  "else",
];
const WITH_SCHEMA_LISTS = ["allOf", "oneOf", "anyOf", "prefixItems"];
const WITH_SCHEMA_MAPS = ["properties", "patternProperties", "dependentSchemas"];

const KEYWORDS = [
  ...Object.keys(VALUE_CHECKS),
  ...WITH_ONE_SCHEMA,
  ...WITH_SCHEMA_LISTS,
  ...WITH_SCHEMA_MAPS,
  ..."$ref $comment type const default example deprecated readOnly writeOnly dependentRequired".split(" "),
  ..."minContains maxContains unevaluatedItems unevaluatedProperties".split(" "),
  ..."contentEncoding contentMediaType contentSchema discriminator xml externalDocs".split(" "),
];

const INSTEAD: Record<string, string> = {
  nullable: 'is of OpenAPI 3.0; 3.1 says type: [string, "null"]',
  readOnly: "can't be told apart in bodies and answers; give each a schema of its own",
  writeOnly: "can't be told apart in bodies and answers; give each a schema of its own",
};

const LIMIT_PAIRS = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minimum", "maximum"],
] as const;

/**
 * Checks a schema and those within it.
 * @throws SpecError for keywords that the suite does not understand
 */
export function checkSchema(source: YamlSource, schema: unknown, path: Path): void {
  const mistakes = new Mistakes();
  const below = (child: unknown, ...steps: Path) =>
    mistakes.in(() => checkSchema(source, child, [...path, ...steps]));
  if (!isObject(schema)) throw source.error(path, `a schema is an object, not ${jsonType(schema)}`);
  for (const [key, value] of Object.entries(schema))
    mistakes.in(() => checkKeyword(source, key, value, [...path, key]));
  mistakes.in(() => checkValues(source, schema, path));
  for (const key of [...WITH_ONE_SCHEMA, "x-send"]) {
    const child = schema[key];
    if (child !== undefined && typeof child !== "boolean") below(child, key);
  }
  for (const key of WITH_SCHEMA_LISTS) {
    const children = schema[key];
    if (Array.isArray(children)) for (const [index, child] of children.entries()) below(child, key, index);
  }
  for (const key of WITH_SCHEMA_MAPS) {
    const children = schema[key];
    if (isObject(children)) for (const [name, child] of Object.entries(children)) below(child, key, name);
  }
  mistakes.throwAll();
}

/**
 * Checks that the suite supports the keyword and its value.
 * @throws SpecError with its line.
 */
function checkKeyword(source: YamlSource, key: string, value: unknown, at: Path): void {
  if (key.startsWith("x-")) return;
  const instead = INSTEAD[key];
  if (instead !== undefined && value !== false) throw source.error(at, `${key} ${instead}`);
  if (instead === undefined && !KEYWORDS.includes(key))
    throw source.error(at, `a schema has no keyword ${key}${didYouMean(key, KEYWORDS)}`);
  const [is, what] = VALUE_CHECKS[key] ?? [];
  if (is && !is(value)) throw source.error(at, `${key} is ${what}, not ${JSON.stringify(value)}`);
  if (key === "$ref" && !String(value).startsWith("#/components/schemas/"))
    throw source.error(at, "a schema can only refer to #/components/schemas/NAME");
}

/**
 * Checks the types, the pattern and the format of the schema.
 * @throws SpecError with its line.
 */
function checkValues(source: YamlSource, schema: JsonObject, path: Path): void {
  const { type, pattern, format } = schema;
  const types = [type ?? []].flat() as string[];
  const unknown = types.find((each) => !TYPES.includes(each));
  if (unknown !== undefined || (type !== undefined && types.length === 0)) {
    const word = String(unknown ?? "");
    throw source.error([...path, "type"], `there is no type ${word}${didYouMean(word, TYPES)}`);
  }
  if (typeof pattern === "string") {
    try {
      new RegExp(pattern, "u");
    } catch (error) {
      throw source.error([...path, "pattern"], error instanceof Error ? error.message : String(error));
    }
  }
  if (typeof format === "string" && !formatNames().includes(format))
    throw source.error(
      [...path, "format"],
      `there is no format ${format}${didYouMean(format, formatNames())}`,
    );
  for (const [least, most] of LIMIT_PAIRS) {
    if (Number(schema[least]) > Number(schema[most]))
      throw source.error([...path, least], `${least} ${schema[least]} is above ${most} ${schema[most]}`);
  }
  const listed: unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const only = schema.const === undefined ? [] : [schema.const];
  for (const [key, values] of [
    ["enum", listed],
    ["const", only],
  ] as const) {
    const misfit = values.find((value) => types.length > 0 && !isOfType(value, types));
    if (misfit !== undefined)
      throw source.error([...path, key], `${JSON.stringify(misfit)} is not of type ${types.join(" or ")}`);
  }
}

function isOfType(value: unknown, types: unknown[]): boolean {
  const own = jsonType(value);
  return types.includes(own) || (own === "integer" && types.includes("number"));
}
