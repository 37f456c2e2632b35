import type { Parameter, Spec } from "../../spec/model/spec.ts";
import type { Keyword } from "../../spec/schema/keywords.ts";
import { typesOf } from "../../spec/schema.ts";
import type { Asked } from "./asked.ts";
import type { Findings } from "./findings.ts";
import type { Known } from "./known.ts";
import { brokenKeyword, featuresOf } from "./parameter.ts";

export function classifyQuery(spec: Spec, asked: Asked, known: Known, findings: Findings): void {
  const { operation, request } = asked;
  const documented = operation.parameters.filter((parameter) => parameter.in === "query");
  for (const [name] of request.query)
    if (!documented.some((parameter) => parameter.name === name)) findings.doubt(`query/${name}`, null);
  for (const parameter of documented) {
    const place = `query/${parameter.name}`;
    const texts = request.query.filter(([name]) => name === parameter.name).map(([, text]) => text);
    const [text] = texts;
    if (text === undefined) {
      if (parameter.required) findings.missingParameter(place);
    } else if (texts.length > 1) findings.doubt(place, "repeatedParameters");
    else classifyText(spec, asked, known, findings, parameter, text);
  }
}

function classifyText(
  spec: Spec,
  asked: Asked,
  known: Known,
  findings: Findings,
  parameter: Parameter,
  text: string,
): void {
  const place = `query/${parameter.name}`;
  const isCursor = parameter.cursor !== undefined;
  const broken = brokenKeyword(spec, parameter, text);
  // A service may treat an empty parameter as missing.
  if (text === "" && !parameter.required) findings.doubt(place, "emptyParameters");
  else if (isUnusualNumber(spec, parameter, text)) findings.doubt(place, "unusualNumbers");
  else if (broken) {
    const cause = isCursor ? "invalid-cursor" : "invalid-parameter";
    findings.fault({ requirement: requirementOf(parameter, broken), cause, place, constraint: broken });
  } else if (isCursor) classifyCursor(asked, known, findings, parameter, text);
  else {
    const accepted = parameter.role === "page-size" ? "LIST-LIMIT-ACCEPTED" : "PARAMETER-ACCEPTED";
    for (const what of featuresOf(spec, parameter, text)) findings.feature(place, what, text, accepted);
    if (parameter.valuesFrom) findings.feature(place, "service-value", text, accepted);
  }
}

function classifyCursor(
  asked: Asked,
  known: Known,
  findings: Findings,
  parameter: Parameter,
  text: string,
): void {
  const place = `query/${parameter.name}`;
  const standing = known.cursor(asked, parameter, text);
  if (standing === "good") findings.feature(place, "cursor", parameter.cursor ?? "", "CURSOR-ACCEPTED");
  else if (standing === "wrong")
    findings.fault({
      requirement: "CURSOR-UNKNOWN",
      cause: "invalid-cursor",
      place,
      constraint: "unknown",
      basis: "history",
    });
  else findings.doubt(place, standing.open);
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
