import { headline } from "../headline.ts";
import { COVERAGE_TITLES, placeInWords, placesWith } from "../judged-coverage.ts";
import type { Report } from "../report.ts";
import { number } from "../text.ts";
import { html, line, type Markup, renderPage, sentence } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { section, targetLine } from "./parts.ts";
import { STYLES } from "./styles.ts";

/** Returns the page on what recorded traffic shows for each requirement. */
export function renderCoverageHtml(report: Report): string {
  const { judged, verdict } = report;
  const { sentence: said } = headline(report);
  const statements = new Map(report.requirements.map(({ id, statement }) => [id, statement]));
  const sections = judged
    ? COVERAGE_TITLES.map(([outcome, title]): Markup => {
        const places = placesWith(judged, outcome);
        if (places.length === 0) return html``;
        const rows = places.map(
          (place) => html`<tr><th scope="row"><code class="id">${line(place.requirement, 80)}</code>
<span class="quiet small block">${sentence(statements.get(place.requirement) ?? "")}</span></th>
<td>${operationName(place.operation)}</td><td>${line(placeInWords(place), 500)}</td></tr>
`,
        );
        const head = html`<tr><th scope="col">Requirement</th><th scope="col">Operation</th><th scope="col">Exchanges</th></tr>`;
        const table = html`<table><thead>${head}</thead><tbody>${rows}</tbody></table>`;
        return section(outcome, `${title} (${number(places.length)})`, undefined, table);
      })
    : [];
  const body = html`<header class="banner ${verdict}">
<p class="brand">payments-conformance <span>coverage of recorded traffic</span></p>
<h1>Coverage</h1>
<p class="verdict">${said}</p>
<p>${targetLine(report)}</p>
</header>
<div class="frame single"><main id="main">${sections}</main></div>`;
  return renderPage({ title: "Coverage of recorded traffic", body, styles: STYLES });
}
