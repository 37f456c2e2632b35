import type { Report } from "./report.ts";

/**
 * The report as `report.json`: UTF-8 text, indented by two spaces, ending in a line feed. Lone surrogates of
 * service bytes come out as `\uXXXX` escapes, so that the text is always well-formed.
 */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
