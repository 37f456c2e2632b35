import { count } from "../../reports/text.ts";
import type { Requirement } from "../../spec/model/spec.ts";
import type { ChecksOfSpec } from "../../suites/index.ts";
import type { Flags } from "../flags.ts";
import { invocation } from "../invocation.ts";
import { print, printAsIs } from "../output.ts";
import { EXIT } from "../running/exit-codes.ts";
import { choose } from "../setup/choose.ts";
import { editionFlags, readCatalogue, wrap } from "./catalogue.ts";

interface Row {
  id: string;
  /** A number that requirements about the same sentences share. */
  row: number;
  level: Requirement["level"];
  section: string;
  statement: string;
  untested?: string;
  checks: string[];
}

/** Prints the requirements with their checks, and returns the exit code. */
export function listCommand(flags: Flags): number {
  const format = choose("--format", flags.format, ["text", "json", "markdown"]);
  const catalogue = readCatalogue(flags.spec, flags.profile);
  const explain = (id: string) => `${invocation()} explain${editionFlags(flags)} ${id}`;
  const rows = rowsOf(catalogue);
  if (format === "json") printAsIs(`${JSON.stringify([...rows, ...rowsOff(catalogue)], null, 2)}\n`);
  else {
    print(format === "markdown" ? asMarkdown(rows) : asText(rows, catalogue.checks.length, explain));
    print(offInWords(catalogue));
  }
  return EXIT.ok;
}

export function catalogueMarkdown(): string {
  return asMarkdown(rowsOf(readCatalogue(undefined)));
}

function rowsOff({ rulesOff }: Pick<ChecksOfSpec, "rulesOff">): { id: string; off: string }[] {
  return [...rulesOff.keys()].map((id) => ({ id, off: "this edition has no such requirement" }));
}

function offInWords({ rulesOff }: Pick<ChecksOfSpec, "rulesOff">): string {
  if (rulesOff.size === 0) return "";
  const named = [...rulesOff].map(([id, checks]) => `${id} (${count(checks, "check")})`).join(", ");
  return `\n${wrap(`Off, because this edition has no such requirement: ${named}`)}\n`;
}

/** Returns each requirement with the ids of its checks. */
function rowsOf({ spec, checks }: ReturnType<typeof readCatalogue>): Row[] {
  return [...spec.requirements.values()].map((requirement): Row => {
    const { id, row, level, section, statement, untested } = requirement;
    return {
      id,
      row,
      level,
      section,
      statement,
      ...(untested === undefined ? {} : { untested }),
      checks: checks.filter((check) => check.requirements.includes(id)).map((check) => check.id),
    };
  });
}

const MAX_SHOWN = 3;

/** Returns the requirements as text for the terminal. */
function asText(rows: readonly Row[], checks: number, explain: (id: string) => string): string {
  const width = Math.max(...rows.map((row) => row.id.length));
  const lines = rows.map((row) => {
    const tested = row.untested === undefined ? count(row.checks.length, "check") : "not testable";
    const rest = row.checks.length - MAX_SHOWN;
    const shown = row.checks.slice(0, MAX_SHOWN).map((check) => `      ${check}`);
    if (rest > 0) shown.push(`      and ${rest} more: ${explain(row.id)}`);
    const head = `${row.id.padEnd(width)}  ${row.level.padEnd(6)}  section ${row.section.padEnd(5)}  ${tested}`;
    return [head, wrap(row.statement, "    "), ...shown].join("\n");
  });
  const levels = ["MUST", "SHOULD", "NOTE"].map(
    (level) => `${rows.filter((row) => row.level === level).length} ${level}`,
  );
  const total = `${count(rows.length, "requirement")} (${levels.join(", ")}), ${count(checks, "check")}`;
  return `${lines.join("\n")}\n\n${total}\n`;
}

/** Returns the requirements as a Markdown table. */
function asMarkdown(rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const lines = rows.map((row) => {
    const suites = [...new Set(row.checks.map((check) => check.split("/", 1)[0]))].join(", ");
    const tested = row.untested === undefined ? suites : `Not tested. ${cell(row.untested)}`;
    return `| ${row.id} | ${row.row} | ${row.level} | ${row.section} | ${cell(row.statement)} | ${tested} |`;
  });
  return [
    "| Requirement | Row | Level | Section | Statement | Tested in |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
