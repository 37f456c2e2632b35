import type { Report } from "./report.ts";

/** Lone surrogates become `\uXXXX`, so that the text is well-formed. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
