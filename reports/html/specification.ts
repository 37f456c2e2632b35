import type { Report } from "../report.ts";
import { html, line, type Markup } from "./markup.ts";
import { section } from "./parts.ts";

const MAX_TEXT = 20_000;

export function sectionId(number: string): string {
  return `section-${number.replace(/[^\dA-Za-z]/g, "-")}`;
}

/** Returns the sections of the specification that findings cite. */
export function specificationText({ specification }: Report): Markup {
  const sections = Object.entries(specification?.sections ?? {});
  if (sections.length === 0) return html``;
  return section(
    "specification",
    "What the specification says",
    "The sections that findings cite.",
    html`${sections.map(
      ([number, { title, text }]) =>
        html`<h3 id="${sectionId(number)}">${line(number, 20)} ${line(title, 200)}</h3>
<pre>${text.slice(0, MAX_TEXT)}${text.length > MAX_TEXT && "…"}</pre>
`,
    )}`,
  );
}
