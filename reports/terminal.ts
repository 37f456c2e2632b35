import picocolors from "picocolors";
import { detailsOf } from "./causes.ts";
import { decisive, exchangeText } from "./exchange.ts";
import {
  type Finding,
  failures,
  findingsInWords,
  knownFindings,
  underCauses,
  unsteadyFindings,
  waivedFindings,
  warnings,
} from "./findings.ts";
import { headline, labelsInWords, mustCounts, rulesOffInWords } from "./headline.ts";
import { isNotOffered, LEVELS, OUTCOMES, summarise, untestedMusts } from "./outcome.ts";
import { dash, folded, labelled, type Pen, verdictSentence } from "./pen.ts";
import type { CheckResult, Level, Outcome, Report } from "./report.ts";
import { count, cut, duration, number, shown } from "./text.ts";
import { hardlyTestedWords, unlocks, unlockWords } from "./unlocks.ts";

export interface TerminalOptions {
  /** Whether to write ANSI colours. */
  color: boolean;
  /** `pretty` marks outcomes with symbols, `plain` with words in ASCII. */
  style: "pretty" | "plain";
  /** How many kinds of failure to show in full. Default 10. */
  maxFindings?: number;
  /** Columns at which prose is broken between its words; by default nowhere. */
  width?: number;
}

const MAX_BODY = 600;
const MAX_LINE = 300;
/** Of one exchange. */
const MAX_LINES = 50;
/** Findings that are named, after those that are shown in full. */
const MAX_NAMED = 200;

/**
 * The end of a run on a terminal: operations by level, the failures with what it takes to see them again, counts
 * and verdict, the most important last. Service bytes are inert: no escape sequence of theirs reaches the terminal.
 */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const pen: Pen = {
    colors: picocolors.createColors(options.color),
    plain: options.style === "plain",
    width: options.width ?? Number.POSITIVE_INFINITY,
  };
  const max = options.maxFindings ?? 10;
  // Where the target could not be judged there is one thing to say.
  const details = () => [
    ...operationTable(report, pen),
    ...findingLines("Waived", waivedFindings(report), pen, max, false),
    ...findingLines("Known from the baseline", knownFindings(report), pen, max, false),
    ...findingLines("Unsteady (part of no verdict)", unsteadyFindings(report), pen, max, false),
    ...findingLines("Warnings", warnings(report), pen, max, false),
    ...untestedLines(report, pen, max),
    ...hardlyTestedLines(report, pen, max),
    ...unlockLines(report, pen, max),
    ...findingLines("Failures", failures(report), pen, max, true),
  ];
  const judged = report.problem === undefined || failures(report).length > 0;
  const lines = [...(judged ? details() : []), ...verdictLines(report, pen)];
  // CI servers read commands from what is printed: `##vso[…]` anywhere, `::error::` at the start of a line (which
  // the gutter before every line of an exchange prevents).
  return `${lines.join("\n").replace(/##(?=[a-z]*\[)/gi, "#\\x23")}\n`;
}

const SYMBOLS: Record<Outcome, string> = {
  pass: "✓",
  fail: "✗",
  warn: "!",
  note: "i",
  unsteady: "≈",
  skip: "–",
};

function paint(pen: Pen, outcome: Outcome, text: string): string {
  const { green, red, yellow, cyan, dim } = pen.colors;
  return { pass: green, fail: red, warn: yellow, note: cyan, unsteady: yellow, skip: dim }[outcome](text);
}

