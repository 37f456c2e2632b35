import { detailsOf } from "../causes.ts";
import { decisiveExchange, exchangeText } from "../exchange.ts";
import { type Finding, findingsInWords, underCauses } from "../findings.ts";
import type { CheckResult } from "../report.ts";
import { stepsBefore } from "../steps.ts";
import { count, cut, number, shown } from "../text.ts";
import { reproduction } from "./curl.ts";
import { dash, folded, labelled, line, MAX_LINE, more, type Pen, paint, SYMBOLS } from "./pen.ts";

const MAX_BODY = 600;
const MAX_LINES = 50;
const MAX_NAMED = 200;
/** Longer commands are useless on a terminal. */
const MAX_COMMAND = { lines: 12, characters: 2_000 };

/** Returns the lines of these findings, at most `max` of them in full. */
export function findingLines(
  title: string,
  findings: Finding[],
  pen: Pen,
  { max, full }: { max: number; full: boolean },
): string[] {
  if (findings.length === 0) return [];
  const checks = findings.reduce((sum, finding) => sum + finding.checks.length, 0);
  const lines = ["", pen.colors.bold(`${title}: ${findingsInWords(findings)}, ${count(checks, "check")}`)];
  const causes = underCauses(findings);
  for (const { finding, following } of causes.slice(0, max))
    lines.push("", ...oneFinding(finding, pen, full), ...followingLines(following, pen));
  const others = causes.slice(max).flatMap(({ finding, following }) => [finding, ...following]);
  const rest = others.slice(0, MAX_NAMED).flatMap((finding) => folded("  ", oneLine(finding), pen));
  return [...lines, ...(rest.length > 0 ? [""] : []), ...rest, ...more(others, MAX_NAMED, pen)];
}

function followingLines(findings: Finding[], pen: Pen): string[] {
  if (findings.length === 0) return [];
  const lines = findings.flatMap((finding) => folded(`    ${dash(pen)} `, oneLine(finding), pen));
  return [`  ${pen.colors.dim("what follows from it")}`, ...lines];
}

function oneLine({ requirement, cause, checks, operations }: Finding): string {
  return `${line(requirement.id)}: ${cause}, ${placesInWords(operations, checks.length)}`;
}

function oneFinding(finding: Finding, pen: Pen, full: boolean): string[] {
  const { requirement, cause, first, checks, operations, cited } = finding;
  const { bold, dim, green, red } = pen.colors;
  const { outcome } = first;
  const mark = paint(pen, outcome, pen.plain ? outcome.toUpperCase() : SYMBOLS[outcome]);
  const lines = [
    `${mark} ${bold(line(requirement.id))} ${dim(`${requirement.level}, section ${line(requirement.section)}`)}`,
    ...folded("  ", line(requirement.statement), pen),
    ...labelled("cause", cause, pen),
    ...labelled("where", placesInWords(operations, checks.length), pen),
    ...(cited === undefined ? [] : labelled("section", citedWords(cited), pen)),
  ];
  if (first.expected !== undefined) lines.push(...labelled("expected", line(first.expected), pen, green));
  if (first.actual !== undefined) lines.push(...labelled("actual", line(first.actual), pen, red));
  if (first.expected === undefined) lines.push(...folded("  ", line(first.message ?? first.title), pen));
  if (first.waived !== undefined) {
    const { expires, reason } = first.waived;
    lines.push(...labelled("waived", `until ${line(expires)}: ${line(reason)}`, pen));
  }
  if (checks.length > 1) lines.push(...detailLines(finding, pen));
  if (full) lines.push(...stepLines(first, pen));
  if (full) lines.push(...exchangeLines(first, pen));
  if (first.reproduce !== undefined)
    lines.push(`  ${dim("again")}     ${shown(first.reproduce.command, 1_000)}`);
  return full ? [...lines, ...curlLines(first, pen)] : lines;
}

/** Returns the exchange that shows the fault, with a gutter before each line. */
function exchangeLines(check: CheckResult, { plain, colors: { dim } }: Pen): string[] {
  const exchange = decisiveExchange(check);
  if (exchange === undefined) return [];
  const lines = exchangeText(exchange, MAX_BODY, { brief: true })
    .replaceAll("\t", "  ")
    .replace("→", plain ? "->" : "→")
    .split("\n");
  const gutter = dim(plain ? "  |" : "  │");
  const left = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map((each) => `${gutter} ${dim(cut(each, MAX_LINE))}`),
    ...(left > 0 ? [`${gutter} ${dim(count(left, "more line"))}`] : []),
  ];
}

function stepLines(check: CheckResult, pen: Pen): string[] {
  const steps = stepsBefore(check);
  return steps.map((text, index) => {
    const label = index === 0 ? pen.colors.dim("before  ") : "        ";
    return `  ${label}  ${cut(text, MAX_LINE)}`;
  });
}

/** Returns the curl command, or says how long it is if it would fill the screen. */
function curlLines(check: CheckResult, pen: Pen): string[] {
  const command = check.reproduce?.curl ?? reproduction(check);
  if (command === undefined) return [];
  const steps = command.split("\n");
  if (steps.length > MAX_COMMAND.lines || command.length > MAX_COMMAND.characters)
    return labelled("curl", `${count(steps.length, "line")}, see report.html`, pen);
  return steps.map((step, index) => {
    const label = index === 0 ? pen.colors.dim("curl") : "    ";
    return `  ${label}      ${shown(step, MAX_COMMAND.characters)}`;
  });
}

/**
 * Returns the section with its place in the specification's text. Many terminals can open a place like
 * `spec/specification.md:31`.
 */
function citedWords({
  file,
  number: section,
  section: { title, line: at },
}: NonNullable<Finding["cited"]>): string {
  return `${line(section)} ${line(title)}, ${line(file)}:${at}`;
}

function detailLines({ checks, first }: Finding, pen: Pen): string[] {
  const { details, more: left } = detailsOf(checks, first, 4);
  if (details.length === 0) return [];
  const lines = details.flatMap((text) => folded(`    ${dash(pen)} `, line(text), pen));
  return [`  ${pen.colors.dim("also")}`, ...lines, ...(left > 0 ? [`    and ${number(left)} more`] : [])];
}

function placesInWords(operations: string[], checks: number): string {
  const named = operations.slice(0, 4).map((operation) => shown(operation, 60));
  const more = operations.length > named.length ? ` and ${operations.length - named.length} more` : "";
  return `${named.join(", ")}${more}${checks > 1 ? ` (${count(checks, "check")})` : ""}`;
}
