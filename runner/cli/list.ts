import { count } from "../../reports/text.ts";
import type { Requirement } from "../../spec/types.ts";
import { EXIT } from "../exit-codes.ts";
import { readCatalogue, wrap } from "./catalogue.ts";
import { choose } from "./choose.ts";
import type { Flags } from "./flags.ts";
import { print } from "./output.ts";

interface Row {
  id: string;
  level: Requirement["level"];
  section: string;
  statement: string;
  /** Why nothing tests it, for those that nothing can. */
  untested?: string;
  checks: string[];
}

/** `list`: every requirement, with the checks that test it. */
export function listCommand(flags: Flags): number {
  const format = choose("--format", flags.format, ["text", "json", "markdown"]);
  const { spec, checks } = readCatalogue(flags.spec, flags.profile);
  const rows = [...spec.requirements.values()].map(({ id, level, section, statement, untested }): Row => {
    const testing = checks.filter((check) => check.requirements.includes(id)).map((check) => check.id);
    return {
      id,
      level,
      section,
      statement,
      ...(untested === undefined ? {} : { untested }),
      checks: testing,
    };
  });
  if (format === "json") print(`${JSON.stringify(rows, null, 2)}\n`);
  else print(format === "markdown" ? asMarkdown(rows) : asText(rows, checks.length));
  return EXIT.ok;
}

function asText(rows: readonly Row[], checks: number): string {
  const width = Math.max(...rows.map((row) => row.id.length));
  const lines = rows.map((row) => {
    const tested = row.untested === undefined ? count(row.checks.length, "check") : "not testable";
    const head = `${row.id.padEnd(width)}  ${row.level.padEnd(6)}  section ${row.section.padEnd(5)}  ${tested}`;
    return `${head}\n${wrap(row.statement, "    ")}`;
  });
  const levels = ["MUST", "SHOULD", "NOTE"].map(
    (level) => `${rows.filter((row) => row.level === level).length} ${level}`,
  );
  const total = `${count(rows.length, "requirement")} (${levels.join(", ")}), ${count(checks, "check")}`;
  return `${lines.join("\n")}\n\n${total}\n`;
}

function asMarkdown(rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const lines = rows.map((row) => {
    const tested = row.untested === undefined ? String(row.checks.length) : cell(row.untested);
    return `| ${row.id} | ${row.level} | ${row.section} | ${cell(row.statement)} | ${tested} |`;
  });
  return [
    "| Requirement | Level | Section | Statement | Checks |",
    "|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
