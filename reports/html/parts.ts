import type { Level, Outcome, Report } from "../report.ts";
import { number, visibleBlock } from "../text.ts";
import { html, line, type Markup } from "./markup.ts";

export type Shade = Outcome | "waived";

export const SHADES: readonly Shade[] = ["fail", "warn", "unsteady", "waived", "pass", "note", "skip"];

export const SYMBOL: Readonly<Record<Shade, string>> = {
  fail: "✕",
  warn: "!",
  unsteady: "≈",
  waived: "~",
  pass: "✓",
  note: "i",
  skip: "–",
};

export const SHADE_NAME: Readonly<Record<Shade, string>> = {
  fail: "Fail",
  warn: "Warn",
  unsteady: "Unsteady",
  waived: "Waived",
  pass: "Pass",
  note: "Note",
  skip: "Not tested",
};

export const NO_COUNTS: Readonly<Record<Shade, number>> = {
  fail: 0,
  warn: 0,
  unsteady: 0,
  waived: 0,
  pass: 0,
  note: 0,
  skip: 0,
};

export function shadeOf(result: { outcome: Outcome; waived?: unknown }): Shade {
  const violated = result.outcome === "fail" || result.outcome === "warn";
  const waived = result.waived !== undefined && result.waived !== false;
  return violated && waived ? "waived" : result.outcome;
}

export function badge(shade: Shade): Markup {
  return html`<span class="badge ${shade}"><span aria-hidden="true">${SYMBOL[shade]}</span> ${SHADE_NAME[shade]}</span>`;
}

export function levelTag(level: Level): Markup {
  return html`<span class="level">${level}</span>`;
}

export function section(id: string, title: string, lead: Markup | string | undefined, body: Markup): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title" tabindex="-1">${title}</h2>
${lead !== undefined && html`<p class="lead">${lead}</p>`}
${body}
</section>
`;
}

/** Returns a labelled list of choices of a filter. */
export function select(
  name: string,
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
): Markup {
  return html`<p><label for="filter-${name}">${label}</label><select id="filter-${name}" name="${name}">
<option value="">All</option>
${choices.map(([value, text]) => html`<option value="${value}">${line(text, 80)}</option>\n`)}</select></p>`;
}

const MAX_COMMAND = 4_000;

/** Returns a command with a button that copies it. */
export function command(label: string, text: string): Markup {
  if (text.length > MAX_COMMAND) {
    return html`<p class="quiet">${label}: too long to show here, see <code>report.json</code>.</p>`;
  }
  return html`<div class="command"><span class="command-label" aria-hidden="true">${label}</span>
<pre tabindex="0" role="group" aria-label="${label}">${visibleBlock(text)}</pre>
<button type="button" class="copy" aria-label="Copy: ${label}" hidden>Copy</button></div>
`;
}

export function countsInWords(counts: Readonly<Record<Shade, number>>): string {
  return SHADES.filter((shade) => counts[shade] > 0)
    .map((shade) => `${number(counts[shade])} ${SHADE_NAME[shade].toLowerCase()}`)
    .join(", ");
}

export function targetLine(report: Pick<Report, "target">): Markup {
  const embedded = report.target.embedded ? " (the embedded reference service)" : "";
  return html`<code class="target">${line(report.target.baseUrl, 300)}</code>${embedded}`;
}
