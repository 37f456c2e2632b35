/** Colour never stands alone: a symbol or word says the same. */
export const STYLES = `
:root {
  --paper: #faf9f6; --panel: #ffffff; --ink: #1b1e23; --soft: #555c66; --line: #dfddd6; --link: #1d4f91;
  --fail: #a3201b; --fail-bg: #fcebe9; --warn: #7a4a00; --warn-bg: #fdf2da; --waived: #65407c; --waived-bg: #f4ecf9;
  --pass: #17623a; --pass-bg: #e7f4ec; --note: #1f5190; --note-bg: #e8f0fa; --skip: #575d66; --skip-bg: #eeede9;
  --mark: #ffc9c0; --mark-ink: #5d0c08; --gap: #c9873a;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
  --serif: Charter, "Iowan Old Style", "Source Serif 4", "Noto Serif", Georgia, "DejaVu Serif", serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --panel: #1b1e24; --ink: #e7e5df; --soft: #a5acb6; --line: #30353d; --link: #93bdf5;
    --fail: #ff9c93; --fail-bg: #3a1b1b; --warn: #efbf68; --warn-bg: #342810; --waived: #d0aee6; --waived-bg: #2c2136;
    --pass: #86d7a3; --pass-bg: #15301f; --note: #9cc3f7; --note-bg: #182b44; --skip: #b0b6bf; --skip-bg: #272b31;
    --mark: #6b221d; --mark-ink: #ffe1dd; --gap: #c9873a;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 0.06em; }
a:hover { text-decoration-thickness: 0.12em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance; }
h2 { font-size: 1.6rem; margin: 0 0 0.3rem; }
h3 { font-size: 1.15rem; margin: 1.2rem 0 0.4rem; }
h2:focus, main:focus, article:focus { outline: none; }
p { margin: 0.4rem 0; }
code, pre, .wire, .headers { font-family: var(--mono); font-size: 0.86em; }
/* A code element moves to the next line as a whole. It is broken only if it is longer than a line. */
code { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
.whole { white-space: nowrap; }
.cause::first-letter, .follows .quiet::first-letter { text-transform: uppercase; }
dl, dd, ul, ol { margin: 0; padding: 0; }
ul, ol { list-style: none; }
.quiet, .lead { color: var(--soft); }
.lead { margin: 0 0 1rem; max-width: 46rem; }
.small { font-size: 0.85em; }
.block { display: block; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip-link { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--panel); z-index: 2; }
.skip-link:focus { top: 0.5rem; }

.banner { padding: 2.2rem max(1.25rem, calc((100vw - 84rem) / 2 + 1.25rem)) 1.8rem; border-bottom: 1px solid var(--line);
  border-top: 0.5rem solid var(--tone); background: var(--tone-bg); }
.banner.conformant { --tone: var(--pass); --tone-bg: var(--pass-bg); }
.banner.nonconformant { --tone: var(--fail); --tone-bg: var(--fail-bg); }
.banner.inconclusive { --tone: var(--warn); --tone-bg: var(--warn-bg); }
.brand { font-size: 0.9rem; letter-spacing: 0.02em; color: var(--soft); margin: 0 0 1.1rem; }
h1 { display: flex; align-items: center; gap: 0.9rem; margin: 0; font-size: clamp(2rem, 6vw, 3.2rem); color: var(--tone);
  letter-spacing: -0.015em; }
.mark { display: inline-grid; place-items: center; flex: none; width: 1.15em; height: 1.15em; border-radius: 50%;
  background: var(--tone); color: var(--tone-bg); font: 700 0.62em/1 var(--sans); }
.verdict { font-size: 1.15rem; max-width: 46rem; margin: 0.7rem 0 0; }
.complaint { margin: 0.4rem 0 0; padding-left: 0.8rem; border-left: 3px solid var(--fail); }
.facts { display: flex; flex-wrap: wrap; gap: 0.8rem 2.4rem; margin-top: 1.4rem; font-size: 0.92rem; }
dt { color: var(--soft); }
.facts > div { min-width: 0; overflow-wrap: anywhere; }
.facts dt { font-size: 0.82rem; }
.target { font-size: 0.95em; }

.frame { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 84rem; margin: 0 auto; padding: 0 1.25rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; padding: 0.9rem 0; font-size: 0.92rem; }
nav a { display: inline-block; padding: 0.15rem 0; color: var(--ink); text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav .n { color: var(--soft); font-variant-numeric: tabular-nums; font-size: 0.88em; }
@media (min-width: 70rem) {
  .frame:not(.single) { grid-template-columns: 12.5rem minmax(0, 1fr); gap: 2.5rem; }
  nav ul { position: sticky; top: 0; flex-direction: column; gap: 0.1rem; padding: 2.4rem 0; }
  nav li a { display: flex; justify-content: space-between; padding: 0.28rem 0; }
}
main > section { padding: 2.2rem 0 1.6rem; border-bottom: 1px solid var(--line); }
main > section:last-child { border-bottom: 0; }
footer { max-width: 84rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; color: var(--soft); font-size: 0.88rem; }

.musts { margin: 0.6rem 0 1.4rem; }
.musts p { font-size: 1.05rem; }
.musts svg { display: block; width: 100%; height: 0.8rem; border-radius: 0.2rem; }
svg .fail { fill: var(--fail); } svg .waived { fill: var(--waived); } svg .pass { fill: var(--pass); }
svg .gap { fill: var(--gap); } svg .skip { fill: var(--line); }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin-top: 0.5rem; font-size: 0.92rem; }
.legend i { display: inline-block; width: 0.7rem; height: 0.7rem; border-radius: 0.15rem; margin-right: 0.4rem; }
i.fail { background: var(--fail); } i.waived { background: var(--waived); } i.pass { background: var(--pass); }
i.gap { background: var(--gap); } i.skip { background: var(--line); outline: 1px solid var(--soft); outline-offset: -1px; }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.4rem, 1fr)); gap: 1px; background: var(--line);
  border: 1px solid var(--line); border-radius: 0.4rem; overflow: hidden; margin-bottom: 0.6rem; }
.counts li { background: var(--panel); padding: 0.7rem 0.9rem; color: var(--tone); display: flex; flex-direction: column; }
.counts b { font: 600 1.7rem/1.15 var(--serif); font-variant-numeric: tabular-nums; }
.counts span { font-size: 0.88rem; }
.counts .none { color: var(--soft); }
.fail { --tone: var(--fail); --tone-bg: var(--fail-bg); } .warn, .unsteady { --tone: var(--warn); --tone-bg: var(--warn-bg); }
.waived { --tone: var(--waived); --tone-bg: var(--waived-bg); } .pass { --tone: var(--pass); --tone-bg: var(--pass-bg); }
.note { --tone: var(--note); --tone-bg: var(--note-bg); } .skip { --tone: var(--skip); --tone-bg: var(--skip-bg); }
.badge { display: inline-block; padding: 0.08rem 0.5rem; border-radius: 0.25rem; background: var(--tone-bg); color: var(--tone);
  font-size: 0.82rem; font-weight: 600; white-space: nowrap; }
.level { font-size: 0.82rem; font-weight: 600; letter-spacing: 0.03em; }

.scroll { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--panel); }
table { border-collapse: collapse; width: 100%; font-size: 0.93rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.45rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
thead th { font-size: 0.82rem; font-weight: 600; color: var(--soft); vertical-align: bottom; overflow-wrap: normal; }
tbody th { font-weight: 400; }
tbody tr:last-child > * { border-bottom: 0; }
.number { text-align: right; }
.matrix { width: auto; min-width: 100%; }
.matrix th, .matrix td { border-right: 1px solid var(--line); }
.matrix tr > :last-child { border-right: 0; }
.matrix th:first-child { position: sticky; left: 0; background: var(--panel); min-width: 8.5rem; max-width: 20rem; z-index: 1; }
.matrix thead th + th { padding: 0.6rem 0.2rem 0.6rem 0.4rem; height: 8rem; }
.matrix thead th + th a { writing-mode: vertical-rl; transform: rotate(180deg); display: inline-block; white-space: nowrap; }
.matrix td { width: 4rem; min-width: 3.1rem; text-align: center; padding: 0.45rem 0.3rem; white-space: nowrap; font-size: 0.88rem; }
.matrix td[class] { background: var(--tone-bg); color: var(--tone); }
.matrix td.pass { background: none; }
.matrix td.fail { font-weight: 700; }
.matrix td a { color: inherit; display: block; }
.matrix th a { color: inherit; text-decoration: none; }
.matrix th a:hover { text-decoration: underline; }
.matrix code { overflow-wrap: normal; }
.method { font-weight: 600; }
.op { display: inline-block; margin-right: 0.5rem; color: var(--soft); }

.finding { background: var(--panel); border: 1px solid var(--line); border-left: 0.3rem solid var(--tone);
  border-radius: 0.4rem; padding: 1rem 1.2rem 1.1rem; margin: 0 0 1.1rem; }
.finding:target, .finding:focus { box-shadow: 0 0 0 3px var(--tone-bg); }
.tags { display: flex; flex-wrap: wrap; align-items: center; gap: 0.2rem 0.8rem; margin: 0; font-size: 0.88rem; color: var(--soft); }
.finding h3 { font-size: 1.22rem; margin: 0.55rem 0 0.35rem; max-width: 48rem; }
.finding h3 code { font-size: 0.82em; }
.follows { margin-left: 0.4rem; padding-left: 0.8rem; border-left: 2px solid var(--line); }
h4 { margin: 0.9rem 0 0.2rem; font-size: 0.95rem; }
.where { margin: 0 0 0.8rem; font-size: 0.93rem; }
.id { color: var(--soft); margin-right: 0.5rem; }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0.6rem 1.6rem; margin: 0 0 0.9rem; }
.versus dt { font-size: 0.82rem; }
.versus dd { font-family: var(--mono); font-size: 0.9rem; overflow-wrap: anywhere; }
.actual { color: var(--tone); font-weight: 600; }
.waiver { padding: 0.5rem 0.8rem; background: var(--tone-bg); border-radius: 0.25rem; }
summary { cursor: pointer; padding: 0.25rem 0; }
summary::marker { color: var(--soft); }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0.2rem 1.6rem;
  border-top: 1px solid var(--line); padding: 0.7rem 0 0.9rem; }
.role { grid-column: 1 / -1; margin: 0; font-size: 0.88rem; font-weight: 600; color: var(--soft); }
.exchange.shows .role { color: var(--tone); }
.side { min-width: 0; }
.wire { margin: 0 0 0.3rem; overflow-wrap: anywhere; }
.headers { color: var(--soft); overflow-wrap: anywhere; margin-bottom: 0.5rem; line-height: 1.45; }
.headers .name { color: var(--ink); }
pre { margin: 0; padding: 0.7rem 0.8rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.3rem;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow-y: auto; line-height: 1.5; }
mark { background: var(--mark); color: var(--mark-ink); padding: 0.05em 0.2em; border-radius: 0.2em; font-weight: 600;
  text-decoration: underline wavy 1px; text-underline-offset: 0.2em; }
mark .name { color: inherit; }
.absent { text-decoration: none; border: 1px dashed currentColor; }
.absent-note { font-size: 0.92rem; }
.cut { color: var(--soft); }
.command { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.2rem 0.6rem; margin: 0.7rem 0; align-items: start; }
.command-label { grid-column: 1 / -1; font-size: 0.82rem; color: var(--soft); }
.command pre { max-height: 9rem; padding: 0.45rem 0.7rem; }
button { font: 600 0.88rem/1.2 var(--sans); color: var(--ink); background: var(--panel); border: 1px solid var(--soft);
  border-radius: 0.3rem; padding: 0.5rem 0.8rem; cursor: pointer; }
button:hover { background: var(--skip-bg); }
.copy { min-width: 5.2rem; }
.found li, .further li { padding: 0.2rem 0; }

#untested summary::first-letter { text-transform: uppercase; }
.gaps li { padding: 0.45rem 0; border-bottom: 1px solid var(--line); }
.gaps li:last-child { border-bottom: 0; }
.why { display: block; color: var(--soft); font-size: 0.92rem; }
.why::before { content: "Not tested: "; }
.requirements .id { display: block; font-size: 0.8rem; }
.requirements .scope { display: block; margin-top: 0.2rem; }
.requirements td.level { font-weight: 400; font-size: 0.85rem; }
.never { color: var(--warn); }
.status { display: inline-block; margin-right: 0.8rem; }
details > table { margin: 0.4rem 0 1.2rem; }
.observations th { width: 50%; }
.changes .id { display: block; }
.changes .move { width: 14rem; }
.details { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 0.7rem 2rem; margin: 0.6rem 0 1.4rem; }
.details dd { overflow-wrap: anywhere; }
.details dt { font-size: 0.82rem; }
.settings th { width: 34%; }

.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); gap: 0.6rem 1rem; align-items: end;
  margin-bottom: 0.8rem; }
.filters[hidden] { display: none; }
.filters p { margin: 0; }
.filters label, legend { font-size: 0.82rem; color: var(--soft); }
.filters fieldset { grid-column: 1 / -1; border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.4rem 0.5rem; }
legend { padding: 0; margin-bottom: 0.2rem; }
input[type=search], select { display: block; width: 100%; min-height: 2.4rem; padding: 0.35rem 0.5rem; font: inherit; font-size: 0.95rem;
  color: var(--ink); background: var(--panel); border: 1px solid var(--soft); border-radius: 0.3rem; }
.chip { position: relative; }
.chip input { position: absolute; opacity: 0; inset: 0; margin: 0; width: 100%; height: 100%; cursor: pointer; }
.chip > span { display: inline-block; padding: 0.4rem 0.75rem; border: 1px solid var(--soft); border-radius: 2rem; color: var(--tone);
  background: var(--panel); font-size: 0.9rem; font-weight: 600; }
.chip input:checked + span { background: var(--tone-bg); border-color: var(--tone); box-shadow: inset 0 0 0 1px var(--tone); }
.chip input:focus-visible + span { outline: 3px solid var(--link); outline-offset: 2px; }
.results li { border-bottom: 1px solid var(--line); }
.results summary { display: grid; grid-template-columns: 0.8rem 6.4rem minmax(0, 1fr) auto; gap: 0.2rem 0.8rem; align-items: baseline; padding: 0.5rem 0; }
.results summary::before { content: "›"; color: var(--soft); font-weight: 700; transition: transform 0.1s; justify-self: center; }
.results details[open] > summary::before { transform: rotate(90deg); }
.results summary:hover { background: var(--panel); }
.results .badge { justify-self: start; }
.results .what code { color: var(--soft); }
.results .meta { color: var(--soft); font-size: 0.85rem; text-align: right; }
.opened { display: grid; gap: 0.5rem; padding: 0.2rem 0 0.8rem 1.6rem; }
.opened dt { font-size: 0.82rem; }
.opened dd { font-family: var(--mono); font-size: 0.86rem; overflow-wrap: anywhere; }
.results details > a { display: inline-block; margin: 0 0 0.9rem 1.6rem; }

.certificate { max-width: 50rem; margin: clamp(0rem, 4vw, 3rem) auto; padding: clamp(1.25rem, 6vw, 4rem); background: var(--panel);
  border: 1px solid var(--line); border-top: 0.5rem solid var(--pass); }
.certificate h1 { color: var(--ink); display: block; font-size: clamp(1.9rem, 6vw, 2.9rem); }
.certificate h2 { font-size: 1.25rem; margin-top: 1.8rem; }
.certificate .details { grid-template-columns: minmax(0, 1fr); }
.holder { font: 600 1.2rem/1.4 var(--mono); color: var(--pass); overflow-wrap: anywhere; margin: 1.2rem 0 0.6rem; }

@media (max-width: 40rem) {
  .banner { padding-top: 1.4rem; }
  .requirements thead th:nth-child(3), .requirements thead th:nth-child(4),
  .requirements tbody td:nth-child(3), .requirements tbody td:nth-child(4) { display: none; }
  .requirements th, .requirements td { padding: 0.45rem 0.35rem; }
  .matrix th:first-child { min-width: 7rem; max-width: 9rem; }
  .changes .move { width: 7rem; }
  .finding { padding: 0.8rem 0.85rem; }
  .results summary { grid-template-columns: 0.8rem minmax(0, 1fr); }
  .results .what, .results .meta { grid-column: 2; }
  .results .meta { text-align: left; }
  .command { grid-template-columns: minmax(0, 1fr); }
  .command button { justify-self: start; }
}
@media print {
  :root { --paper: #fff; --panel: #fff; }
  body { font-size: 10pt; }
  nav, .filters, .results, #results-status, #results-more, .copy, .skip-link { display: none; }
  #checks { display: none; }
  pre, .scroll { max-height: none; overflow: visible; }
  .finding, .details > div, tr { break-inside: avoid-page; }
  .certificate { border: 0; margin: 0; padding: 0; max-width: none; }
  .banner { padding: 1rem 0; print-color-adjust: exact; }
  .frame { padding: 0; }
  .badge, .matrix td, mark, svg { print-color-adjust: exact; }
}
`;
