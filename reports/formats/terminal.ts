import picocolors from "picocolors";
import { groupedBy } from "../../spec/grouped.ts";
import { failures, knownFindings, unsteadyFindings, waivedFindings, warnings } from "../findings.ts";
import { headline, labelsInWords, mustCounts, rulesOffInWords } from "../headline.ts";
import { isNotOffered, LEVELS, OUTCOMES, summarise, untestedMusts } from "../outcome.ts";
import type { CheckResult, Level, Report } from "../report.ts";
import { count, duration, number, shown, withoutInlineCommands } from "../text.ts";
import { hardlyTestedWords, unlocks, unlockWords } from "../unlocks.ts";
import { dash, folded, line, MAX_LINE, more, type Pen, paint, SYMBOLS, verdictSentence } from "./pen.ts";
import { findingLines } from "./terminal-findings.ts";

export interface TerminalOptions {
  color: boolean;
  style: "pretty" | "plain";
  maxFindings?: number;
  /** Columns. By default, prose does not wrap. */
  width?: number;
}

/** Returns the report as text for the terminal. The most important part is last, because the terminal stops there. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const pen: Pen = {
    colors: picocolors.createColors(options.color),
    plain: options.style === "plain",
    width: options.width ?? Number.POSITIVE_INFINITY,
  };
  const max = options.maxFindings ?? 10;
  // Details are shown only if the target could be judged.
  const details = () => [
    ...operationTable(report, pen),
    ...findingLines("Waived", waivedFindings(report), pen, { max, full: false }),
    ...findingLines("Known from the baseline", knownFindings(report), pen, { max, full: false }),
    ...findingLines("Unsteady (seen once and not again: no evidence)", unsteadyFindings(report), pen, {
      max,
      full: false,
    }),
    ...findingLines("Warnings", warnings(report), pen, { max, full: false }),
    ...untestedLines(report, pen, max),
    ...hardlyTestedLines(report, pen, max),
    ...unlockLines(report, pen, max),
    ...assumedLines(report, pen),
    ...findingLines("Failures", failures(report), pen, { max, full: true }),
  ];
  const judged = report.problem === undefined || failures(report).length > 0;
  const lines = [...(judged ? details() : []), ...verdictLines(report, pen)];
  return `${withoutInlineCommands(lines.join("\n"))}\n`;
}

/** Returns the table of outcomes by operation and level. */
function operationTable(report: Report, pen: Pen): string[] {
  const judged = report.checks.filter(({ outcome }) => report.judged === undefined || outcome !== "skip");
  const operations = groupedBy(judged, ({ operation }) => operation);
  if (operations.size === 0) return [];
  const rows = [...operations].map(([operation, checks]) => ({
    operation: shown(operation, 48),
    cells: LEVELS.map((level) => countsCell(checks, level, pen)),
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

/** Returns a cell of counts with its width, because colours have none. */
function countsCell(checks: CheckResult[], level: Level, pen: Pen): { text: string; width: number } {
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

/** Returns the MUST requirements in scope that nothing tested, at most `max`, with the reasons. */
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
    const reason = mostFrequentMessage(
      own.filter(({ reason }) => reason !== undefined && !isNotOffered(reason)),
    );
    if (reason !== undefined) lines.push(...folded("    ", shown(reason, MAX_LINE), pen, pen.colors.dim));
  }
  return [...lines, ...more(untested, max * 2, pen)];
}

/** Returns the operations of which little was tested. */
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

const MOST_ASSUMED = 5;

function assumedLines({ assumed = [] }: Report, pen: Pen): string[] {
  if (assumed.length === 0) return [];
  const lines = assumed.slice(0, MOST_ASSUMED).flatMap(({ statement }) => folded("  ", line(statement), pen));
  const rest = assumed.length - MOST_ASSUMED;
  const left = rest > 0 ? [`  ${number(rest)} more in the report`] : [];
  return ["", pen.colors.bold("Assumed about this service"), ...lines, ...left];
}

function mostFrequentMessage(checks: CheckResult[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { message } of checks) {
    if (message !== undefined) counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Returns the last lines: the verdict, the counts, and the facts of the run. */
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
      `  ${line(report.suite.name)} ${line(report.suite.version)}${separator}spec ${line(report.spec.sha256.slice(0, 12))}${separator}${sentInWords(report, separator)}`,
    ),
  ];
}

/** Judging recorded traffic sends nothing and has no seed. */
function sentInWords({ judged, run }: Report, separator: string): string {
  const time = duration(run.durationMs);
  if (judged !== undefined) return `judged in ${time}`;
  return `seed ${run.seed}${separator}${count(run.requests, "request")} in ${time}`;
}
