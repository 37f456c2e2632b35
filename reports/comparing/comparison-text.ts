import picocolors from "picocolors";
import { exchangeText } from "../exchange.ts";
import { code, prose, sentence } from "../formats/markdown-text.ts";
import { count, cut, number, shown, withoutInlineCommands } from "../text.ts";
import type { Change, Comparison } from "./compare.ts";
import type { Decision } from "./observation-changes.ts";

const MAX_LINE = 300;
const MAX_ITEMS = 50;
const MAX_EXCHANGES = 20;

/** Returns the title and the sentence with which every format begins a comparison. */
export function comparisonHeadline(comparison: Comparison): { title: string; sentence: string } {
  const { regressions, fixes, conditions, decisions, otherChanges } = comparison;
  const waived = otherChanges.filter((change) => change.waived && change.old === "pass");
  const butFor = waived.length === 0 ? "" : `, but for ${comparedCount(waived)} that waivers cover`;
  const said = [
    regressions.length === 0
      ? `Nothing that held before fails now${butFor}.`
      : `${comparedCount(regressions)} held before and ${regressions.length === 1 ? "fails" : "fail"} now.`,
  ];
  const chosen = failingChanges(comparison);
  if (chosen > 0) said.push(`${count(chosen, "observation")} that --fail-on-changes chooses changed.`);
  if (fixes.length > 0)
    said.push(`${comparedCount(fixes)} failed before and ${fixes.length === 1 ? "holds" : "hold"} now.`);
  const matters = conditions.filter(({ kind }) => kind !== "seed").length;
  const changes = comparisonLists(comparison).length + decisions.length;
  if (matters > 0 && changes > 0) {
    const differ = count(matters, "condition of the runs differs", "conditions of the runs differ");
    said.push(`${differ}, so a change may not be the service's.`);
  }
  if (comparison.doubts.length > 0) said.unshift(...comparison.doubts);
  const title = titleOf(comparison);
  const between = labelWords(comparison);
  return { title: between === "" ? title : `${title}, ${between}`, sentence: said.join(" ") };
}

function titleOf(comparison: Comparison): string {
  const { regressions, doubts } = comparison;
  if (regressions.length > 0)
    return count(regressions.filter(isMain).length || regressions.length, "regression");
  const chosen = failingChanges(comparison);
  if (chosen > 0) return count(chosen, "chosen observation changed", "chosen observations changed");
  return doubts.length > 0 ? "Not comparable" : "No regression";
}

export function failingChanges({ observations }: Pick<Comparison, "observations">): number {
  return observations.filter(({ failing }) => failing).length;
}

function labelWords({ old, new: now }: Pick<Comparison, "old" | "new">): string {
  const names = [...new Set([...Object.keys(old.labels), ...Object.keys(now.labels)])];
  return names
    .filter((name) => old.labels[name] !== now.labels[name])
    .map((name) => `${name} ${old.labels[name] ?? "unnamed"} to ${now.labels[name] ?? "unnamed"}`)
    .join(", ");
}

export function toneOf(comparison: Comparison): "conformant" | "nonconformant" | "inconclusive" {
  if (comparison.regressions.length > 0 || failingChanges(comparison) > 0) return "nonconformant";
  return comparison.doubts.length > 0 ? "inconclusive" : "conformant";
}

function isMain(change: Change): boolean {
  return change.kind === "requirement";
}

export function comparedCount(changes: Change[]): string {
  const requirements = changes.filter(isMain).length;
  const checks = changes.length - requirements;
  const parts: string[] = [];
  if (requirements > 0) parts.push(count(requirements, "requirement"));
  if (checks > 0) parts.push(count(checks, "check"));
  return parts.join(" and ");
}

interface ComparisonList {
  title: string;
  changes: Change[];
  isOfRegressions?: boolean;
}

/** Returns the lists of changes in the order in which every format shows them. */
export function comparisonLists(comparison: Comparison): ComparisonList[] {
  return [
    { title: "Regressions", changes: comparison.regressions, isOfRegressions: true },
    { title: "Fixes", changes: comparison.fixes },
    { title: "Newly tested", changes: comparison.newlyTested },
    { title: "No longer tested", changes: comparison.noLongerTested },
    { title: "Other changes", changes: comparison.otherChanges },
  ].filter(({ changes }) => changes.length > 0);
}