function operationTable(report: Report, pen: Pen): string[] {
  const operations = new Map<string, CheckResult[]>();
  for (const check of report.checks) {
    const members = operations.get(check.operation);
    if (members === undefined) operations.set(check.operation, [check]);
    else members.push(check);
  }
  if (operations.size === 0) return [];
  const rows = [...operations].map(([operation, checks]) => ({
    operation: shown(operation, 48),
    cells: LEVELS.map((level) => cell(checks, level, pen)),
  }));
  const nameWidth = Math.max(9, ...rows.map((row) => row.operation.length));
  const widths = LEVELS.map((level, index) =>
    Math.max(level.length, ...rows.map((row) => row.cells[index]?.width ?? 0)),
  );
  const header = ["Operation".padEnd(nameWidth), ...LEVELS.map((level, i) => level.padEnd(widths[i] ?? 0))];
  const body = rows.map(({ operation, cells }) => {
    const parts = cells.map(({ text, width }, i) => text + " ".repeat((widths[i] ?? 0) - width));
    return `${operation.padEnd(nameWidth)}  ${parts.join("  ")}`.trimEnd();
  });
  return ["", pen.colors.bold(header.join("  ").trimEnd()), ...body];
}

function cell(checks: CheckResult[], level: Level, pen: Pen): { text: string; width: number } {
  const summary = summarise(checks.filter((check) => check.level === level));
  const parts: { bare: string; text: string }[] = [];
  for (const outcome of OUTCOMES) {
    if (summary[outcome] === 0) continue;
    const bare = pen.plain ? `${summary[outcome]} ${outcome}` : `${summary[outcome]} ${SYMBOLS[outcome]}`;
    parts.push({ bare, text: paint(pen, outcome, bare) });
  }
  if (summary.waived > 0) parts.push({ bare: `${summary.waived} waived`, text: `${summary.waived} waived` });
  return {
    text: parts.map((part) => part.text).join(" "),
    width: parts.map((part) => part.bare).join(" ").length,
  };
}

function findingLines(title: string, findings: Finding[], pen: Pen, max: number, full: boolean): string[] {
  if (findings.length === 0) return [];
  const checks = findings.reduce((sum, finding) => sum + finding.checks.length, 0);
  const lines = ["", pen.colors.bold(`${title}: ${findingsInWords(findings)}, ${count(checks, "check")}`)];
  const causes = underCauses(findings);
  for (const { finding, following } of causes.slice(0, max))
    lines.push("", ...oneFinding(finding, pen, full), ...followingLines(following, pen));
  // None is left unnamed: a line for each that is not shown in full.
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
  return `${line(requirement.id)}: ${cause}, ${where(operations, checks.length)}`;
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
    ...labelled("where", where(operations, checks.length), pen),
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
  const exchange = full ? decisive(first) : undefined;
  if (exchange !== undefined) {
    const text = exchangeText(exchange, MAX_BODY, { brief: true })
      .replaceAll("\t", "  ")
      .replace("→", pen.plain ? "->" : "→");
    const all = text.split("\n");
    const gutter = dim(pen.plain ? "  |" : "  │");
    lines.push(...all.slice(0, MAX_LINES).map((each) => `${gutter} ${dim(cut(each, MAX_LINE))}`));
    if (all.length > MAX_LINES) lines.push(`${gutter} ${dim(count(all.length - MAX_LINES, "more line"))}`);
  }
  if (first.reproduce !== undefined)
    lines.push(`  ${dim("again")}     ${shown(first.reproduce.command, 1_000)}`);
  return lines;
}

/** `2.2 Pagination object, spec/specification.md:31`: terminals and editors open it at the line. */
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

function where(operations: string[], checks: number): string {
  const named = operations.slice(0, 4).map((operation) => shown(operation, 60));
  const more = operations.length > named.length ? ` and ${operations.length - named.length} more` : "";
  return `${named.join(", ")}${more}${checks > 1 ? ` (${count(checks, "check")})` : ""}`;
}

function untestedLines(report: Report, pen: Pen, max: number): string[] {
  const untested = untestedMusts(report.requirements);
  if (untested.length === 0) return [];
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const lines = ["", pen.colors.bold(`MUST requirements in scope that nothing tested: ${untested.length}`)];
  for (const requirement of untested.slice(0, max * 2)) {
    const own = requirement.checks.flatMap((id) => checks.get(id) ?? []);
    const why = new Set(own.flatMap(({ reason }) => reason ?? []));
    const text = why.size === 0 ? "no check ran" : [...why].join(", ");
    lines.push(`  ${paint(pen, "skip", dash(pen))} ${line(requirement.id)} (${text})`);
    const told = mostTold(own.filter(({ reason }) => reason !== undefined && !isNotOffered(reason)));
    if (told !== undefined) lines.push(...folded("    ", shown(told, MAX_LINE), pen, pen.colors.dim));
  }
  return [...lines, ...more(untested, max * 2, pen)];
}

