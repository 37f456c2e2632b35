import { relative, resolve } from "node:path";
import { anchorOf } from "../../spec/specification-text.ts";
import { evidenceInWords } from "../assumed.ts";
import { detailsOf } from "../causes.ts";
import { decisiveExchange, exchangeText } from "../exchange.ts";
import {
  type Finding,
  failures,
  findingsInWords,
  knownFindings,
  underCauses,
  unsteadyFindings,
  waivedFindings,
  warnings,
} from "../findings.ts";
import { headline, labelsInWords, mustCounts, rulesOffInWords } from "../headline.ts";
import { REASON_TEXT, untestedMusts } from "../outcome.ts";
import type { CheckResult, Report, SkipReason } from "../report.ts";
import { stepsBefore } from "../steps.ts";
import { count, cut, duration, number } from "../text.ts";
import { hardlyTestedWords, unlocks, unlockWords } from "../unlocks.ts";
import { code, fence, prose, sentence } from "./markdown-text.ts";

export interface MarkdownOptions {
  /** Characters. The default fits into a comment on GitHub or GitLab. */
  maxLength?: number;
  folder?: string;
}

const MAX_BODY = 1_500;

/** Escapes all text of a service. */
export function renderMarkdown(report: Report, options: MarkdownOptions = {}): string {
  const maxLength = options.maxLength ?? 60_000;
  const top = [...verdictLines(report), ...countTable(report), ...aboutTheRun(report)].join("\n");
  const bottom = runLines(report).join("\n");
  const sections = [
    findingSection("Failures", failures(report), options),
    findingSection("Known from the baseline", knownFindings(report), options),
    findingSection("Warnings", warnings(report), options),
    findingSection("Unsteady", unsteadyFindings(report), options),
    findingSection("Waived", waivedFindings(report), options),
    untestedSection(report),
    hardlyTestedSection(report),
    unlockSection(report),
    assumedSection(report),
    outOfScopeSection(report),
  ];
  let room = maxLength - top.length - bottom.length - 200;
  const parts = [top];
  for (const section of sections) {
    if (section.items.length === 0) continue;
    const heading = `\n\n## ${section.title}\n`;
    const fitting = fittingLines(section, room - heading.length - 60);
    room -= heading.length + 60 + lengthOf(fitting);
    const missing = section.items.length - fitting.length;
    const more = missing > 0 ? [`\n… and ${number(missing)} more, see \`report.html\`.`] : [];
    parts.push([heading, ...fitting, ...more].join("\n"));
  }
  return `${parts.join("")}\n\n${bottom}\n`;
}

/**
 * Returns the lines of the section that fit into the length. Items that do not fit are replaced by one line
 * (`short`).
 */
