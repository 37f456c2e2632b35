import { isCountryCode, isCurrencyCode } from "../../spec/formats.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { isObject, type JsonObject, pointerTokens, valueAt } from "../../spec/json.ts";
import { isOpen } from "../../spec/levels.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { type Keyword, mostTelling } from "../../spec/schema/keywords.ts";
import { shapesOf, walkShape } from "../../spec/schema/shape.ts";
import type { SchemaFault } from "../../spec/schema/validator.ts";
import type { Classifying } from "./classifying.ts";
import { type SentWithBody, sideOf } from "./sent-request.ts";
import { classifyObject, classifyValue, isCountedOtherwise } from "./values.ts";

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

/** Finds the faults of the fields, each with the requirement that it breaks. */
export function classifyFields(classifying: Classifying<SentWithBody>, value: JsonObject): void {
  const { spec, sent, findings } = classifying;
  for (const fault of onePerPlace(spec, spec.schemas.validate(sent.body, value)))
    noteFault(classifying, value, fault);
  if (Object.keys(value).length === 0) {
    const own = spec.schemas.flatten(sent.body)["x-requirements"]?.empty;
    findings.feature("no-field", own ?? "UPDATE-EMPTY");
  }
  const shape = shapesOf(spec.schemas).of([sent.body]);
  if (!shape) return;
  walkShape(shape, value, ({ shape: { schemas, names }, value: part, pointer }) => {
    const place = `body${pointer}`;
    if (isObject(part)) classifyObject(classifying, { schemas, names }, part, place);
    if (pointer === "" || findings.isOpen(place)) return;
    for (const schema of schemas) classifyValue(classifying, schema, part, pointer);
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
  else if (typeof text === "string" && isCountedOtherwise(schema, keyword, text))
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
