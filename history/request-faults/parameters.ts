/** Finds faults in headers, query parameters and ids of the path (sections 4, 5 and 9). */

import { isOpen } from "../../spec/levels.ts";
import type { Parameter, Spec } from "../../spec/model/spec.ts";
import { pathParametersOf } from "../../spec/operations.ts";
import { type Keyword, mostTelling } from "../../spec/schema/keywords.ts";
import { parameterFaults } from "../../spec/schema/parameter-value.ts";
import { typesOf } from "../../spec/schema.ts";
import type { RequestFault } from "../classification.ts";
import { header } from "../entry.ts";
import type { Classifying } from "./findings.ts";

/** The fault of a request that lacks a required parameter. */
const MISSING_PARAMETER = { requirement: "PARAMETER-REQUIRED", cause: "invalid-parameter" } as const;

/** Finds faults of space, version, key and other headers. */
export function classifyHeaders(classifying: Classifying): void {
  const { request, operation } = classifying.sent;
  const { space, version, idempotencyKey, parameters } = operation;
  if (space) classifySpace(classifying, space);
  if (version) classifyVersion(classifying, version);
  if (idempotencyKey) classifyKey(classifying, idempotencyKey);
  for (const parameter of parameters) {
    if (parameter.in !== "header" || parameter.role !== "other") continue;
    const value = header(request.headers, parameter.name);
    if (value === undefined) noteMissing(classifying, parameter, MISSING_PARAMETER);
    else classifyText(classifying, parameter, value);
  }
}

function classifySpace(classifying: Classifying, space: Parameter): void {
  const { sent, known, findings } = classifying;
  if (!sent.space) {
    noteMissing(classifying, space, { requirement: "SPACE-MISSING", cause: "missing-space" });
    return;
  }
  const requirementOf = (broken: Keyword) => (broken === "maxLength" ? "SPACE-LENGTH" : "SPACE-PATTERN");
  if (noteBroken(classifying, space, sent.space, "invalid-space", requirementOf)) return;
  findings.unlessGood(known.space(sent), {
    requirement: "SPACE-UNKNOWN",
    cause: "unknown-space",
    place: placeOf(space),
    constraint: "unknown",
  });
}

function classifyVersion(classifying: Classifying, parameter: Parameter): void {
  const { spec, sent, findings } = classifying;
  const { version } = sent;
  const place = placeOf(parameter);
  if (version === null) noteMissing(classifying, parameter, MISSING_PARAMETER);
  else if (version === "") findings.doubt(place, "emptyVersion");
  else if (brokenKeyword(spec, parameter, version))
    findings.fault({ requirement: "VERSION-UNKNOWN", cause: "unknown-version", place, constraint: "enum" });
}

function classifyKey(classifying: Classifying, parameter: Parameter): void {
  const { sent, known, findings } = classifying;
  const value = header(sent.request.headers, parameter.name);
  if (!value) {
    const requirement = value === undefined ? "KEY-MISSING" : "KEY-EMPTY";
    noteMissing(classifying, parameter, { requirement, cause: "missing-idempotency-key" });
    return;
  }
  const requirementOf = (broken: Keyword) =>
    parameter.requirements[broken] ?? (broken === "maxLength" ? "KEY-TOO-LONG" : "PARAMETER-INVALID");
  if (noteBroken(classifying, parameter, value, "invalid-idempotency-key", requirementOf)) return;
  findings.unlessGood(known.key(sent, value), {
    requirement: "KEY-OTHER-BODY",
    cause: "idempotency-conflict",
    place: placeOf(parameter),
    constraint: "used-with-another-body",
  });
}

/** Notes that a required header is missing. Recorded traffic may lack headers that were sent. */
function noteMissing(
  { sent, findings }: Classifying,
  parameter: Parameter,
  fault: Pick<RequestFault, "requirement" | "cause">,
): void {
  if (!parameter.required) return;
  const place = placeOf(parameter);
  const isUnrecorded = sent.request.isPartial && header(sent.request.headers, parameter.name) === undefined;
  if (isUnrecorded) findings.doubt(place, null);
  else findings.fault({ ...fault, place, constraint: "required" });
}

/** Finds faulty, repeated and undocumented parameters, and cursors that were never issued. */
export function classifyQuery(classifying: Classifying): void {
  const { sent, findings } = classifying;
  const { operation, request } = sent;
  const documented = operation.parameters.filter((parameter) => parameter.in === "query");
  for (const [name] of request.query)
    if (!documented.some((parameter) => parameter.name === name)) findings.doubt(`query/${name}`, null);
  for (const parameter of documented) {
    const place = placeOf(parameter);
    const texts = request.query.filter(([name]) => name === parameter.name).map(([, text]) => text);
    const [text] = texts;
    if (text === undefined) {
      if (parameter.required) findings.fault({ ...MISSING_PARAMETER, place, constraint: "required" });
    } else if (texts.length > 1) findings.doubt(place, "repeatedParameters");
    else classifyText(classifying, parameter, text);
  }
}