function fittingLines({ items, short = [] }: Section, length: number): string[] {
  const fitting: string[] = [];
  let room = length - lengthOf(short);
  for (const [index, item] of items.entries()) {
    const line = short[index];
    const more = item.length + 1 - (line === undefined ? 0 : line.length + 1);
    if (more > room) break;
    fitting.push(item);
    room -= more;
  }
  room = length - lengthOf(fitting);
  for (const line of short.slice(fitting.length)) {
    if (line.length + 1 > room) break;
    fitting.push(line);
    room -= line.length + 1;
  }
  return fitting;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

const SYMBOL = { conformant: "✅", nonconformant: "❌", inconclusive: "⚠️" } as const;

/** Returns the head of the report: the verdict in a sentence, and the target. */
function verdictLines(report: Report): string[] {
  const { title, sentence } = headline(report);
  const labels = labelsInWords(report);
  return [
    `# ${SYMBOL[report.verdict]} ${title}`,
    "",
    `${prose(sentence)}`,
    "",
    `Target: ${code(report.target.baseUrl)}${report.target.embedded ? " (the embedded reference service)" : ""}${labels === "" ? "" : `, ${code(labels)}`}`,
    "",
  ];
}

/** Returns the table of checks and MUST requirements by outcome. */
function countTable(report: Report): string[] {
  const { summary } = report;
  const musts = mustCounts(report);
  return [
    "| | Pass | Fail | Warn | Note | Unsteady | Skip | Waived |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    `| Checks | ${[summary.pass, summary.fail, summary.warn, summary.note, summary.unsteady ?? 0, summary.skip, summary.waived].map(number).join(" | ")} |`,
    "",
    `MUST requirements: ${number(musts.tested)} of ${number(musts.total)} tested, ${number(musts.failing)} violated, ` +
      (musts.waived > 0 ? `${number(musts.waived)} waived, ` : "") +
      `${number(musts.untested)} in scope untested, ${number(musts.outOfScope)} out of scope.`,
  ];
}

function aboutTheRun(report: Report): string[] {
  const said = [...(report.complaints ?? []).slice(0, 20), ...(report.notices ?? []).slice(0, 20)];
  return said.map((each) => `\n- ${code(each)}`);
}

interface Section {
  title: string;
  items: string[];
  short?: string[];
}

function findingSection(title: string, findings: Finding[], options: MarkdownOptions): Section {
  const checks = findings.reduce((sum, finding) => sum + finding.checks.length, 0);
  const causes = underCauses(findings);
  return {
    title: `${title} (${findingsInWords(findings)}, ${count(checks, "check")})`,
    items: causes.map(({ finding, following }) => findingText(finding, following, options)),
    short: causes.map(({ finding, following }) =>
      [findingLine(finding), ...following.map((each) => `  ${findingLine(each)}`)].join("\n"),
    ),
  };
}

/** Returns the section of the requirement, as a link if the specification's text is known. */
function sectionLink({ requirement, cited }: Finding, folder = "."): string {
  if (cited === undefined) return prose(requirement.section);
  const {
    file,
    number: section,
    section: { title },
  } = cited;
  const words = `${prose(section)} ${prose(cut(title, 200))}`;
  const path = relative(resolve(folder), resolve(file)).replaceAll("\\", "/");
  // The report may be read where nobody has the package: in a comment on a pull request.
  const isReadable = /^[\w./@+-]+$/.test(path) && !path.includes("node_modules/");
  return isReadable ? `[${words}](${path}#${anchorOf(section, title)})` : words;
}

/**
 * Returns one finding: the broken sentence, the expected and the actual value, the exchange and a command that shows
 * it again.
 */
function findingText(finding: Finding, following: Finding[], { folder }: MarkdownOptions): string {
  const { requirement, cause, first, checks, operations } = finding;
  const exchange = decisiveExchange(first);
  const lines = [
    `### ${code(requirement.id)} ${requirement.level}, section ${sectionLink(finding, folder)}`,
    "",
    sentence(cut(requirement.statement, 1_000)),
    "",
    `- Cause: ${prose(cause)}`,
    `- Where: ${operationList(operations)}${checks.length > 1 ? ` (${count(checks.length, "check")})` : ""}`,
    ...factLines(first),
    ...(checks.length > 1 ? detailLines(finding) : []),
    ...(following.length > 0 ? ["- What follows from it:"] : []),
    ...following.map((each) => `  ${findingLine(each)}`),
  ];
  if (exchange !== undefined) {
    lines.push(
      "",
      "<details><summary>Exchange</summary>",
      "",
      fence(exchangeText(exchange, MAX_BODY), "http"),
    );
    lines.push("", "</details>");
  }
  return `${lines.join("\n")}\n`;
}

function detailLines({ checks, first }: Finding): string[] {
  const { details, more } = detailsOf(checks, first, 5);
  if (details.length === 0) return [];
  const rest = more > 0 ? [`  - … and ${number(more)} more`] : [];
  return ["- Also:", ...details.map((text) => `  - ${code(text)}`), ...rest];
}

function findingLine({ requirement, cause, checks, operations }: Finding): string {
  return `- ${code(requirement.id)} ${prose(cause)}: ${code(operations[0] ?? "")}${operations.length > 1 ? ` and ${number(operations.length - 1)} more` : ""} (${count(checks.length, "check")})`;
}

/** Returns the expected and the actual value, as items of a list. */
function factLines(check: CheckResult): string[] {
  const lines: string[] = [];
  if (check.expected !== undefined) lines.push(`- Expected: ${code(check.expected)}`);
  if (check.actual !== undefined) lines.push(`- Actual: ${code(check.actual)}`);
  if (check.expected === undefined && check.message !== undefined) lines.push(`- ${code(check.message)}`);
  if (check.waived !== undefined) {
    lines.push(`- Waived until ${code(check.waived.expires)}: ${prose(check.waived.reason)}`);
  }
  const steps = stepsBefore(check);
  if (steps.length > 0) lines.push("- Before:", ...steps.map((step) => `  - ${code(step)}`));
  if (check.reproduce !== undefined) lines.push(`- Again: ${code(check.reproduce.command, 1_000)}`);
  return lines;
}

function operationList(operations: string[]): string {
  const shown = operations.slice(0, 8).map((operation) => code(operation));
  const more = operations.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns the section on MUST requirements in scope that nothing tested. */
function untestedSection(report: Report): Section {
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const items = untestedMusts(report.requirements).map((requirement) => {
    const reasons = new Set<SkipReason>();
    for (const id of requirement.checks) {
      const reason = checks.get(id)?.reason;
      if (reason !== undefined) reasons.add(reason);
    }
    const why = [...reasons].map((reason) => REASON_TEXT[reason]).join("; ") || "no check ran";
    return `- ${code(requirement.id)} ${sentence(cut(requirement.statement, 300))} Not tested: ${why}.`;
  });
  return { title: `MUST requirements not tested (${number(items.length)})`, items };
}

function hardlyTestedSection(report: Report): Section {
  const items = hardlyTestedWords(report).map(
    ({ operation, words }) => `- ${code(operation)} ${prose(words)}`,
  );
  return { title: `Operations hardly tested (${number(items.length)})`, items };
}

function unlockSection(report: Report): Section {
  const items = unlocks(report).map((each) => {
    const offer = each.isOption ? code(each.offer) : prose(each.offer);
    return `- ${offer}: ${prose(unlockWords(each))}`;
  });
  return { title: "What would test more", items };
}

function assumedSection({ assumed = [] }: Report): Section {
  const items = assumed.map((each) => `- ${prose(each.statement)} Seen: ${prose(evidenceInWords(each))}.`);
  return { title: `Assumed about this service (${number(items.length)})`, items };
}

function outOfScopeSection(report: Report): Section {
  const items = report.requirements
    .filter(({ level, inScope, checks }) => level === "MUST" && !inScope && checks.length > 0)
    .map((requirement) => `- ${code(requirement.id)} ${prose(cut(requirement.scopeReason ?? "", 300))}`);
  return { title: `MUST requirements out of scope (${number(items.length)})`, items };
}

/** Returns the facts of the run, which end the report. */
function runLines(report: Report): string[] {
  const { run, suite, spec, profile } = report;
  const rulesOff = rulesOffInWords(report);
  const promises = profile
    ? `, profile ${prose(cut(profile.name, 100))} ${code(profile.sha256.slice(0, 12))}`
    : "";
  return [
    `${prose(suite.name)} ${prose(suite.version)}, specification ${code(spec.sha256.slice(0, 12))}${promises}, seed ${run.seed}, ` +
      `${count(run.requests, "request")} in ${duration(run.durationMs)}.`,
    ...(rulesOff === undefined ? [] : [prose(rulesOff)]),
  ];
}
