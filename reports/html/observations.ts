import { groupedBy } from "../../spec/grouped.ts";
import type { Observation, Report } from "../report.ts";
import { count, number } from "../text.ts";
import { html, line, type Markup, sentence } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { section } from "./parts.ts";

const MAX_ROWS = 2_000;

/** Returns the section on observed behaviour, by requirement. */
export function observationList(report: Report): Markup {
  const { observations } = report;
  if (observations.length === 0) return html``;
  const statements = new Map(report.requirements.map(({ id, statement }) => [id, statement]));
  const groups = groupedBy(observations.slice(0, MAX_ROWS), ({ requirement }) => requirement);
  const more = observations.length - MAX_ROWS;
  return section(
    "observations",
    "Left open, and what this service does",
    "The specification is silent here, so nothing of this counts for or against the service. Clients may rely on none of it.",
    html`${[...groups].map(([id, members]) => observationGroup(id, statements.get(id), members))}
${more > 0 && html`<p>… and ${number(more)} more, see <code>report.json</code>.</p>`}`,
  );
}

function observationGroup(id: string, statement: string | undefined, members: Observation[]): Markup {
  return html`<details><summary>${statement === undefined ? line(id, 80) : sentence(statement)}
<span class="quiet">(${count(members.length, "observation")})</span></summary>
<table class="observations"><thead><tr><th scope="col">What</th><th scope="col">What this service does</th></tr></thead><tbody>
${members.map(
  (
    each,
  ) => html`<tr><th scope="row">${line(each.subject, 300)} <span class="op">${operationName(each.operation)}</span></th>
<td>${line(each.value, 500)}</td></tr>
`,
)}</tbody></table></details>
`;
}