function classifyText(classifying: Classifying, parameter: Parameter, text: string): void {
  const { spec, sent, known, findings } = classifying;
  const place = placeOf(parameter);
  const cause = parameter.cursor === undefined ? "invalid-parameter" : "invalid-cursor";
  // A service may treat an empty parameter as missing.
  if (text === "" && !parameter.required) findings.doubt(place, "emptyParameters");
  else if (parameter.in === "query" && isUnusualNumber(spec, parameter, text))
    findings.doubt(place, "unusualNumbers");
  else if (noteBroken(classifying, parameter, text, cause, (broken) => requirementOf(parameter, broken)))
    return;
  else if (parameter.cursor !== undefined)
    findings.unlessGood(known.cursor(sent, parameter, text), {
      requirement: "CURSOR-UNKNOWN",
      cause,
      place,
      constraint: "unknown",
    });
}

function requirementOf({ requirements, role, cursor }: Parameter, keyword: Keyword): string {
  const own = requirements[keyword];
  if (own) return own;
  if (role === "page-size") return "LIST-LIMIT-REJECTED";
  if (cursor !== undefined) return "CURSOR-TOO-LONG";
  return role === "filter" && keyword === "enum" ? "FILTER-ENUM" : "PARAMETER-INVALID";
}

function isUnusualNumber({ schemas }: Spec, { schema }: Parameter, text: string): boolean {
  const types = typesOf(schemas.flatten(schema));
  if (!types.includes("integer") && !types.includes("number")) return false;
  const trimmed = text.trim();
  return (
    trimmed !== "" &&
    Number.isFinite(Number(trimmed)) &&
    String(Number(trimmed)) !== text &&
    !/^-?\d{16,}$/.test(text)
  );
}

/** Finds ids that name nothing, up to the first one. */
export function classifyPath(classifying: Classifying): void {
  const { operation, path } = classifying.sent;
  for (const parameter of pathParametersOf(operation)) {
    const value = path[parameter.name];
    if (value !== undefined && isUnknownId(classifying, parameter, value)) return;
  }
}

/** True if no resource has the id. Also records the fault or doubt. */
function isUnknownId(classifying: Classifying, parameter: Parameter, value: string): boolean {
  const { sent, known, findings } = classifying;
  const requirement = unknownIdRequirement(classifying, parameter, value);
  const cause = "unknown-id";
  const requirementOf = (broken: Keyword) => parameter.requirements[broken] ?? requirement;
  if (noteBroken(classifying, parameter, value, cause, requirementOf)) return true;
  const validity = known.id(sent, parameter, value);
  findings.unlessGood(validity, { requirement, cause, place: placeOf(parameter), constraint: "unknown" });
  return validity === "wrong";
}

/** Returns the requirement that an accepted unknown id breaks. Some databases ignore spaces at its end. */
function unknownIdRequirement(
  { spec, sent, known }: Classifying,
  parameter: Parameter,
  value: string,
): string {
  if (sent.operation.kind === "update") return "UPDATE-UNKNOWN";
  const shorter = value.trimEnd();
  const isPadded =
    shorter !== value &&
    !brokenKeyword(spec, parameter, shorter) &&
    known.id(sent, parameter, shorter) === "good";
  return isPadded ? "READ-UNKNOWN-BLANKS" : "READ-UNKNOWN";
}

/** True if the text breaks a constraint of the parameter. Also records the fault. */
function noteBroken(
  { spec, findings }: Classifying,
  parameter: Parameter,
  text: string,
  cause: RequestFault["cause"],
  requirementOf: (broken: Keyword) => string,
): boolean {
  const constraint = brokenKeyword(spec, parameter, text);
  if (!constraint) return false;
  findings.fault({ requirement: requirementOf(constraint), cause, place: placeOf(parameter), constraint });
  return true;
}

/** Returns a broken keyword, if possible not one of a NOTE. */
function brokenKeyword(
  { schemas, requirements }: Spec,
  parameter: Parameter,
  text: string,
): Keyword | undefined {
  const isRequired = (keyword: Keyword) => !isOpen({ requirements }, parameter.requirements[keyword]);
  const broken = parameterFaults(schemas, parameter.schema, text).map(({ keyword }) => keyword);
  return mostTelling(broken.filter(isRequired)) ?? mostTelling(broken);
}

function placeOf({ in: place, name }: Parameter): string {
  return `${place}/${place === "header" ? name.toLowerCase() : name}`;
}
