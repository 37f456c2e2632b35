import { groupedBy } from "../../spec/grouped.ts";
import { REASON_TEXT, untestedMusts } from "../outcome.ts";
import type { CheckResult, Report, RequirementResult } from "../report.ts";
import { count } from "../text.ts";
import { hardlyTestedWords, unlocks, unlockWords } from "../unlocks.ts";
import { exchanges } from "./exchange.ts";
import { html, line, type Markup, sentence } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { section } from "./parts.ts";

/** Returns the section on untested requirements, with the reasons. */
export function scope(report: Report): Markup {
  const untested = untestedMusts(report.requirements);
  const outside = report.requirements.filter(({ level, inScope }) => level === "MUST" && !inScope);
  const more = html`${hardlyTestedList(report)}${wouldTestMore(report)}`;
  if (untested.length + outside.length === 0 && more.source === "") {
    const all = html`<p>Every MUST requirement was in scope, and every one was tested.</p>`;
    return section("untested", "Not tested", undefined, all);
  }
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const inScope = untested.slice(0, MAX_ROWS).map((requirement, index) => {
    const own = requirement.checks.flatMap((id) => checks.get(id) ?? []);
    return requirementItem(requirement, reasonsMarkup(own, index < MAX_EXCHANGES));
  });
  return section(
    "untested",
    "Not tested",
    "A requirement that nothing tested is not a pass. These are the MUST requirements that this run says nothing about.",
    html`${untested.length > 0 && html`<h3>In scope (${untested.length})</h3><ul class="gaps">${inScope}</ul>`}
${outside.length > 0 && html`<h3>Out of scope (${outside.length})</h3>${byReason(outside)}`}
${more}`,
  );
}

function hardlyTestedList(report: Report): Markup {
  const found = hardlyTestedWords(report);
  if (found.length === 0) return html``;
  return html`<h3 id="hardly-tested">Operations hardly tested (${found.length})</h3>
<ul class="gaps">${found.slice(0, MAX_ROWS).map(({ operation, words }) => html`<li><span class="op">${operationName(operation)}</span> ${line(words)}</li>\n`)}</ul>`;
}

function wouldTestMore(report: Report): Markup {
  const found = unlocks(report);
  if (found.length === 0) return html``;
  return html`<h3 id="more">What would test more</h3>
<ul class="gaps">${found.slice(0, 50).map((each) => html`<li>${each.isOption ? html`<code>${line(each.offer)}</code>` : line(each.offer)}: ${line(unlockWords(each))}</li>\n`)}</ul>`;
}

const MAX_ROWS = 500;
const MAX_EXCHANGES = 40;

/** Returns why these checks tested nothing, with an exchange that shows it. */
function reasonsMarkup(checks: CheckResult[], withExchange: boolean): Markup {
  if (checks.length === 0) return html`<span class="why">no check of it ran</span>`;
  const reasons = new Set(checks.flatMap(({ reason }) => (reason === undefined ? [] : REASON_TEXT[reason])));
  const telling = checks.find((check) => check.evidence.length > 0) ?? checks.find(({ message }) => message);
  return html`<span class="why">${line([...reasons].join("; ") || "its checks only observed", 400)}</span>
${telling?.message !== undefined && html`<span class="block quiet small">${line(telling.message, 400)}</span>`}
${
  withExchange &&
  telling !== undefined &&
  telling.evidence.length > 0 &&
  html`<details><summary>What stood in the way</summary>${exchanges(telling)}</details>`
}`;
}

function requirementItem(requirement: RequirementResult, detail?: Markup): Markup {
  return html`<li><code class="id">${line(requirement.id, 80)}</code> ${sentence(requirement.statement)} ${detail}</li>
`;
}

/** Returns the requirements out of scope, by reason. */
function byReason(requirements: RequirementResult[]): Markup {
  const groups = groupedBy(
    requirements.slice(0, MAX_ROWS),
    ({ scopeReason }) => scopeReason ?? "no reason was recorded",
  );
  return html`${[...groups].map(
    ([reason, members]) =>
      html`<details><summary>${line(reason, 300)} <span class="quiet">(${count(members.length, "requirement")})</span></summary>
<ul class="gaps">${members.map((requirement) => requirementItem(requirement))}</ul></details>
`,
  )}`;
}
