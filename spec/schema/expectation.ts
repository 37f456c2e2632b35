import type { ErrorObject } from "ajv";
import { counted } from "../counted.ts";

const NOUN_OF_LIMIT: Readonly<Record<string, string>> = {
  Length: "character",
  Items: "element",
  Properties: "field",
};

function limitOf(keyword: string, limit: number): string | undefined {
  const [, side, what = ""] = /^(min|max)(Length|Items|Properties|imum)$/.exec(keyword) ?? [];
  if (side === undefined) return undefined;
  const noun = NOUN_OF_LIMIT[what];
  return `at ${side === "min" ? "least" : "most"} ${noun === undefined ? limit : counted(limit, noun)}`;
}

/** Returns the expectation of the schema in words, such as `at most 50`. */
export function describeExpectation(error: ErrorObject, missing: string | undefined): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "required":
    case "dependentRequired":
    case "x-expected":
      return `the field ${missing ?? ""}`;
    case "type":
      return String(params.type)
        .split(",")
        .map((type) => (type === "null" ? type : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`))
        .join(" or ");
    case "enum":
      return `one of ${JSON.stringify(params.allowedValues)}`;
    case "const":
      return JSON.stringify(params.allowedValue);
    case "format":
      return FORMAT_NAMES[String(params.format)] ?? `format ${String(params.format)}`;
    case "additionalProperties":
    case "not":
      return "no such field";
    case "pattern":
      return `a text that matches ${String(params.pattern)}`;
    case "oneOf":
    case "anyOf":
      return "a value of one of the documented forms";
    case "multipleOf":
      return `a multiple of ${String(error.schema)}`;
    case "uniqueItems":
      return "each item once";
    default:
      return limitOf(error.keyword, Number(error.schema)) ?? error.message ?? error.keyword;
  }
}

const FORMAT_NAMES: Record<string, string> = {
  "date-time": "a date-time (RFC 3339)",
  "currency-code": "an ISO 4217 currency code",
  "country-code": "an ISO 3166-1 alpha-2 country code",
};
