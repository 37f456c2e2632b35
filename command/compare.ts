import picocolors from "picocolors";
import { compareReports } from "../reports/compare.ts";
import {
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from "../reports/comparison-text.ts";
import { renderComparisonHtml } from "../reports/html/comparison.ts";
import { choose } from "./choose.ts";
import { EXIT } from "./exit-codes.ts";
import type { Flags } from "./flags.ts";
import { print } from "./output.ts";
import { readReport } from "./read-report.ts";

/**
 * `compare`: what changed between two reports. Exit code 1 on a regression, and with `--fail-on-untested` when anything
 * that was tested is not tested now; 3 when the new run can't be held against the old one.
 */
export function compareCommand(before: string, after: string, flags: Flags): number {
  const format = choose("--format", flags.format, ["text", "json", "markdown", "html"]);
  const comparison = compareReports(readReport(before), readReport(after));
  const render = {
    text: () => renderComparisonText(comparison, { color: picocolors.isColorSupported }),
    json: () => renderComparisonJson(comparison),
    markdown: () => renderComparisonMarkdown(comparison),
    html: () => renderComparisonHtml(comparison),
  };
  print(render[format]());
  const untested = flags.failOnUntested === true && comparison.noLongerTested.length > 0;
  if (comparison.regressions.length > 0 || untested) return EXIT.fails;
  return comparison.doubts.length > 0 ? EXIT.notJudged : EXIT.ok;
}
