import { headline, labelsInWords, type MustCounts, mustCounts } from "../headline.ts";
import { isStrict } from "../outcome.ts";
import type { Report } from "../report.ts";
import { count, duration, number } from "../text.ts";
import { html, line, type Markup } from "./markup.ts";
import { SHADE_NAME, SHADES, SYMBOL, targetLine } from "./parts.ts";

export const MARK = { conformant: "✓", nonconformant: "✕", inconclusive: "?" } as const;

/** Returns the head of the page: the verdict in a sentence, and the facts of the run. */
export function banner(report: Report): Markup {
  const { title, sentence } = headline(report);
  const { suite, spec, run } = report;
  const labels = labelsInWords(report);
  return html`<header class="banner ${report.verdict}">
<p class="brand">${line(suite.name, 80)} <span>${line(suite.version, 40)}</span></p>
<h1><span class="mark" aria-hidden="true">${MARK[report.verdict]}</span>${title}</h1>
<p class="verdict">${line(sentence)}</p>
${(report.complaints ?? []).slice(0, 50).map((complaint) => html`<p class="complaint">${line(complaint)}</p>`)}
${(report.notices ?? []).slice(0, 50).map((notice) => html`<p>${line(notice)}</p>`)}
<dl class="facts">
<div><dt>Service</dt><dd>${targetLine(report)}</dd></div>
${labels !== "" && html`<div><dt>Labels</dt><dd>${line(labels, 300)}</dd></div>`}
<div><dt>Specification</dt><dd>${line(spec.title, 120)} <code>${line(spec.sha256.slice(0, 12))}</code></dd></div>
<div><dt>Run</dt><dd><time datetime="${run.startedAt}">${instant(run.startedAt)}</time>, ${duration(run.durationMs)},
${count(run.requests, "request")}, seed ${run.seed}${isStrict(report) ? ", strict" : ""}${run.partial ? ", partial" : ""}</dd></div>
</dl>
</header>
`;
}

export function instant(text: string): string {
  return text.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
}

/** Returns the section with the numbers of tested operations and requirements. */
export function overview(report: Report): Markup {
  const musts = mustCounts(report);
  const shades = { unsteady: 0, ...report.summary };
  return html`<section id="overview" aria-labelledby="overview-title">
<h2 id="overview-title" tabindex="-1">What was tested</h2>
${mustBar(musts)}
<ul class="counts">
${SHADES.map(
  (shade) =>
    html`<li class="${shade}${shades[shade] === 0 ? " none" : ""}"><b>${number(shades[shade])}</b>
<span><span aria-hidden="true">${SYMBOL[shade]}</span> ${SHADE_NAME[shade]}</span></li>
`,
)}</ul>
<p class="quiet">Counts of ${count(report.checks.length, "check")}. A requirement holds only when a check of it passed:
what nothing tested is never a pass.</p>
</section>
`;
}

function mustBar(musts: MustCounts): Markup {
  const parts: { shade: string; value: number; label: string }[] = [
    { shade: "fail", value: musts.failing, label: "violated" },
    { shade: "waived", value: musts.waived, label: "waived" },
    { shade: "pass", value: musts.held, label: "held" },
    { shade: "gap", value: musts.untested, label: "in scope, not tested" },
    { shade: "skip", value: musts.outOfScope, label: "out of scope" },
  ].filter((part) => part.value > 0);
  const total = Math.max(
    1,
    parts.reduce((sum, part) => sum + part.value, 0),
  );
  let x = 0;
  const bars = parts.map(({ shade, value }) => {
    const width = (1000 * value) / total;
    const bar = html`<rect class="${shade}" x="${x.toFixed(1)}" y="0" width="${Math.max(2, width - 3).toFixed(1)}" height="10"></rect>`;
    x += width;
    return bar;
  });
  const words = parts.map(({ value, label }) => `${number(value)} ${label}`).join(", ");
  return html`<div class="musts">
<p><b>${number(musts.tested)} of ${number(musts.total)}</b> MUST requirements tested</p>
<svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="MUST requirements: ${words}">${bars}</svg>
<ul class="legend">${parts.map(({ shade, value, label }) => html`<li><i class="${shade}" aria-hidden="true"></i>${number(value)} ${label}</li>`)}</ul>
</div>`;
}
