import type { ErrorObject } from "ajv/dist/2020.js";
import { matcher } from "../spec/matcher.ts";
import schema from "./report.schema.json" with { type: "json" };
import type { Report } from "./report.ts";

const match = matcher<Report>(schema);

export type ReportValidation = { valid: true; report: Report } | { valid: false; errors: string[] };

const MAX_ERRORS = 20;

/** Returns whether the value is a report, and its errors if not. Each error begins with a JSON pointer. */
export function validateReport(value: unknown): ReportValidation {
  const result = match(value);
  if (result.matches) return { valid: true, report: result.value };
  const errors = [...new Set(result.errors.map(mistakeInWords))];
  const more = errors.length - MAX_ERRORS;
  return {
    valid: false,
    errors: more > 0 ? [...errors.slice(0, MAX_ERRORS), `and ${more} more`] : errors,
  };
}

/** Says in words how the report breaks its schema. */
function mistakeInWords(error: ErrorObject): string {
  const where = error.instancePath === "" ? "the report" : error.instancePath;
  if (error.keyword === "enum") {
    return `${where} must be one of ${(error.params.allowedValues as unknown[]).join(", ")}`;
  }
  if (error.keyword === "false schema") return `${where} is only allowed when outcome is skip`;
  if (error.keyword === "if") return `${where} must carry a reason when, and only when, its outcome is skip`;
  return `${where} ${error.message ?? "is not valid"}`;
}
