import picocolors from "picocolors";
import { OBSERVED_BEHAVIOURS } from "../../profiles/prose.ts";
import { compareReports } from "../../reports/comparing/compare.ts";
import {
  failingChanges,
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from "../../reports/comparing/comparison-text.ts";
import { renderComparisonHtml } from "../../reports/html/comparison.ts";
import type { Report, RequirementResult } from "../../reports/report.ts";
import { globMatcher } from "../../spec/glob.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { Flags } from "../flags.ts";
import { print, printAsIs } from "../output.ts";
import { EXIT } from "../running/exit-codes.ts";
import { choose } from "../setup/choose.ts";
import { readReport } from "./read-report.ts";

/** Returns 1 for a regression or a forbidden change, 3 if the reports can't be compared. */
export function compareCommand(before: string, after: string, flags: Flags): number {
  const format = choose("--format", flags.format, ["text", "json", "markdown", "html"]);
  const [old, now] = [readReport(before), readReport(after)];
  const failOnChanges = changesToFailOn(flags.failOnChanges, [old, now]);
  const comparison = compareReports(old, now, { failOnChanges });
  const render = {
    text: () => renderComparisonText(comparison, { color: picocolors.isColorSupported }),
    json: () => renderComparisonJson(comparison),
    markdown: () => renderComparisonMarkdown(comparison),
    html: () => renderComparisonHtml(comparison),
  };
  (format === "text" ? print : printAsIs)(render[format]());
  const untested = flags.failOnUntested === true && comparison.noLongerTested.length > 0;
  if (comparison.regressions.length > 0 || failingChanges(comparison) > 0 || untested) return EXIT.fails;
  return comparison.doubts.length > 0 ? EXIT.notJudged : EXIT.ok;
}

/**
 * Returns the patterns of `--fail-on-changes`.
 * @throws UsageError if one fits nothing that reports observe.
 */
function changesToFailOn(flag: unknown, reports: readonly Report[]): string[] {
  const patterns = Array.isArray(flag) ? flag.map(String) : [];
  const words = new Set([
    ...OBSERVED_BEHAVIOURS,
    ...reports.flatMap(({ requirements }) => requirements.filter(isSilent).map(({ id }) => id)),
    ...reports.flatMap(({ observations }) => observations.map(({ requirement }) => requirement)),
    ...reports.flatMap(({ coverage }) => Object.keys(coverage.operations)),
  ]);
  for (const pattern of patterns) {
    if (![...words].some(globMatcher([pattern])))
      throw new UsageError(
        `--fail-on-changes: no requirement, practice or operation of these reports is named like ${pattern}${didYouMean(pattern, words)}`,
      );
  }
  return patterns;
}

function isSilent({ level }: RequirementResult): boolean {
  return level === "NOTE";
}
