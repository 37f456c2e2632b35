import { REASON_TEXT, untestedMusts } from "../outcome.ts";
import type { Report, RequirementResult, SkipReason } from "../report.ts";
import { count } from "../text.ts";
import { html, line, type Markup, sentence } from "./markup.ts";
import { section } from "./parts.ts";

/** What nothing tested: first what stands in the way of a verdict, then what the settings left out of scope. */
export function scope(report: Report): Markup {
  const untested = untestedMusts(report.requirements);
  const outside = report.requirements.filter(({ level, inScope }) => level === "MUST" && !inScope);
  if (untested.length + outside.length === 0) {
    const all = html`<p>Every MUST requirement was in scope, and every one was tested.</p>`;
    return section("untested", "Not tested", undefined, all);
  }
  const reasons = reasonsOf(report);
  return section(
    "untested",
    "Not tested",
    "A requirement that nothing tested is not a pass. These are the MUST requirements that this run says nothing about.",
    html`${untested.length > 0 && html`<h3>In scope (${untested.length})</h3>${list(untested, (each) => reasons(each) || "no check of it ran")}`}
${outside.length > 0 && html`<h3>Out of scope (${outside.length})</h3>${byReason(outside)}`}`,
  );
}

function reasonsOf(report: Report): (requirement: RequirementResult) => string {
  const reason = new Map(report.checks.map((check) => [check.id, check.reason]));
  return (requirement) => {
    const found = new Set<SkipReason>(requirement.checks.flatMap((id) => reason.get(id) ?? []));
    return [...found].map((each) => REASON_TEXT[each]).join("; ");
  };
}

function list(requirements: RequirementResult[], why?: (requirement: RequirementResult) => string): Markup {
  return html`<ul class="gaps">
${requirements.slice(0, 500).map(
  (
    requirement,
  ) => html`<li><code class="id">${line(requirement.id, 80)}</code> ${sentence(requirement.statement)}
${why !== undefined && html`<span class="why">${line(why(requirement), 400)}</span>`}</li>
`,
)}</ul>`;
}

function byReason(requirements: RequirementResult[]): Markup {
  const groups = new Map<string, RequirementResult[]>();
  for (const requirement of requirements) {
    const reason = requirement.scopeReason ?? "no reason was recorded";
    groups.set(reason, [...(groups.get(reason) ?? []), requirement]);
  }
  return html`${[...groups].map(
    ([reason, members]) =>
      html`<details><summary>${line(reason, 300)} <span class="quiet">(${count(members.length, "requirement")})</span></summary>${list(members)}</details>
`,
  )}`;
}
