/** Refuses parts of an edition by its JSON Schema, in whose words the mistakes are. */

import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "../edition.schema.json" with { type: "json" };
import { createAjv } from "../formats.ts";
import { appendPointer, isObject, type JsonObject, jsonType, pointerTokens } from "../json.ts";
import { keptIn } from "../memoized.ts";
import { didYouMean } from "../nearest.ts";
import type { SpecError, YamlSource } from "./source.ts";

type Part = "document" | "schema" | "requirement";
type PlaceOf = (path: string) => string;

const validators = new Map<Part, ValidateFunction>();

/** Returns the mistakes in this part of the edition. `placeOf` returns the place in the file, as a JSON pointer. */
export function refusals(source: YamlSource, part: Part, value: unknown, placeOf: PlaceOf): SpecError[] {
  const validate = keptIn(validators, part, () =>
    createAjv()
      .addSchema(schema)
      .compile({ $ref: `${schema.$id}#/$defs/${part}` }),
  );
  validate(value);
  const id = isObject(value) ? String(value.id) : "";
  return telling(validate.errors ?? []).map((error) => refusalOf(source, error, placeOf, id));
}

/** Leaves out errors that follow from others: a part that is missing beside an unknown one is probably misspelt. */
function telling(errors: readonly ErrorObject[]): ErrorObject[] {
  const misspelt = errors.filter(({ keyword }) => keyword === "additionalProperties");
  return errors.filter(
    ({ keyword, instancePath }) =>
      keyword !== "if" &&
      (keyword !== "required" || !misspelt.some((error) => error.instancePath === instancePath)),
  );
}

function refusalOf(source: YamlSource, error: ErrorObject, placeOf: PlaceOf, id: string): SpecError {
  const { instancePath, params, data } = error;
  const parent = error.parentSchema as JsonObject & { properties?: Record<string, JsonObject> };
  const { additionalProperty: unknown, missingProperty: missing, allowedValues = [] } = params;
  const place = placeOf(instancePath);
  const at = unknown === undefined ? place : appendPointer(place, unknown);
  const path = pointerTokens(at);
  const [first, name = "", method = ""] = pointerTokens(instancePath);
  const words: Record<string, string> = {
    key: path.at(-1) ?? "",
    operation: first === "paths" ? `${method.toUpperCase()} ${name}` : "this",
    type: jsonType(data),
    value: JSON.stringify(data),
    id,
  };
  const part = missing === undefined ? parent : parent.properties?.[missing];
  const near =
    unknown === undefined
      ? didYouMean(typeof data === "string" ? data : "", allowedValues)
      : didYouMean(unknown, Object.keys(parent.properties ?? {}));
  const says =
    unknown === undefined ? part?.["x-says"] : (parent["x-says-other"] ?? `${parent.title} has no {key}`);
  return source.error(
    path,
    `${says}${near}`.replace(/\{(\w+)\}/g, (text, word: string) => words[word] ?? text),
  );
}
