import type { Report } from "./report.ts";

/** Returns well-formed text: lone surrogates become `\uXXXX`. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
