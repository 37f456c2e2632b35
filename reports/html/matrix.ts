import type { CheckResult, Report } from "../report.ts";
import { number } from "../text.ts";
import { html, line, type Markup } from "./markup.ts";
import { countsInWords, NO_COUNTS, SHADES, type Shade, SYMBOL, section, shadeOf } from "./parts.ts";

type CellCounts = Record<Shade, number>;

/** Returns the table of operations by suite, with the worst outcome in each cell. */
export function matrix(report: Report): Markup {
  const suites = [...new Set(report.checks.map((check) => check.suite))].slice(0, 40);
  const rows = new Map<string, Map<string, CellCounts>>();
  for (const check of report.checks) addCheck(rows, check);
  if (rows.size === 0) {
    return section("matrix", "Operations by suite", undefined, html`<p class="quiet">No check ran.</p>`);
  }
  const body = [...rows].slice(0, 200).map(([operation, cells]) => {
    const link = html`<a href="#checks" data-operation="${line(operation, 300)}">${operationName(operation)}</a>`;
    return html`<tr><th scope="row">${link}</th>${suites.map((suite) => matrixCell(operation, suite, cells.get(suite)))}</tr>
`;
  });
  return section(
    "matrix",
    "Operations by suite",
    "Each cell shows the worst outcome of its checks, and how many had it. Links lead to the checks.",
    html`<div class="scroll" role="region" aria-labelledby="matrix-title" tabindex="0"><table class="matrix">
<thead><tr><th scope="col">Operation</th>
${suites.map((suite) => html`<th scope="col"><a href="#checks" data-suite="${line(suite, 300)}"><span>${line(suite, 24)}</span></a></th>`)}
</tr></thead>
<tbody>
${body}</tbody></table></div>`,
  );
}

function addCheck(rows: Map<string, Map<string, CellCounts>>, check: CheckResult): void {
  const cells = rows.get(check.operation) ?? new Map<string, CellCounts>();
  const counts = cells.get(check.suite) ?? { ...NO_COUNTS };
  counts[shadeOf(check)] += 1;
  cells.set(check.suite, counts);
  rows.set(check.operation, cells);
}

function matrixCell(operation: string, suite: string, counts: CellCounts | undefined): Markup {
  if (counts === undefined) return html`<td></td>`;
  const worst = SHADES.find((shade) => counts[shade] > 0) ?? "skip";
  const inside = html`<span aria-hidden="true">${SYMBOL[worst]} ${number(counts[worst])}</span><span class="unseen">${countsInWords(counts)}</span>`;
  if (worst === "pass" || worst === "note") return html`<td class="${worst}">${inside}</td>`;
  return html`<td class="${worst}"><a href="#checks" data-operation="${line(operation, 300)}" data-suite="${line(suite, 300)}" title="${countsInWords(counts)}">${inside}</a></td>`;
}

export function operationName(operation: string): Markup {
  const [, method = "", path = ""] = /^(\S+)\s+(.*)$/s.exec(operation) ?? [];
  if (path === "") return html`<code>${line(operation, 80)}</code>`;
  const steps = line(path, 80)
    .split(/(?<=\/)/)
    .map((step, index) => html`${index > 1 && html`<wbr>`}${step}`);
  return html`<code><b class="method">${line(method, 12)}</b> ${steps}</code>`;
}