function hardlyTestedLines(report: Report, pen: Pen, max: number): string[] {
  const found = hardlyTestedWords(report);
  if (found.length === 0) return [];
  const lines = found
    .slice(0, max * 2)
    .flatMap(({ operation, words }) => folded("  ", `${line(operation)}: ${line(words)}`, pen));
  return [
    "",
    pen.colors.bold(`Hardly tested: ${count(found.length, "operation")}`),
    ...lines,
    ...more(found, max * 2, pen),
  ];
}

function unlockLines(report: Report, pen: Pen, max: number): string[] {
  const found = unlocks(report);
  if (found.length === 0) return [];
  const lines = found
    .slice(0, max)
    .flatMap((each) => folded("  ", `${line(each.offer)}: ${line(unlockWords(each))}`, pen));
  return ["", pen.colors.bold("What would test more"), ...lines, ...more(found, max, pen)];
}

function more(all: readonly unknown[], shownOf: number, pen: Pen): string[] {
  const left = all.length - shownOf;
  return left > 0 ? [`  ${pen.plain ? "..." : "…"} and ${number(left)} more, see report.html`] : [];
}

/** What most of some checks say of why they did not test. */
function mostTold(checks: CheckResult[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { message } of checks) {
    if (message !== undefined) counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function verdictLines(report: Report, pen: Pen): string[] {
  const { bold, green, red, yellow, dim } = pen.colors;
  const { title, sentence } = headline(report);
  const musts = mustCounts(report);
  const labels = labelsInWords(report);
  const rulesOff = rulesOffInWords(report);
  const color = { conformant: green, nonconformant: red, inconclusive: yellow }[report.verdict];
  const counts = OUTCOMES.map((outcome) =>
    paint(pen, outcome, `${number(report.summary[outcome] ?? 0)} ${outcome}`),
  );
  if (report.summary.waived > 0) counts.push(`${number(report.summary.waived)} waived`);
  if (report.summary.known !== undefined)
    counts.push(`${number(report.summary.known)} of the failures known`);
  const separator = pen.plain ? ", " : " · ";
  const complaints = (report.complaints ?? [])
    .slice(0, 20)
    .flatMap((each) => folded("  ", line(each), pen, red));
  const notices = (report.notices ?? []).slice(0, 20).flatMap((each) => folded("  ", line(each), pen));
  return [
    "",
    ...verdictSentence(title.toUpperCase(), shown(sentence, MAX_LINE * 2), pen, (text) => bold(color(text))),
    ...complaints,
    ...notices,
    `  checks    ${counts.join(separator)}`,
    `  MUST      ${musts.tested} of ${musts.total} tested${separator}${musts.failing} violated${separator}${musts.waived > 0 ? `${musts.waived} waived${separator}` : ""}${musts.untested} in scope untested${separator}${musts.outOfScope} out of scope`,
    `  target    ${line(report.target.baseUrl)}${report.target.embedded ? " (embedded reference service)" : ""}`,
    ...(report.profile
      ? [`  profile   ${line(report.profile.name)} (${line(report.profile.sha256.slice(0, 12))})`]
      : []),
    ...(rulesOff === undefined ? [] : folded("  ", rulesOff, pen, yellow)),
    ...(labels === "" ? [] : [`  labels    ${line(labels)}`]),
    dim(
      `  ${line(report.suite.name)} ${line(report.suite.version)}${separator}spec ${line(report.spec.sha256.slice(0, 12))}${separator}seed ${report.run.seed}${separator}${count(report.run.requests, "request")} in ${duration(report.run.durationMs)}`,
    ),
  ];
}

function line(text: string): string {
  return shown(text, MAX_LINE);
}
