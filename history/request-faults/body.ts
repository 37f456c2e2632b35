/** Finds faults of bodies and of their fields (sections 4.2 to 4.15). */

import { isCountryCode, isCurrencyCode } from "../../spec/formats.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { isObject, type JsonObject, pointerTokens, valueAt } from "../../spec/json.ts";
import { isOpen } from "../../spec/levels.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { type Keyword, mostTelling } from "../../spec/schema/keywords.ts";
import { type Shape, shapesOf, walkShape } from "../../spec/schema/shape.ts";
import type { SchemaFault } from "../../spec/schema/validator.ts";
import { memberSchema } from "../../spec/schema.ts";
import { header } from "../entry.ts";
import { schemaOfValue } from "../values/value-schemas.ts";
import type { Classifying, Findings } from "./findings.ts";
import type { Known } from "./known.ts";
import { type SentRequest, type SentWithBody, sideOf } from "./sent-request.ts";

const PLACE = "body";
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;

/** Finds faults of the whole body, such as malformed JSON, and of its fields. */
export function classifyBody(classifying: Classifying<SentWithBody>): void {
  const { spec, sent, findings } = classifying;
  const { request, operation } = sent;
  if (!hasJsonType(sent, findings)) return;
  const { body } = request;
  if (body?.cut || body?.unreadable) {
    findings.doubt(PLACE, null);
    return;
  }
  const value = body?.json();
  const whole = (
    name: string,
    cause: "malformed-json" | "invalid-body",
    constraint: "json" | "type" | "null",
  ) => findings.fault({ requirement: `${sideOf(operation)}-${name}`, cause, place: PLACE, constraint });
  if (!body?.text) {
    // If no field is required, a service may accept an empty body.
    const isDue = spec.schemas.required(sent.body).length > 0;
    if (isDue) whole("MALFORMED", "malformed-json", "json");
    else findings.doubt(PLACE, null);
  } else if (value === undefined) whole("MALFORMED", "malformed-json", "json");
  else if (value === null) whole("NULL-BODY", "invalid-body", "null");
  else if (isObject(value)) classifyFields(classifying, value);
  else whole("NOT-OBJECT", "invalid-body", "type");
}

