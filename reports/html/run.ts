import { rulesOffInWords } from "../headline.ts";
import type { Report } from "../report.ts";
import { count, duration, number } from "../text.ts";
import { instant } from "./banner.ts";
import { html, line, type Markup } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { section } from "./parts.ts";

/** Returns the section on the run itself: versions, settings and times. */
export function runDetails(report: Report): Markup {
  const { run, spec, suite, target, profile } = report;
  const rulesOff = rulesOffInWords(report);
  const facts: [string, Markup | string][] = [
    ["Suite", `${line(suite.name, 80)} ${line(suite.version, 40)}`],
    [
      "Specification",
      html`${line(spec.title, 120)}, versions ${line(spec.versions.join(", "), 200)}, SHA-256 <code>${line(spec.sha256, 80)}</code>`,
    ],
    ...(profile
      ? [
          ["Profile", html`${line(profile.name, 120)}, SHA-256 <code>${line(profile.sha256, 80)}</code>`] as [
            string,
            Markup,
          ],
        ]
      : []),
    ...(rulesOff === undefined ? [] : [["Rules off", line(rulesOff)] satisfies [string, string | Markup]]),
    ["Paths", line(target.paths, 80)],
    ["Started", instant(run.startedAt)],
    ["Took", duration(run.durationMs)],
    ["Requests", number(run.requests)],
    ["Seed", String(run.seed)],
    ["Complete", run.partial ? "no: the run is partial" : "yes"],
  ];
  const options = Object.entries(run.options).slice(0, 200);
  return section(
    "run",
    "Run and settings",
    undefined,
    html`<dl class="details">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${
  options.length > 0 &&
  html`<h3>Settings in force</h3><table class="settings"><thead><tr><th scope="col">Setting</th><th scope="col">Value</th></tr></thead><tbody>
${options.map(([name, value]) => html`<tr><th scope="row"><code>${line(name, 80)}</code></th><td><code>${line(settingInWords(value), 500)}</code></td></tr>\n`)}</tbody></table>`
}
${slowestChecks(report)}`,
  );
}

function settingInWords(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function slowestChecks(report: Report): Markup {
  const checks = [...report.checks].sort((a, b) => b.durationMs - a.durationMs).slice(0, 10);
  if (checks.length === 0) return html``;
  return html`<details><summary>The ${count(checks.length, "check")} that took longest</summary><table><thead><tr><th scope="col">Check</th><th scope="col" class="number">Time</th></tr></thead><tbody>
${checks.map((check) => html`<tr><th scope="row">${line(check.title, 200)} <span class="op">${operationName(check.operation)}</span></th><td class="number">${duration(check.durationMs)}</td></tr>\n`)}</tbody></table></details>`;
}