/**
 * Returns a text such as `400 → 422, 245 times at 19 operations, for example at GET /banks, country
 * minLength`.
 */
export function decisionWords(
  { old, new: now, count: times, operations, example }: Decision,
  arrow = "→",
): string {
  const where =
    times === 1
      ? ` at ${example.operation}`
      : `, ${number(times)} times at ${count(operations.length, "operation")}, for example at ${example.operation}, ${example.subject}`;
  return `${old} ${arrow} ${now}${where}`;
}

export function decisionCount({
  decisions,
  observations,
}: Pick<Comparison, "decisions" | "observations">): string {
  const decided = count(decisions.length, "decision");
  return observations.length === decisions.length
    ? decided
    : `${decided} (${count(observations.length, "observation")})`;
}

export function notComparedWords({
  notCompared: { old, new: now },
}: Pick<Comparison, "notCompared">): string | undefined {
  if (old + now === 0) return undefined;
  return `The runs have different depths: ${count(old, "check")} of the old one and ${number(now)} of the new one have no counterpart and are not compared.`;
}

function outcomeWords(change: Change, arrow = "→"): string {
  const why = change.waived ? "waived" : change.reason;
  return `${change.old ?? "absent"} ${arrow} ${change.new ?? "absent"}${why === undefined ? "" : ` (${why})`}`;
}

export function renderComparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}

export function renderComparisonText(comparison: Comparison, options: { color: boolean }): string {
  const colors = picocolors.createColors(options.color);
  const { title, sentence: said } = comparisonHeadline(comparison);
  const paint = { nonconformant: colors.red, inconclusive: colors.yellow, conformant: colors.green }[
    toneOf(comparison)
  ];
  const uncompared = notComparedWords(comparison);
  const lines = [
    `old  ${oneLine(comparison.old.baseUrl)}  ${comparison.old.startedAt}  ${comparison.old.verdict}`,
    `new  ${oneLine(comparison.new.baseUrl)}  ${comparison.new.startedAt}  ${comparison.new.verdict}`,
    ...conditionLines(comparison, colors),
    ...comparisonLists(comparison).flatMap((list) => changeLines(list, colors)),
    ...decisionLines(comparison, colors),
    ...(uncompared === undefined ? [] : ["", uncompared]),
    "",
    `${colors.bold(paint(oneLine(title.toUpperCase())))}  ${shown(said, 1_000)}`,
  ];
  return `${withoutInlineCommands(lines.join("\n"))}\n`;
}

type Colors = ReturnType<typeof picocolors.createColors>;

/** Returns lines on what differs between the runs themselves. */
function conditionLines({ conditions }: Comparison, { bold }: Colors): string[] {
  if (conditions.length === 0) return [];
  const words = conditions
    .slice(0, MAX_ITEMS)
    .map(
      ({ kind, name, old, new: now }) =>
        `  ${kind === "setting" ? "setting " : ""}${oneLine(name)}: ${oneLine(old)} -> ${oneLine(now)}`,
    );
  return ["", bold("Different conditions"), ...words];
}

/** Returns one line for each change, and the message of regressions. */
function changeLines({ title, changes, isOfRegressions }: ComparisonList, colors: Colors): string[] {
  const { bold, red, dim } = colors;
  const each = changes.slice(0, MAX_ITEMS).flatMap((change, index) => {
    const words = `  ${outcomeWords(change, "->")}  ${oneLine(change.id)}`;
    const isExplained = change.failing && change.message !== undefined;
    return [
      change.failing ? red(words) : words,
      ...(isExplained ? [dim(`      ${oneLine(change.message ?? "")}`)] : []),
      ...(isOfRegressions && index < MAX_EXCHANGES ? howToSee(change) : []),
    ];
  });
  return ["", bold(`${title}: ${comparedCount(changes)}`), ...each, ...moreLine(changes.length)];
}

