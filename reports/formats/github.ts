import { failures, warnings } from "../findings.ts";
import { headline } from "../headline.ts";
import { openQuestions } from "../outcome.ts";
import type { Report, RequirementResult } from "../report.ts";
import { shown } from "../text.ts";
import { unlocks, unlockWords } from "../unlocks.ts";

const MAX_ANNOTATIONS = 10;
const MAX_LINE = 500;

/**
 * Returns the failures as annotations of GitHub. Text of a service must not begin a line, because GitHub reads
 * commands there.
 */
export function renderGithub(report: Report): string {
  const lines: string[] = [];
  const found = failures(report);
  const shown = found.length > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : found.length;
  for (const { requirement, first, checks, operations } of found.slice(0, shown)) {
    const others = checks.length > 1 ? ` [${checks.length} checks on ${operations.length} operations]` : "";
    const again = first.reproduce === undefined ? [] : [`Again: ${oneLine(first.reproduce.command)}`];
    const what = `${oneLine(first.operation)}: ${oneLine(first.message ?? first.title)}${others}`;
    lines.push(
      workflowCommand(
        "error",
        titleOf(requirement),
        [oneLine(requirement.statement), what, ...again].join("\n"),
      ),
    );
  }
  if (found.length > shown) {
    lines.push(
      workflowCommand("error", "More failures", `… and ${found.length - shown} more, see report.html`),
    );
  }
  for (const warned of warnings(report).slice(0, MAX_ANNOTATIONS)) {
    const { requirement, first, operations } = warned;
    const others = operations.length > 1 ? ` [${operations.length} operations]` : "";
    const what = `${oneLine(first.operation)}: ${oneLine(first.message ?? first.title)}${others}`;
    lines.push(
      workflowCommand("warning", titleOf(requirement), [oneLine(requirement.statement), what].join("\n")),
    );
  }
  for (const complaint of report.complaints ?? [])
    lines.push(workflowCommand("error", "Run", oneLine(complaint)));
  const { title, sentence } = headline(report);
  // Exit code 3 fails the job.
  const open = report.verdict === "inconclusive" || openQuestions(report).length > 0;
  const stopped = found.length === 0 && open && report.run.options.allowInconclusive !== true;
  const kind = stopped || (found.length === 0 && report.problem !== undefined) ? "error" : "notice";
  const more = unlocks(report)
    .slice(0, 3)
    .map((each) => `Would test more: ${oneLine(each.offer)}: ${oneLine(unlockWords(each))}`);
  lines.push(
    workflowCommand(kind, `${report.suite.name}: ${title}`, [oneLine(sentence), ...more].join("\n")),
  );
  return `${lines.join("\n")}\n`;
}

function titleOf({ id, level, section }: RequirementResult): string {
  return `${id} (${level}, section ${section})`;
}

function workflowCommand(kind: "error" | "warning" | "notice", title: string, message: string): string {
  return `::${kind} title=${escapeProperty(oneLine(title))}::${escapeData(message)}`;
}

function oneLine(text: string): string {
  return shown(text, MAX_LINE);
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
