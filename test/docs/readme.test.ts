import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { flagOf, variableOf } from "../../command/options/names.ts";
import { OPTION_NAMES, optionOf } from "../../command/options/options.ts";
import { REASON_TEXT } from "../../reports/outcome.ts";

test.each([
  ["README.md", "proof", proof],
  ["docs/results.md", "reasons", reasons],
  ["docs/options.md", "options", options],
] as const)(
  "the generated part of %s is up to date (npm run docs writes it again)",
  async (page, name, part) => {
    const file = new URL(`../../${page}`, import.meta.url);
    await expect(withPart(readFileSync(file, "utf8"), name, part())).toMatchFileSnapshot(file.pathname);
  },
);

test("the README has at most 120 lines", () => {
  const file = new URL("../../README.md", import.meta.url);
  expect(readFileSync(file, "utf8").split("\n").length).toBeLessThanOrEqual(121);
});

function withPart(page: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest, ...others] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error(`the page has not one place for ${name}`);
  }
  return `${before}${start}\n${part}\n${end}${after}`;
}

function reasons(): string {
  const rows = Object.entries(REASON_TEXT).map(([reason, text]) => `| \`${reason}\` | ${text} |`);
  return ["| Reason | Means |", "|---|---|", ...rows].join("\n");
}

function options(): string {
  const rows = OPTION_NAMES.map((name) => {
    const { kind, help, default: value, defaultText } = optionOf(name);
    const defaultCell = defaultText ?? (value === undefined ? "" : String(value));
    const flag = kind.argument === null ? flagOf(name) : `${flagOf(name)} ${kind.argument}`;
    const meaning = `${help.charAt(0).toUpperCase()}${help.slice(1)}.`.replaceAll("|", "\\|");
    return `| \`${flag}\` | \`${variableOf(name)}\` | \`${name}\` | ${meaning} | ${defaultCell} |`;
  });
  return ["| Flag | Variable | Key | Meaning | Default |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** The beginning of docs/proof.md, with its figures and the command that measured them. */
function proof(): string {
  const page = readFileSync(new URL("../../docs/proof.md", import.meta.url), "utf8");
  const [head = ""] = page.split("\n\n## ");
  const from = head.indexOf("\n| ");
  if (from < 0) throw new Error("docs/proof.md does not begin with a table of figures");
  return head.slice(from).trim();
}
