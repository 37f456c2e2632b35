import { evidenceInWords } from "../assumed.ts";
import type { Report, Trait } from "../report.ts";
import { html, line, type Markup } from "./markup.ts";
import { section } from "./parts.ts";

/** Returns the section on unusual behaviour that the specification allows. */
export function assumedList({ assumed = [] }: Report): Markup {
  if (assumed.length === 0) return html``;
  return section(
    "assumed",
    "Assumed about this service",
    "Unusual behaviour that the run saw and that the specification allows. It is no violation by itself. The entries are in history.ndjson.",
    html`<table class="assumed"><thead><tr><th scope="col">Assumed</th><th scope="col">Because of</th></tr></thead><tbody>
${assumed.map(traitRow)}</tbody></table>`,
  );
}

function traitRow(trait: Trait): Markup {
  return html`<tr><th scope="row">${line(trait.statement, 500)}</th><td>${line(evidenceInWords(trait), 500)}</td></tr>
`;
}
