import type { Report } from "./report.ts";

/**
 * A report in UTF-8, indented by two spaces, with a final line feed. Lone surrogates become `\uXXXX`, so that
 * the text is well-formed.
 */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
