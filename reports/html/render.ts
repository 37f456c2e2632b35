import { findingSections } from "../findings.ts";
import { headline } from "../headline.ts";
import type { Report } from "../report.ts";
import { number } from "../text.ts";
import { assumedList } from "./assumed.ts";
import { banner, overview } from "./banner.ts";
import { coverageTables } from "./coverage.ts";
import { explorer } from "./explorer.ts";
import { type Anchors, findingSection } from "./finding.ts";
import { html, type Markup, renderPage } from "./markup.ts";
import { matrix } from "./matrix.ts";
import { observationList } from "./observations.ts";
import { requirementTable } from "./requirements.ts";
import { runDetails } from "./run.ts";
import { scope } from "./scope.ts";
import { SCRIPT } from "./script.ts";
import { specificationText } from "./specification.ts";
import { STYLES } from "./styles.ts";

/** Returns the page of the report, which needs no other file. */
export function renderHtml(report: Report): string {
  const anchors: Anchors = new Map();
  const { failures: failed, known, warnings: warned, unsteady, waived } = findingSections(report);
  const sections: [id: string, name: string, count: number | undefined, content: Markup][] = [
    [
      "failures",
      "Failures",
      failed.length,
      findingSection(
        "failures",
        "Failures",
        "What the specification requires and this service does not do. The same fault in many places is told once; what endangers most comes first.",
        failed,
        anchors,
      ),
    ],
    [
      "known",
      "Known",
      known.length,
      findingSection(
        "known",
        "Known from the baseline",
        "Failures that an earlier report has too. They do not fail this run.",
        known,
        anchors,
      ),
    ],
    [
      "warnings",
      "Warnings",
      warned.length,
      findingSection(
        "warnings",
        "Warnings",
        "The natural reading of the specification, not followed. A careful service may have its reasons; under --strict these are failures.",
        warned,
        anchors,
      ),
    ],
    [
      "unsteady",
      "Unsteady",
      unsteady.length,
      findingSection(
        "unsteady",
        "Unsteady",
        "Violated once, and not when it was tried again: no evidence for the requirement.",
        unsteady,
        anchors,
      ),
    ],
    [
      "waived",
      "Waived",
      waived.length,
      findingSection(
        "waived",
        "Waived",
        "Known deviations. They do not fail the run until their waivers expire.",
        waived,
        anchors,
      ),
    ],
    ["overview", "What was tested", undefined, overview(report)],
    ["matrix", "Operations by suite", undefined, matrix(report)],
    ["untested", "Not tested", undefined, scope(report)],
    ["assumed", "Assumed", report.assumed?.length, assumedList(report)],
    ["requirements", "Requirements", report.requirements.length, requirementTable(report)],
    ["checks", "All checks", report.checks.length, explorer(report, anchors)],
    ["observations", "Left open", report.observations.length, observationList(report)],
    ["coverage", "Coverage", undefined, coverageTables(report)],
    ["specification", "The specification", undefined, specificationText(report)],
    ["run", "Run and settings", undefined, runDetails(report)],
  ];
  const present = sections.filter(([, , , content]) => content.source !== "");
  const title = `${headline(report).title}: ${report.target.baseUrl}`;
  const body = html`<a class="skip-link" href="#main">Skip to the report</a>
${banner(report)}
<div class="frame">
<nav aria-label="Parts of the report"><ul>
${present.map(([id, name, n]) => html`<li><a href="#${id}">${name}${n !== undefined && html` <span class="n">${number(n)}</span>`}</a></li>\n`)}</ul></nav>
<main id="main" tabindex="-1">
${present.map(([, , , content]) => content)}
</main>
</div>
<footer><p>Made by payments-conformance. This page holds everything it needs and sends nothing anywhere.</p></footer>`;
  return renderPage({ title, body, styles: STYLES, script: SCRIPT });
}
