import { detailsOf } from "../causes.ts";
import { decisiveExchange } from "../exchange.ts";
import { type Finding, underCauses } from "../findings.ts";
import { reproduction } from "../formats/curl.ts";
import type { CheckResult } from "../report.ts";
import { count, number } from "../text.ts";
import { exchanges } from "./exchange.ts";
import { html, line, type Markup, sentence } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { badge, command, levelTag, section, shadeOf } from "./parts.ts";
import { sectionId } from "./specification.ts";

const MAX_SHOWN = 60;
const MAX_LISTED = 300;
const MAX_CHECKS = 100;

export type Anchors = Map<string, string>;

export function anchorOf(section: string, index: number): string {
  return index < MAX_SHOWN ? `${section}-${index + 1}` : section;
}

/** Returns the section of these findings, and notes the anchor of each check. */
export function findingSection(
  id: string,
  title: string,
  lead: string,
  findings: Finding[],
  anchors: Anchors,
): Markup {
  if (findings.length === 0) return html``;
  const causes = underCauses(findings);
  const shown = causes.slice(0, MAX_SHOWN);
  for (const [index, { finding, following }] of shown.entries()) {
    for (const { checks } of [finding, ...following])
      for (const check of checks) anchors.set(check.id, anchorOf(id, index));
  }
  const others = causes.slice(MAX_SHOWN).flatMap(({ finding, following }) => [finding, ...following]);
  const rest = others.slice(0, MAX_LISTED);
  const beyond = others.length - rest.length;
  return section(
    id,
    title,
    lead,
    html`${shown.map(({ finding, following }, index) => findingArticle(finding, following, anchorOf(id, index), index < 3))}
${
  rest.length > 0 &&
  html`<h3>${count(rest.length + Math.max(0, beyond), "further finding")}</h3><ul class="further">
${rest.map((finding) => html`<li><code>${line(finding.requirement.id, 80)}</code> ${line(finding.first.message ?? finding.first.title, 300)} (${count(finding.checks.length, "check")})</li>\n`)}</ul>
${beyond > 0 && html`<p>… and ${number(beyond)} more, see <code>report.json</code>.</p>`}`
}`,
  );
}

/**
 * Returns one finding: the broken sentence, the expected and the actual value, the exchange and a command that shows
 * it again.
 */
function findingArticle(finding: Finding, following: Finding[], id: string, open: boolean): Markup {
  const { requirement, cause, first, checks, operations, versions } = finding;
  return html`<article class="finding ${shadeOf(first)}" id="${id}" tabindex="-1" aria-labelledby="${id}-title">
<p class="tags">${badge(shadeOf(first))} ${levelTag(requirement.level)} ${sectionTag(finding)}</p>
<h3 id="${id}-title">${sentence(requirement.statement)}</h3>
<p class="where"><code class="id">${line(requirement.id, 80)}</code> ${operationList(operations)}</p>
<p class="cause">${cause}${versions.length > 1 && html`, under ${versions.length} versions`}: ${count(checks.length, "check")} on ${count(operations.length, "operation")}</p>
${expectedAndActual(first)}
${checks.length > 1 && detailList(finding)}
${first.waived !== undefined && html`<p class="waiver">Waived until <b>${line(first.waived.expires, 40)}</b>: ${line(first.waived.reason)}</p>`}
${first.evidence.length > 0 && evidenceDetails(first, open)}
${commandsToRepeat(first)}
${checks.length > 1 && checkList(checks)}
${following.length > 0 && consequenceList(following)}
</article>
`;
}

function sectionTag({ requirement, cited }: Finding): Markup {
  const words = html`section ${line(requirement.section, 20)}`;
  return cited === undefined
    ? html`<span>${words}</span>`
    : html`<a href="#${sectionId(cited.number)}">${words} ${line(cited.section.title, 120)}</a>`;
}

function consequenceList(following: Finding[]): Markup {
  return html`<h4>What follows from it</h4>
${following.map(
  ({ requirement, cause, first, checks, operations }) =>
    html`<details class="follows"><summary><code class="id">${line(requirement.id, 80)}</code> ${sentence(requirement.statement)}
<span class="quiet">${cause}: ${count(checks.length, "check")} on ${count(operations.length, "operation")}</span></summary>
${expectedAndActual(first)}
${first.evidence.length > 0 && exchanges(first)}
${commandsToRepeat(first)}
${checks.length > 1 && checkList(checks)}</details>
`,
)}`;
}

function detailList({ checks, first }: Finding): Markup {
  const { details: found, more } = detailsOf(checks, first, 12);
  if (found.length === 0) return html``;
  return html`<details><summary>${count(found.length + more, "other detail")}</summary><ul class="found">
${found.map((text) => html`<li>${line(text, 300)}</li>\n`)}${more > 0 && html`<li class="quiet">… and ${number(more)} more</li>`}</ul></details>`;
}

function operationList(operations: string[]): Markup {
  const names = operations
    .slice(0, 12)
    .map((operation) => html`<span class="op">${operationName(operation)}</span> `);
  const more = operations.length - names.length;
  return html`${names}${more > 0 && `and ${number(more)} more`}`;
}

/** Returns the expected and the actual value, or the message if the check has no others. */
function expectedAndActual(check: CheckResult): Markup {
  const place = decisiveExchange(check)?.offending;
  const where = place !== undefined && html`<div><dt>At fault</dt><dd>${line(place, 300)}</dd></div>`;
  if (check.expected === undefined && check.actual === undefined) {
    return html`<p class="message">${line(check.message ?? check.title)}</p>
${where && html`<dl class="versus">${where}</dl>`}`;
  }
  return html`<dl class="versus">
${check.expected !== undefined && html`<div><dt>Expected</dt><dd>${line(check.expected)}</dd></div>`}
${check.actual !== undefined && html`<div><dt>Actual</dt><dd class="actual">${line(check.actual)}</dd></div>`}
${where}</dl>`;
}

function evidenceDetails(check: CheckResult, open: boolean): Markup {
  const summary = html`<summary>${check.evidence.length > 1 ? "The exchanges" : "The exchange"} <span class="quiet">of ${operationName(check.operation)}: ${line(check.title, 200)}</span></summary>`;
  const inside = html`${summary}${exchanges(check)}`;
  return open ? html`<details open>${inside}</details>` : html`<details>${inside}</details>`;
}

function commandsToRepeat(check: CheckResult): Markup {
  const curl = check.reproduce?.curl ?? reproduction(check);
  return html`${check.reproduce !== undefined && command("Replay", check.reproduce.command)}
${curl !== undefined && command(curl.includes("\n") ? "The requests with curl" : "The request with curl", curl)}`;
}

function checkList(checks: CheckResult[]): Markup {
  const more = checks.length - MAX_CHECKS;
  return html`<details><summary>${count(checks.length, "check")} found this</summary><ul class="found">
${checks.slice(0, MAX_CHECKS).map((check) => html`<li><code>${line(check.id, 300)}</code>${check.actual !== undefined && html` <span class="quiet">${line(check.actual, 200)}</span>`}</li>\n`)}
${more > 0 && html`<li class="quiet">… and ${number(more)} more, among the checks below</li>`}</ul></details>`;
}
