import type { Parameter, Spec } from "../../spec/model/spec.ts";
import type { Keyword } from "../../spec/schema/keywords.ts";
import { typesOf } from "../../spec/schema.ts";
import type { Classifying } from "./classifying.ts";
import { MISSING_PARAMETER } from "./findings.ts";
import { brokenKeyword } from "./parameter.ts";

/** Finds faulty, repeated and undocumented parameters, and cursors that were never issued. */
export function classifyQuery(classifying: Classifying): void {
  const { sent, findings } = classifying;
  const { operation, request } = sent;
  const documented = operation.parameters.filter((parameter) => parameter.in === "query");
  for (const [name] of request.query)
    if (!documented.some((parameter) => parameter.name === name)) findings.doubt(`query/${name}`, null);
  for (const parameter of documented) {
    const place = `query/${parameter.name}`;
    const texts = request.query.filter(([name]) => name === parameter.name).map(([, text]) => text);
    const [text] = texts;
    if (text === undefined) {
      if (parameter.required) findings.fault({ ...MISSING_PARAMETER, place, constraint: "required" });
    } else if (texts.length > 1) findings.doubt(place, "repeatedParameters");
    else classifyText(classifying, parameter, text);
  }
}

/** Notes the fault or doubt of one query parameter. */
function classifyText(classifying: Classifying, parameter: Parameter, text: string): void {
  const { spec, findings } = classifying;
  const place = `query/${parameter.name}`;
  const isCursor = parameter.cursor !== undefined;
  const broken = brokenKeyword(spec, parameter, text);
  // A service may treat an empty parameter as missing.
  if (text === "" && !parameter.required) findings.doubt(place, "emptyParameters");
  else if (isUnusualNumber(spec, parameter, text)) findings.doubt(place, "unusualNumbers");
  else if (broken) {
    const cause = isCursor ? "invalid-cursor" : "invalid-parameter";
    findings.fault({ requirement: requirementOf(parameter, broken), cause, place, constraint: broken });
  } else if (isCursor) classifyCursor(classifying, parameter, text);
}

/** Notes whether the cursor is one that the service gave out for this list. */
function classifyCursor({ sent, known, findings }: Classifying, parameter: Parameter, text: string): void {
  findings.unlessGood(known.cursor(sent, parameter, text), {
    requirement: "CURSOR-UNKNOWN",
    cause: "invalid-cursor",
    place: `query/${parameter.name}`,
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
