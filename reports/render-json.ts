import type { Report } from "./report.ts";

/**
 * The report as `report.json`: UTF-8, indented by two spaces, ending in a line feed. Lone surrogates become
 * `\uXXXX` escapes, so that the text is well-formed.
 */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
