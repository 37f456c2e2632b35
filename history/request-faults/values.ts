import type { JsonObject } from "../../spec/json.ts";
import { isOpen } from "../../spec/levels.ts";
import type { Schema, Spec } from "../../spec/model/spec.ts";
import type { Keyword } from "../../spec/schema/keywords.ts";
import type { Shape } from "../../spec/schema/shape.ts";
import { memberSchema } from "../../spec/schema.ts";
import { schemaOfValue } from "../values/value-schemas.ts";
import type { Classifying } from "./classifying.ts";
import type { Known } from "./known.ts";
import type { SentWithBody } from "./sent-request.ts";

/** Notes unknown fields as doubts, because services may ignore or reject them. */
export function classifyObject(
  { spec, findings }: Classifying<SentWithBody>,
  { schemas, names }: Pick<Shape, "schemas" | "names">,
  value: JsonObject,
  place: string,
): void {
  const isClosed = schemas.some(
    ({ additionalProperties: others }) => others !== undefined && others !== true,
  );
  const others = names && !isClosed ? Object.keys(value).filter((name) => !names.has(name)) : [];
  const documented = others.length > 0 ? schemas.map((schema) => withBranches(spec, schema, value)) : [];
  for (const name of others)
    if (!documented.some((schema) => memberSchema(schema, name) !== undefined))
      findings.doubt(`${place}/${name}`, "unknownBodyFields");
  for (const [name, field] of schemas.flatMap(({ properties }) => Object.entries(properties ?? {}))) {
    if (Object.hasOwn(value, name)) continue;
    // If a service may reject null, it may also reject a missing field.
    const ofNull = spec.schemas.ownRequirement(spec.schemas.resolve(field), "null");
    if (isOpen(spec, ofNull)) findings.doubt(`${place}/${name}`, "brokenField");
  }
}

/** Returns the schema with the branch that the value fits, or with all branches if it fits none. */
function withBranches({ schemas }: Spec, schema: Schema, value: JsonObject): Schema {
  if (!schema.oneOf && !schema.anyOf) return schema;
  return schemas.validate(schema, value).length > 0
    ? { properties: schemas.properties(schema) }
    : schemaOfValue(schemas, schema, value);
}

/** Notes that a unique value is taken, or that services may reject the value. */
export function classifyValue(
  classifying: Classifying<SentWithBody>,
  schema: Schema,
  value: unknown,
  pointer: string,
): void {
  const { spec, sent, known, findings } = classifying;
  if (value === null) return;
  if (schema["x-unique"]?.scope === "space") classifyUnique(classifying, value, pointer);
  // A request with a fault must be rejected in any case.
  if (!findings.hasFault && known.isListedInOtherSpace(sent, schema["x-values-from"]))
    findings.doubt(`body${pointer}`, null);
  const doubt = openValue(spec, schema, value, known) ?? openText(schema, value);
  if (doubt) findings.doubt(`body${pointer}`, doubt.behaviour, doubt.mustShow);
}

/** Notes a fault if another resource already has the value of a unique field. */
function classifyUnique(
  { sent, known, findings }: Classifying<SentWithBody>,
  value: unknown,
  pointer: string,
): void {
  findings.unlessGood(known.uniqueValue(sent, pointer, value), {
    requirement: "UNIQUE-REJECTED",
    cause: "duplicate-value",
    place: `body${pointer}`,
    constraint: "taken",
  });
}

interface Open {
  behaviour: "unheardOfValues" | "awkwardValues" | "emptyTexts" | "countsCharactersAs";
  mustShow: boolean;
}

/** Returns why services may accept or reject the value, or `undefined` if they must accept it. */
function openValue({ schemas }: Spec, schema: Schema, value: unknown, known: Known): Open | undefined {
  const { "x-send": narrow, "x-open": isOpen, "x-values-from": from } = schema;
  const values = Array.isArray(value) ? value : [value];
  if (from && values.every((value) => known.serviceValue(from.fixture, value) === "good")) return undefined;
  if (isOpen && (!narrow || schemas.validate(narrow, value).length > 0))
    return { behaviour: "unheardOfValues", mustShow: false };
  if (narrow && schemas.validate(narrow, value).length > 0)
    return { behaviour: "awkwardValues", mustShow: true };
  return undefined;
}

/** Doubts empty and blank texts, control characters, and lengths in bytes or UTF-16 units. */
function openText(schema: Schema, value: unknown): Open | undefined {
  if (typeof value !== "string" || schema.enum || schema.const !== undefined) return undefined;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (value === "" && minLength === 0) return { behaviour: "emptyTexts", mustShow: false };
  if (/\p{Cc}|\p{Cs}/u.test(value) || value.trim() === "")
    return { behaviour: "awkwardValues", mustShow: true };
  return lengthsOf(value).some((count) => count > maxLength)
    ? { behaviour: "countsCharactersAs", mustShow: true }
    : undefined;
}

/** True if the text has an allowed length in bytes, UTF-16 units or visible characters, though not in code points. */
export function isCountedOtherwise(schema: Schema, keyword: Keyword, text: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const visible = [...SEGMENTER.segment(text)].length;
  const lengths = [...lengthsOf(text), visible];
  if (keyword === "minLength") return lengths.some((length) => length >= minLength);
  return keyword === "maxLength" && lengths.some((length) => length <= maxLength);
}

const SEGMENTER = new Intl.Segmenter();

/** Returns the length in UTF-16 units, code points and bytes. */
function lengthsOf(text: string): number[] {
  return [text.length, [...text].length, Buffer.byteLength(text)];
}
