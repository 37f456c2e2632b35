import type { Report } from "../report.ts";
import { count, number } from "../text.ts";
import { html, line, type Markup, sentence } from "./markup.ts";
import { badge, section, shadeOf } from "./parts.ts";

const MAX_ROWS = 1_000;

/** Returns the table of all requirements with their outcome. */
export function requirementTable(report: Report): Markup {
  const { requirements } = report;
  const rows = requirements.slice(0, MAX_ROWS).map((requirement) => {
    const scope = requirement.level === "MUST" && !requirement.inScope ? "out of scope" : undefined;
    const checks =
      requirement.checks.length === 0
        ? html`<span class="quiet">0</span>`
        : html`<a href="#checks" data-search="${line(requirement.id, 200)}">${number(requirement.checks.length)}<span class="unseen"> ${requirement.checks.length === 1 ? "check" : "checks"} of ${line(requirement.id, 80)}</span></a>`;
    return html`<tr><td>${badge(shadeOf(requirement))}${scope !== undefined && html`<span class="quiet small scope">${scope}</span>`}</td>
<th scope="row"><code class="id">${line(requirement.id, 80)}</code> <span class="statement">${sentence(requirement.statement)}</span></th>
<td class="level">${requirement.level}</td><td class="number">${line(requirement.section, 20)}</td><td class="number">${checks}</td></tr>
`;
  });
  const more = requirements.length - MAX_ROWS;
  return section(
    "requirements",
    "Requirements",
    `All ${count(requirements.length, "requirement")}, in the order of the catalogue.`,
    html`<table class="requirements"><thead><tr><th scope="col">Outcome</th><th scope="col">Requirement</th>
<th scope="col">Level</th><th scope="col" class="number">Section</th><th scope="col" class="number">Checks</th></tr></thead>
<tbody>
${rows}</tbody></table>${more > 0 && html`<p>… and ${number(more)} more, see <code>report.json</code>.</p>`}`,
  );
}
