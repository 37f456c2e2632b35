import { LEVELS, REASON_TEXT } from "../outcome.ts";
import type { CheckResult, Report } from "../report.ts";
import { count, number } from "../text.ts";
import type { Anchors } from "./finding.ts";
import { dataScript, html, line, type Markup } from "./markup.ts";
import { SHADE_NAME, SHADES, SYMBOL, section, select, shadeOf } from "./parts.ts";

const MAX_CHECKS = 20_000;

/** Returns the section in which readers search all checks. Only this part of the page needs JavaScript. */
export function explorer(report: Report, anchors: Anchors): Markup {
  const table = new StringTable();
  const ordered = [...report.checks].sort((a, b) => rankOfOutcome(a) - rankOfOutcome(b));
  const rows = ordered.slice(0, MAX_CHECKS).map((check) => rowOfCheck(check, table, anchors));
  const counts = new Map(SHADES.map((shade) => [shade, 0]));
  for (const check of report.checks) counts.set(shadeOf(check), (counts.get(shadeOf(check)) ?? 0) + 1);
  const present = SHADES.filter((shade) => (counts.get(shade) ?? 0) > 0);
  const names = { shades: SHADES, shadeNames: SHADE_NAME, symbols: SYMBOL, strings: table.strings };
  const more = ordered.length - rows.length;
  return section(
    "checks",
    "All checks",
    `${count(report.checks.length, "check")}. Evidence of checks that passed is not kept.`,
    html`<noscript><p>Filtering the list of checks needs JavaScript. Every check is also in <code>report.json</code>.</p></noscript>
<form class="filters" id="filters" hidden>
<fieldset><legend>Outcome</legend>
${present.map((shade) => html`<label class="chip ${shade}"><input type="checkbox" name="outcome" value="${shade}"> <span><span aria-hidden="true">${SYMBOL[shade]}</span> ${SHADE_NAME[shade]} <b>${number(counts.get(shade) ?? 0)}</b></span></label>\n`)}</fieldset>
<p><label for="filter-search">Search</label><input type="search" id="filter-search" autocomplete="off" spellcheck="false"></p>
${select("level", "Level", choicesOf(LEVELS))}
${select("suite", "Suite", choicesOf(sortedDistinct(ordered, (check) => check.suite)))}
${select("operation", "Operation", choicesOf(sortedDistinct(ordered, (check) => check.operation)))}
<p><button type="reset">Clear</button></p>
</form>
<p id="results-status" role="status" aria-live="polite" class="quiet"></p>
<ol id="results" class="results"></ol>
<p><button type="button" id="results-more" hidden>Show more</button></p>
${more > 0 && html`<p class="quiet">${count(more, "further check")} in <code>report.json</code> only.</p>`}
${dataScript("checks-data", { ...names, rows })}`,
  );
}

function rankOfOutcome(check: CheckResult): number {
  return SHADES.indexOf(shadeOf(check));
}

function sortedDistinct(checks: CheckResult[], textOf: (check: CheckResult) => string): string[] {
  return [...new Set(checks.map(textOf))].slice(0, 300).sort();
}

function choicesOf(values: readonly string[]): [value: string, text: string][] {
  return values.map((value) => [line(value, 300), line(value, 80)]);
}

/** Many checks have the same texts, so each is stored once. */
class StringTable {
  readonly strings: string[] = [];
  readonly #index = new Map<string, number>();

  at(text: string): number {
    const known = this.#index.get(text);
    if (known !== undefined) return known;
    this.strings.push(text);
    this.#index.set(text, this.strings.length - 1);
    return this.strings.length - 1;
  }
}

/** Returns the data of one check. The script reads the cells by position. */
function rowOfCheck(check: CheckResult, table: StringTable, anchors: Anchors): unknown[] {
  const facts: [string, string][] = [];
  const add = (label: string, text: string | undefined) => {
    if (text !== undefined) facts.push([label, line(text, 600)]);
  };
  if (check.reason !== undefined) add("Not tested", REASON_TEXT[check.reason]);
  if (check.outcome !== "pass") add("Message", check.message);
  add("Expected", check.expected);
  add("Actual", check.actual);
  if (check.waived !== undefined) add("Waived", `until ${check.waived.expires}: ${check.waived.reason}`);
  add("Replay", check.reproduce?.command);
  return [
    SHADES.indexOf(shadeOf(check)),
    line(check.id, 300),
    table.at(line(check.title, 300)),
    table.at(line(check.operation, 300)),
    table.at(line(check.suite, 300)),
    table.at(check.level),
    table.at(line(check.serviceVersion ?? "", 80)),
    table.at(line(check.requirements.join(" "), 300)),
    Math.round(check.durationMs),
    anchors.get(check.id) ?? "",
    facts.map(([label, text]) => [table.at(label), table.at(text)]),
  ];
}
