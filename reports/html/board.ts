import {
  type Board,
  type BoardRequirement,
  type BoardService,
  type Cell,
  isGreen,
  type RunFacts,
  stateInWords,
} from "../board/board.ts";
import { count, number } from "../text.ts";
import { instant, MARK } from "./banner.ts";
import { boardFilters, filterValues } from "./board-filters.ts";
import { BOARD_SCRIPT, BOARD_STYLES } from "./board-script.ts";
import { html, line, type Markup, renderPage, sentence } from "./markup.ts";
import { operationName } from "./matrix.ts";
import { levelTag, section } from "./parts.ts";
import { STYLES } from "./styles.ts";

type Group = Board["specifications"][number];

const MAX_DIFFERENCES = 500;
const MAX_RUNS = 20;
/** The most characters of all messages: a page of 50 services stays below 2 MB. */
const MESSAGE_ROOM = 700_000;
const LONGEST_MESSAGE = 160;

const SHADE: Readonly<Record<Cell["state"], string>> = {
  held: "pass",
  violated: "fail",
  warned: "warn",
  waived: "waived",
  unsteady: "unsteady",
  "not exercised": "skip",
};

/** Returns the page of a board, which needs no other file. */
export function renderBoardHtml(board: Board): string {
  const services = board.specifications.flatMap((group) => group.services);
  const counts = new Map<string, number>();
  for (const { run } of services) counts.set(stateInWords(run), (counts.get(stateInWords(run)) ?? 0) + 1);
  const failing = services.some(({ run }) => run.verdict === "nonconformant");
  const green = services.length > 0 && services.every(({ run }) => isGreen(run));
  const notFailing = green ? "conformant" : "inconclusive";
  const tone = failing ? "nonconformant" : notFailing;
  const states = [...counts].map(([state, n]) => `${number(n)} ${state}`).join(", ");
  const many = board.specifications.length > 1;
  const cellsIn = (group: Group) => group.services.flatMap(({ cells }) => Object.values(cells));
  const messages = board.specifications.flatMap(cellsIn).filter(({ message }) => message !== undefined);
  const longest = Math.min(LONGEST_MESSAGE, Math.floor(MESSAGE_ROOM / Math.max(1, messages.length)));
  const values = filterValues(services);
  const body = html`<a class="skip-link" href="#main">Skip to the board</a>
<header class="banner ${tone}">
<p class="brand">payments-conformance <span>board</span></p>
<h1><span class="mark" aria-hidden="true">${MARK[tone]}</span>${count(services.length, "service")}</h1>
<p class="verdict">${services.length > 0 && `${states}. `}${many && `The reports are of ${number(board.specifications.length)} specifications, which are not compared with each other. `}${board.broken.length > 0 && `${count(board.broken.length, "file is", "files are")} broken.`}</p>
<dl class="facts"><div><dt>Made</dt><dd>${instant(board.generatedAt)}</dd></div></dl>
</header>
<div class="frame single"><main id="main" tabindex="-1">
${boardFilters(board, values)}
${board.specifications.map((group, index) => groupSections(group, { index, many, longest, values }))}
${brokenList(board.broken)}
</main></div>
<footer><p>Made by payments-conformance. This page holds everything it needs and sends nothing anywhere. Links lead to the services' own reports.</p></footer>`;
  return renderPage({
    title: `Board: ${count(services.length, "service")}`,
    body,
    styles: STYLES + BOARD_STYLES,
    script: BOARD_SCRIPT,
  });
}

interface Context {
  index: number;
  many: boolean;
  longest: number;
  values: ReturnType<typeof filterValues>;
}