/** Returns one line for each changed decision of the service. */
function decisionLines(comparison: Comparison, { bold, red }: Colors): string[] {
  const { decisions } = comparison;
  if (decisions.length === 0) return [];
  const words = decisions.slice(0, MAX_ITEMS).map((each) => {
    const text = `  ${oneLine(each.about)}: ${oneLine(decisionWords(each, "->"))}`;
    return each.failing ? red(`${text} (chosen by --fail-on-changes)`) : text;
  });
  const heading = bold(`Where the specification is silent: ${decisionCount(comparison)}`);
  return ["", heading, ...words, ...moreLine(decisions.length)];
}

function howToSee({ exchange, command }: Change): string[] {
  const text =
    exchange === undefined
      ? []
      : exchangeText(exchange, 600).replaceAll("\t", "  ").replace("→", "->").split("\n");
  const again = command === undefined ? [] : [`      again  ${shown(command, 1_000)}`];
  return [...text.slice(0, 40).map((each) => `      | ${cut(each, MAX_LINE)}`), ...again];
}

function moreLine(total: number): string[] {
  return total > MAX_ITEMS ? [`  ... and ${number(total - MAX_ITEMS)} more`] : [];
}

function oneLine(text: string): string {
  return shown(text, MAX_LINE);
}

/**
 * Returns the comparison as Markdown, cut to the length that fits. A pull request comment has room for about
 * 60,000 characters.
 */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { title, sentence: said } = comparisonHeadline(comparison);
  const { old, new: now } = comparison;
  const parts = [
    `# ${{ nonconformant: "❌", inconclusive: "⚠️", conformant: "✅" }[toneOf(comparison)]} ${prose(title)}`,
    prose(said),
    [
      "| | Service | Started | Verdict |",
      "|---|---|---|---|",
      ...[old, now].map(
        (run, index) =>
          `| ${index === 0 ? "Old" : "New"} | ${prose(cut(run.baseUrl, 200))} | ${prose(run.startedAt)} | ${run.verdict} |`,
      ),
    ].join("\n"),
  ];
  if (comparison.conditions.length > 0) {
    parts.push("## Different conditions");
    parts.push(
      bullets(
        comparison.conditions,
        ({ name, old: was, new: is }) => `${prose(name)}: ${code(was)} → ${code(is)}`,
      ),
    );
  }
  for (const { title: name, changes, isOfRegressions } of comparisonLists(comparison)) {
    parts.push(`## ${name} (${comparedCount(changes)})`);
    parts.push(
      bullets(changes, (change) => {
        const why = change.failing && change.message !== undefined ? ` ${code(change.message)}` : "";
        const what = change.kind === "requirement" ? ` ${sentence(cut(change.title, 300))}` : "";
        const how = isOfRegressions ? howToSeeItems(change) : "";
        return `${outcomeWords(change)} ${code(change.id)}${what}${why}${how}`;
      }),
    );
  }
  const { decisions } = comparison;
  if (decisions.length > 0) {
    parts.push(`## Where the specification is silent (${decisionCount(comparison)})`);
    parts.push(
      bullets(
        decisions,
        (each) =>
          `${each.failing ? "❌ " : ""}${prose(cut(each.about, 300))}: ${code(decisionWords(each), 500)}`,
      ),
    );
  }
  const uncompared = notComparedWords(comparison);
  if (uncompared !== undefined) parts.push(uncompared);
  return `${parts.join("\n\n")}\n`;
}

function howToSeeItems({ exchange, command }: Change): string {
  const text = exchange === undefined ? "" : `\n  - ${code(exchangeText(exchange, 200), 500)}`;
  return command === undefined ? text : `${text}\n  - Again: ${code(command, 1_000)}`;
}

const MAX_LIST = 8_000;

/** Returns the items as a list, and says how many have no room. */
function bullets<Item>(items: Item[], write: (item: Item) => string): string {
  const lines: string[] = [];
  let room = MAX_LIST;
  for (const item of items) {
    const text = `- ${write(item)}`;
    room -= text.length + 1;
    if (room < 0) break;
    lines.push(text);
  }
  const more = items.length - lines.length;
  if (more > 0) lines.push(`- … and ${number(more)} more`);
  return lines.join("\n");
}
