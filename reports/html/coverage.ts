import type { Coverage, Report } from "../report.ts";
import { count, number } from "../text.ts";
import { html, line, type Markup } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { countsInWords, NO_COUNTS, section } from "./parts.ts";

const MAX_ROWS = 3_000;

export function coverageTables({ coverage }: Report): Markup {
  return section(
    "coverage",
    "Coverage",
    "What was exercised, whatever came of it.",
    html`${operationTable(coverage)}${fieldTable(coverage)}${constraintTable(coverage)}`,
  );
}

/** Returns the table of requests and answers by operation. */
function operationTable(coverage: Coverage): Markup {
  const entries = Object.entries(coverage.operations).slice(0, MAX_ROWS);
  if (entries.length === 0) return html``;
  return html`<details><summary>Operations <span class="quiet">(${number(entries.length)})</span></summary>
<table><thead><tr><th scope="col">Operation</th><th scope="col" class="number">Requests</th><th scope="col">Answers</th></tr></thead><tbody>
${entries.map(([operation, { requests, statuses, outcomes }]) => {
  const all = { ...NO_COUNTS, ...outcomes };
  return html`<tr><th scope="row">${operationName(operation)}<span class="quiet small block">${countsInWords(all)}</span></th><td class="number">${number(requests)}</td>
<td>${Object.entries(statuses)
    .slice(0, 20)
    .map(
      ([status, n]) => html`<span class="status"><b>${line(status, 12)}</b> × ${number(n)}</span> `,
    )}</td></tr>
`;
})}</tbody></table></details>
`;
}

/** Returns the table of how often each documented field was seen. */
function fieldTable(coverage: Coverage): Markup {
  const entries = Object.entries(coverage.fields).slice(0, MAX_ROWS);
  if (entries.length === 0) return html``;
  const unseen = entries.filter(([, { seen }]) => seen === 0);
  return html`<details><summary>Documented fields <span class="quiet">(${number(entries.length - unseen.length)} of ${number(entries.length)} seen)</span></summary>
<table><thead><tr><th scope="col">Field</th><th scope="col" class="number">Seen</th><th scope="col" class="number">Of them null</th></tr></thead><tbody>
${[...unseen, ...entries.filter(([, { seen }]) => seen > 0)].map(
  ([field, { seen, null: empty }]) =>
    html`<tr${seen === 0 && html` class="never"`}><th scope="row"><code>${line(field, 200)}</code></th><td class="number">${seen === 0 ? "never" : number(seen)}</td><td class="number">${number(empty)}</td></tr>
`,
)}</tbody></table></details>
`;
}

/** Returns the table of how often each rule on requests was kept and broken. */
function constraintTable(coverage: Coverage): Markup {
  const entries = Object.entries(coverage.constraints).slice(0, MAX_ROWS);
  if (entries.length === 0) return html``;
  const both = entries.filter(([, { valid, violating }]) => valid > 0 && violating > 0).length;
  return html`<details><summary>Rules on what is sent <span class="quiet">(${number(both)} of ${count(entries.length, "rule")} probed on both sides)</span></summary>
<table><thead><tr><th scope="col">Rule</th><th scope="col" class="number">Within</th><th scope="col" class="number">Beyond</th></tr></thead><tbody>
${entries.map(
  ([name, { valid, violating }]) =>
    html`<tr${valid * violating === 0 && html` class="never"`}><th scope="row"><code>${line(name, 200)}</code></th><td class="number">${number(valid)}</td><td class="number">${number(violating)}</td></tr>
`,
)}</tbody></table></details>
`;
}