function hasJsonType(sent: SentRequest, findings: Findings): boolean {
  const place = "header/content-type";
  const { operation } = sent;
  const contentType = header(sent.request.headers, "content-type") ?? "";
  const [type = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (JSON_TYPE.test(type)) {
    if (parameters.length > 0) findings.feature("charset", `${sideOf(operation)}-CHARSET`);
    return true;
  }
  const rule = { "text/plain": "TEXT-PLAIN", "application/x-www-form-urlencoded": "FORM-DATA" }[type];
  const cause = "unsupported-media-type";
  if (rule)
    findings.fault({ requirement: `${sideOf(operation)}-${rule}`, cause, place, constraint: "content-type" });
  else findings.doubt(place, type === "" ? "missingContentType" : null);
  return type === "";
}

const RULES: Partial<Record<Keyword, string>> = {
  required: "REQUIRED",
  dependentRequired: "REQUIRED",
  type: "TYPE",
  minLength: "TOO-SHORT",
  maxLength: "TOO-LONG",
  minItems: "TOO-FEW",
  maxItems: "TOO-MANY",
  minProperties: "TOO-FEW",
  maxProperties: "TOO-MANY",
};

function classifyFields(classifying: Classifying<SentWithBody>, value: JsonObject): void {
  const { spec, sent, findings } = classifying;
  for (const fault of onePerPlace(spec, spec.schemas.validate(sent.body, value)))
    noteFault(classifying, value, fault);
  if (Object.keys(value).length === 0) {
    const own = spec.schemas.flatten(sent.body)["x-requirements"]?.empty;
    findings.feature("no-field", own ?? "UPDATE-EMPTY");
  }
  const shape = shapesOf(spec.schemas).of([sent.body]);
  if (!shape) return;
  walkShape(shape, value, ({ shape: own, value: part, pointer }) => {
    const place = `body${pointer}`;
    if (isObject(part)) classifyObject(classifying, own, part, place);
    if (pointer === "" || findings.isOpen(place)) return;
    for (const schema of own.schemas) classifyValue(classifying, schema, part, pointer);
  });
}

/** Returns one fault for each place, if possible one that a service must reject. */
function onePerPlace(spec: Spec, faults: readonly SchemaFault[]): SchemaFault[] {
  return [...groupedBy(faults, ({ pointer }) => pointer).values()].flatMap((all) => {
    const decided = all.filter(
      ({ schema, keyword }) => !isOpen(spec, spec.schemas.ownRequirement(schema, keyword)),
    );
    const telling = mostTelling((decided.length > 0 ? decided : all).map(({ keyword }) => keyword));
    return all.filter(({ keyword }) => keyword === telling).slice(0, 1);
  });
}

/** Notes the fault of a field, or a doubt if a service may read the value in another way. */
function noteFault(
  { spec, sent: { operation, body }, findings }: Classifying<SentWithBody>,
  value: JsonObject,
  fault: SchemaFault,
): void {
  const { pointer, keyword, schema } = fault;
  const place = `body${pointer}`;
  const text = valueAt(value, pointer);
  if (keyword === "format" && typeof text === "string" && isLowerCaseCode(schema, text))
    findings.doubt(place, "lowerCaseCodes");
  else if (typeof text === "string" && isLongEnoughInBytes(schema, keyword, text))
    findings.doubt(place, "countsCharactersAs", true);
  else {
    const requirement = requirementOf(spec, operation, body, fault);
    findings.fault({ requirement, cause: "invalid-body", place, constraint: keyword });
  }
}

/** Returns the requirement that a fault of the body breaks. */
export function requirementOf(
  spec: Spec,
  operation: Operation,
  body: Schema,
  { keyword, pointer, schema }: Pick<SchemaFault, "keyword" | "pointer" | "schema">,
): string {
  const property = pointerTokens(pointer).at(-1) ?? "";
  const parent = spec.schemas.at(body, pointer.slice(0, pointer.lastIndexOf("/")));
  const child = parent?.properties?.[property];
  const stated = keyword === "required" ? child : schema;
  const own = stated && spec.schemas.ownRequirement(stated, keyword);
  if (own) return own;
  const side = sideOf(operation);
  if (keyword !== "null") return `${side}-${RULES[keyword] ?? "INVALID"}`;
  // Null may stand for a missing field, but not for a missing element.
  if (child === undefined) return `${side}-TYPE`;
  return parent?.required?.includes(property) ? `${side}-NULL` : `${side}-NULL-OPTIONAL`;
}

/** True for codes in lower case (`usd`), which the specification does not mention. */
function isLowerCaseCode({ format }: Schema, text: string): boolean {
  const code = text.toUpperCase();
  if (text === code) return false;
  return format === "currency-code" ? isCurrencyCode(code) : format === "country-code" && isCountryCode(code);
}

/** Notes unknown fields as doubts, because services may ignore or reject them. */
function classifyObject(
  { spec, findings }: Classifying<SentWithBody>,
  { schemas, names }: Shape,
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

function classifyValue(
  classifying: Classifying<SentWithBody>,
  schema: Schema,
  value: unknown,
  pointer: string,
): void {
  const { spec, sent, known, findings } = classifying;
  if (value === null) return;
  const place = `body${pointer}`;
  if (schema["x-unique"]?.scope === "space")
    findings.unlessGood(known.uniqueValue(sent, pointer, value), {
      requirement: "UNIQUE-REJECTED",
      cause: "duplicate-value",
      place,
      constraint: "taken",
    });
  // A request with a fault must be rejected in any case.
  if (!findings.hasFault && known.isListedInOtherSpace(sent, schema["x-values-from"]))
    findings.doubt(place, null);
  const doubt = openValue(spec, schema, value, known) ?? openText(schema, value);
  if (doubt) findings.doubt(place, doubt.behaviour, doubt.mustShow);
}

interface Open {
  behaviour: "unheardOfValues" | "awkwardValues" | "emptyTexts" | "countsCharactersAs";
  mustShow: boolean;
}

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
  const counts = [value.length, [...value].length, Buffer.byteLength(value)];
  return counts.some((count) => count > maxLength)
    ? { behaviour: "countsCharactersAs", mustShow: true }
    : undefined;
}

/** True if the text is long enough in bytes, the unit that gives the largest number. */
function isLongEnoughInBytes({ minLength = 0 }: Schema, keyword: Keyword, text: string): boolean {
  return keyword === "minLength" && Buffer.byteLength(text) >= minLength;
}