/** Returns the sections on the services of one specification. */
function groupSections(group: Group, context: Context): Markup {
  const id = (name: string) => `${name}-${context.index + 1}`;
  const whose = context.many ? ` (${line(group.title, 80)}, ${group.sha256.slice(0, 12)})` : "";
  return html`${section(
    id("services"),
    `Services${whose}`,
    html`${line(group.title, 120)} <code>${line(group.sha256.slice(0, 12))}</code>. The newest run counts; the bars show up to ${MAX_RUNS} runs, the oldest first.`,
    serviceTable(group, context, id("services")),
  )}
${section(
  id("requirements"),
  `Requirements by service${whose}`,
  "Each cell shows what became of a MUST or SHOULD in the service's newest run. Violations link to its own report.",
  requirementMatrix(group, context, id("requirements")),
)}
${section(
  id("differences"),
  `Where services differ and the specification is silent${whose}`,
  `${count(group.differences.length, "behaviour")}. None counts for or against a service; each is a question for the specification's author.`,
  differenceList(group),
)}`;
}

/** Returns the table of services with their newest run. */
function serviceTable(group: Group, { values }: Context, id: string): Markup {
  const rows = group.services.map((service, index) => {
    const { run, earlier } = service;
    const { total, held, violated, waived, untested } = run.musts;
    const labels = Object.entries(run.labels).map(([name, value]) => `${name}=${value}`);
    const name = line(service.name, 80);
    const notGreen = run.verdict === "nonconformant" ? "fail" : "warn";
    const tone = isGreen(run) ? "pass" : notGreen;
    return html`<tr data-service="${index}"${values.attributes(service)}><th scope="row">${run.page === undefined ? name : html`<a href="${run.page}">${name}</a>`}
