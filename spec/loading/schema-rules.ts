/** Refuses formats, patterns and limits that no check would test. */

import { formatNames } from "../formats.ts";
import { appendPointer, jsonType, pointerTokens } from "../json.ts";
import type { Schema } from "../model/schema.ts";
import { didYouMean } from "../nearest.ts";
import { typesOf } from "../schema.ts";
import type { SchemaIndex } from "../schema-index.ts";
import { Mistakes, type YamlSource } from "./source.ts";

const LIMIT_PAIRS = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minimum", "maximum"],
] as const;

/**
 * Checks the values of keywords in all schemas.
 * @throws SpecError with all mistakes
 */
export function checkSchemas(source: YamlSource, schemas: SchemaIndex): void {
  const mistakes = new Mistakes();
  for (const schema of schemas.all()) {
    const [fault] = faultsIn(schema);
    const place = schemas.pointerOf(schema) ?? "";
    mistakes.in(() => {
      if (fault) throw source.error(pointerTokens(appendPointer(place, fault[0])), fault[1]);
    });
  }
  mistakes.throwAll();
}

function faultsIn(schema: Schema): [keyword: string, message: string][] {
  const { pattern, format } = schema;
  const faults: [keyword: string, message: string][] = [];
  try {
    new RegExp(pattern ?? "", "u");
  } catch (error) {
    faults.push(["pattern", error instanceof Error ? error.message : String(error)]);
  }
  if (format !== undefined && !formatNames().includes(format))
    faults.push(["format", `there is no format ${format}${didYouMean(format, formatNames())}`]);
  for (const [least, most] of LIMIT_PAIRS) {
    if (Number(schema[least]) > Number(schema[most]))
      faults.push([least, `${least} ${schema[least]} is above ${most} ${schema[most]}`]);
  }
  const types: readonly string[] = typesOf(schema);
  const isOfType = (value: unknown) =>
    types.includes(jsonType(value)) || (jsonType(value) === "integer" && types.includes("number"));
  for (const [keyword, values] of [
    ["enum", schema.enum ?? []],
    ["const", schema.const === undefined ? [] : [schema.const]],
  ] as const) {
    const misfit = values.find((value) => types.length > 0 && !isOfType(value));
    if (misfit !== undefined)
      faults.push([keyword, `${JSON.stringify(misfit)} is not of type ${types.join(" or ")}`]);
  }
  return faults;
}
