import type { Change, Comparison } from "../comparing/compare.ts";
import {
  comparedCount,
  comparisonHeadline,
  comparisonLists,
  decisionCount,
  decisionWords,
  notComparedWords,
  toneOf,
} from "../comparing/comparison-text.ts";
import { exchangeText } from "../exchange.ts";
import type { Outcome } from "../report.ts";
import { number } from "../text.ts";
import { instant, MARK } from "./banner.ts";
import { html, line, type Markup, renderPage, sentence } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { badge, section } from "./parts.ts";
import { STYLES } from "./styles.ts";

const MAX_ROWS = 1_000;

/** Returns the page of a comparison, which needs no other file. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { title, sentence: said } = comparisonHeadline(comparison);
  const tone = toneOf(comparison);
  const lists = comparisonLists(comparison);
  const body = html`<header class="banner ${tone}">
<p class="brand">payments-conformance <span>comparison</span></p>
<h1><span class="mark" aria-hidden="true">${MARK[tone]}</span>${title}</h1>
<p class="verdict">${said}</p>
<dl class="facts">${(["old", "new"] as const).map((side) => {
    const run = comparison[side];
    return html`<div><dt>${side === "old" ? "Old" : "New"} run</dt><dd><code>${line(run.baseUrl, 300)}</code><br>
${instant(run.startedAt)}, ${run.verdict}${run.partial && ", partial"}${Object.entries(run.labels)
      .slice(0, 20)
      .map(([name, value]) => html`<br>${line(name, 80)} ${line(value, 200)}`)}</dd></div>
`;
  })}</dl>
</header>
<div class="frame single"><main id="main">
${lists.map(({ title: name, changes }) => changeTable(name, changes))}
${observationChanges(comparison)}
${conditionTable(comparison)}
${lists.length + comparison.observations.length + comparison.conditions.length === 0 && html`<section><p>The two reports say the same.</p></section>`}
</main></div>`;
  return renderPage({ title: `${title}: ${comparison.new.baseUrl}`, body, styles: STYLES });
}

function outcomeBadge(value: Outcome | null): Markup {
  return value === null ? html`<span class="quiet">absent</span>` : badge(value);
}

/** Returns the table of these changes, with the expected and the actual values. */
function changeTable(name: string, changes: Change[]): Markup {
  const more = changes.length - MAX_ROWS;
  const rows = changes.slice(0, MAX_ROWS).map(
    (
      change,
    ) => html`<tr><td class="move">${outcomeBadge(change.old)} <span aria-hidden="true">→</span><span class="unseen">then</span> ${outcomeBadge(change.new)}${change.waived === true && html` <span class="quiet">(waived)</span>`}</td>
<th scope="row"><code class="id">${line(change.id, 300)}</code> ${change.operation !== undefined && html`<span class="op">${operationName(change.operation)}</span>`}<span class="block">${sentence(change.title)}</span>
${change.message !== undefined && html`<span class="block quiet">${line(change.message)}</span>`}
${change.exchange !== undefined && html`<details><summary>The exchange</summary><pre>${exchangeText(change.exchange, 2_000, { headers: true })}</pre></details>`}
${change.command !== undefined && html`<span class="block">Again: <code>${line(change.command)}</code></span>`}</th></tr>
`,
  );
  return section(
    name.toLowerCase().replaceAll(" ", "-"),
    name,
    `${comparedCount(changes)}.`,
    html`<table class="changes"><thead><tr><th scope="col">Outcome</th><th scope="col">What</th></tr></thead><tbody>
${rows}</tbody></table>${more > 0 && html`<p>… and ${number(more)} more.</p>`}`,
  );
}

/** Returns the section on changed behaviour on which the specification is silent. */
function observationChanges(comparison: Comparison): Markup {
  const { decisions } = comparison;
  const uncompared = notComparedWords(comparison);
  const note = uncompared !== undefined && html`<section><p>${uncompared}</p></section>`;
  if (decisions.length === 0) return html`${note}`;
  const table = section(
    "observations",
    "Where the specification is silent",
    `${decisionCount(comparison)} changed.`,
    html`<table class="observations"><thead><tr><th scope="col">What</th><th scope="col">Change</th></tr></thead><tbody>
${decisions.slice(0, MAX_ROWS).map(
  (
    each,
  ) => html`<tr><th scope="row">${line(each.about, 300)}${each.failing && html`<span class="block">Chosen by --fail-on-changes</span>`}</th><td>${line(decisionWords(each))}</td></tr>
`,
)}</tbody></table>`,
  );
  return html`${table}${note}`;
}

/** Returns the section on what differs between the runs themselves. */
function conditionTable({ conditions: differences }: Comparison): Markup {
  if (differences.length === 0) return html``;
  return section(
    "conditions",
    "Different conditions",
    "What was not the same about the two runs themselves. A change above may come of it.",
    html`<table><thead><tr><th scope="col">What</th><th scope="col">Old</th><th scope="col">New</th></tr></thead><tbody>
${differences.slice(0, MAX_ROWS).map(
  (
    each,
  ) => html`<tr><th scope="row">${each.kind === "setting" && "setting "}<code>${line(each.name, 100)}</code></th><td><code>${line(each.old, 300)}</code></td><td><code>${line(each.new, 300)}</code></td></tr>
`,
)}</tbody></table>`,
  );
}