${!service.name.includes(service.baseUrl.replace(/^https?:\/\//, "")) && html`<span class="block small"><code>${line(service.baseUrl, 200)}</code></span>`}${labels.length > 0 && html`<span class="block small quiet">${line(labels.join(", "), 200)}</span>`}</th>
<td><span class="badge ${tone}">${stateInWords(run)}</span></td>
<td>${number(held)} of ${number(total)} held${violated > 0 && `, ${number(violated)} violated`}${waived > 0 && `, ${number(waived)} waived`}${untested > 0 && `, ${number(untested)} not exercised`}</td>
<td>${trendBars([run, ...earlier].slice(0, MAX_RUNS).reverse())}</td>
<td>${instant(run.startedAt)}<span class="block small quiet">${run.depth !== undefined && `depth ${run.depth}, `}suite ${line(run.suite, 40)}${run.certifiedUntil !== undefined && `, certified until ${instant(run.certifiedUntil)}`}</span></td></tr>
`;
  });
  return html`<div class="scroll" role="region" aria-labelledby="${id}-title" tabindex="0"><table class="services"><thead><tr><th scope="col">Service</th><th scope="col">State</th><th scope="col">MUST requirements</th><th scope="col">Runs</th><th scope="col">Newest run</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

const TREND = { width: 9, height: 28 };

/** Returns one bar for each run, with the shares of its MUST requirements. */
function trendBars(runs: readonly RunFacts[]): Markup {
  const bars = runs.map(({ musts }, index) => {
    const shares: [string, number][] = [
      ["fail", musts.violated],
      ["waived", musts.waived],
      ["skip", musts.untested],
      ["pass", musts.held],
    ];
    let top = 0;
    return shares.map(([shade, value]) => {
      // Even a single violation must be visible.
      const share = (TREND.height * value) / Math.max(1, musts.total);
      const height = value > 0 ? Math.max(3, share) : 0;
      const bar = html`<rect class="${shade}" x="${index * TREND.width}" y="${top.toFixed(1)}" width="${TREND.width - 2}" height="${Math.max(0, Math.min(height, TREND.height - top)).toFixed(1)}"></rect>`;
      top += height;
      return height > 0 && bar;
    });
  });
  const words = runs.map(
    ({ startedAt, musts, verdict, doubts }) =>
      `${startedAt.slice(0, 10)} ${stateInWords({ musts, verdict, doubts } as RunFacts)}: ${musts.held} held, ${musts.violated} violated`,
  );
  const width = runs.length * TREND.width;
  return html`<svg class="trend" width="${width}" height="${TREND.height}" viewBox="0 0 ${width} ${TREND.height}" role="img" aria-label="${line(words.join("; "), 2_000)}">${bars}</svg>`;
}

/** Returns the table of requirements by service. */
function requirementMatrix({ services, requirements }: Group, context: Context, id: string): Markup {
  const heads = services.map((service) => {
    const name = line(service.name, 80);
    const { page } = service.run;
    return html`<th scope="col"${context.values.attributes(service)}><span class="turned">${page === undefined ? name : html`<a href="${page}">${name}</a>`}</span></th>`;
  });
  const rows = requirements.map(
    (requirement) =>
      html`<tr data-chapter="${line(requirement.chapter, 40)}" data-level="${requirement.level}"><th scope="row">${requirementName(requirement)}</th>${services.map((service) => matrixCell(service, requirement.id, context.longest))}</tr>
`,
  );
  return html`<p class="legend">${(["held", "violated", "warned", "waived", "unsteady", "not exercised"] as const).map((state) => html`<span class="key ${SHADE[state]}">${state === "warned" ? "violated (SHOULD)" : state}</span> `)}</p>
<div class="scroll" role="region" aria-labelledby="${id}-title" tabindex="0"><table class="matrix board" data-board>
<thead><tr><th scope="col">Requirement</th>${heads}</tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

function requirementName({ id, level, section: place, statement }: BoardRequirement): Markup {
  return html`<details><summary><code>${line(id, 80)}</code> ${levelTag(level)}</summary>${sentence(statement)} <span class="quiet">Section ${line(place, 20)}.</span></details>`;
}

/** Returns the cell of one requirement and service, which leads to the finding. */
function matrixCell({ run, cells }: BoardService, id: string, longest: number): Markup {
  const found = cells[id];
  if (found === undefined) return html`<td></td>`;
  const { state, message, anchor } = found;
  const doubtful = state === "held" && run.doubts.length > 0 ? " doubtful" : "";
  const why = message !== undefined && longest > 20 ? line(message, longest) : undefined;
  const words = state === "warned" ? "violated" : state;
  const inside = html`<span class="unseen">${words}</span>`;
  const linked =
    anchor !== undefined && run.page !== undefined
      ? html`<a href="${run.page}#${anchor}"${why !== undefined && html` title="${why}"`}>${inside}</a>`
      : inside;
  const title = why !== undefined && linked === inside && html` title="${why}"`;
  return html`<td class="${SHADE[state]}${doubtful}"${title}>${linked}</td>`;
}

/** Returns the table of behaviours in which the services differ. */
function differenceList({ differences: all, services }: Group): Markup {
  if (services.length < 2) return html`<p class="quiet">There is one service; nothing can be compared.</p>`;
  if (all.length === 0) return html`<p class="quiet">Nowhere, as far as they were observed.</p>`;
  const more = all.length - MAX_DIFFERENCES;
  const shown = all.slice(0, MAX_DIFFERENCES);
  const ids = [...new Set(shown.map(({ requirement }) => requirement))];
  return html`${ids.map((id) => {
    const own = shown.filter(({ requirement }) => requirement === id);
    return html`<h3>${sentence(own[0]?.statement ?? id)} <code class="id small">${line(id, 80)}</code></h3>
<table class="differences"><thead><tr><th scope="col">Behaviour</th><th scope="col">Services</th></tr></thead><tbody>
${own.map((difference) => differenceRow(difference, services))}</tbody></table>
`;
  })}${more > 0 && html`<p>… and ${number(more)} more, see <code>board.json</code>.</p>`}`;
}

/** Returns one behaviour with the services that show each value. */
function differenceRow(
  { subject, operations, values }: Group["differences"][number],
  services: readonly BoardService[],
): Markup {
  const [only = ""] = operations;
  const where =
    operations.length === 1
      ? html`<span class="op">${operationName(only)}</span>`
      : html`<details><summary>${count(operations.length, "operation")}</summary>${operations.slice(0, 60).map((operation) => html`<span class="block">${operationName(operation)}</span>`)}</details>`;
  const behaviours = values.slice(0, 20).map(({ value, services: own }) => {
    const names = own.map((index) => services[index]?.name ?? "").join(", ");
    return html`<li><details><summary><b>${line(value, 200)}</b>: ${count(own.length, "service")}</summary>${line(names, 600)}</details></li>`;
  });
  return html`<tr><th scope="row">${line(subject, 200)} ${where}</th><td><ul>${behaviours}</ul></td></tr>
`;
}

/** Returns the section on files that could not be read. */
function brokenList(broken: Board["broken"]): Markup {
  if (broken.length === 0) return html``;
  return section(
    "broken",
    "Broken files",
    "Files that were named and can't be shown.",
    html`<ul class="gaps">${broken.slice(0, 200).map(({ file, problem }) => html`<li><span class="badge fail">broken</span> <code>${line(file, 300)}</code> ${line(problem, 300)}</li>\n`)}</ul>`,
  );
}
