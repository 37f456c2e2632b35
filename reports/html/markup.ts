import { createHash } from "node:crypto";
import { shown, visible, visibleBlock } from "../text.ts";

/** Safe HTML. Only this module makes it, and it escapes all text. */
export class Markup {
  constructor(readonly source: string) {}
}

export type Fragment = string | number | Markup | undefined | false | readonly Fragment[];

/** Escapes the values, and makes control characters visible. */
export function html(strings: TemplateStringsArray, ...values: Fragment[]): Markup {
  let source = strings[0] ?? "";
  for (const [index, value] of values.entries()) source += asText(value) + (strings[index + 1] ?? "");
  return new Markup(source);
}

function asText(value: Fragment): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Markup) return value.source;
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeText(visibleBlock(value));
  return value.map(asText).join("");
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

const MAX_LINE = 1_000;

export function line(text: string, max = MAX_LINE): string {
  return shown(text, max);
}

export function sentence(text: string): Markup {
  const parts = line(text).split("`");
  if (parts.length % 2 === 0) return escapedWords(line(text));
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : escapedWords(part)))}`;
}

function escapedWords(text: string): Markup {
  const parts = text.split(/\b([A-Z][a-z]+(?:-[A-Z][a-z]+)+)\b/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span class="whole">${part}</span>` : part))}`;
}

/** Returns a script element that holds the value as JSON. No text in the value can end the script element. */
export function dataScript(id: string, value: unknown): Markup {
  const json = JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? visible(each) : each));
  const safe = json.replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return html`<script type="application/json" id="${id}">${new Markup(safe)}</script>`;
}

export interface Page {
  title: string;
  body: Markup;
  styles: string;
  script?: string;
}

/** Returns a whole page. Only the page's own style sheet and script may run. */
export function renderPage({ title, body, styles, script }: Page): string {
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(styles)}'`,
    ...(script === undefined ? [] : [`script-src '${digestOf(script)}'`]),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${line(title, 200)}</title>
<link rel="icon" href="data:,">
<style>${new Markup(styles)}</style>
</head>
<body>
${body}
${script !== undefined && html`<script>${new Markup(script)}</script>`}
</body>
</html>
`;
  return page.source;
}

function digestOf(source: string): string {
  return `sha256-${createHash("sha256").update(source, "utf8").digest("base64")}`;
}
