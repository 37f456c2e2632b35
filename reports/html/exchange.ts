import { decisiveExchange, faultyHeader, requestPointer, statusLine, viewBody } from "../exchange.ts";
import type { CheckResult, Exchange } from "../report.ts";
import { count, number } from "../text.ts";
import { html, line, type Markup } from "./markup.ts";

const MAX_BODY = 6_000;
const MAX_HEADERS = 40;
const MAX_EXCHANGES = 4;

export function exchanges(check: CheckResult): Markup {
  const shows = decisiveExchange(check);
  const kept = new Set(check.evidence.slice(-MAX_EXCHANGES));
  if (shows !== undefined) kept.add(shows);
  const missing = check.evidence.length - kept.size;
  return html`${missing > 0 && html`<p class="quiet">${count(missing, "earlier exchange")} in <code>report.json</code>.</p>`}
${check.evidence.filter((each) => kept.has(each)).map((each) => oneExchange(each, each === shows && kept.size > 1))}`;
}

/** Returns the request and its response side by side, with the place of the fault marked. */
function oneExchange(exchange: Exchange, shows: boolean): Markup {
  const { request, response, offending } = exchange;
  const role = exchange.role === undefined ? undefined : line(exchange.role, 80);
  const fault = shows ? "shows the fault" : undefined;
  const label = [role, fault].filter((part) => part !== undefined).join(", ");
  return html`<div class="exchange${shows && " shows"}">
${label !== "" && html`<p class="role">${label}</p>`}
<div class="side"><p class="wire"><b>${line(request.method, 20)}</b> ${line(request.url, 2_000)}</p>
${headerList(request.headers, response === undefined ? offending : undefined)}
${request.body !== null && bodyMarkup("Request body", request.body, requestPointer(exchange), false)}</div>
<div class="side"><p class="wire">${statusMarkup(exchange)}</p>
${response !== undefined && headerList(response.headers, offending)}
${response !== undefined && responseBody(response.body, offending, response.truncated === true)}</div>
</div>
`;
}

function statusMarkup(exchange: Exchange): Markup {
  const text = statusLine(exchange);
  const [first = "", ...rest] = text.split(" ");
  if (exchange.response === undefined) return html`<mark>${line(text)}</mark>`;
  const code = exchange.offending === "status" ? html`<mark>${first}</mark>` : html`<b>${first}</b>`;
  return html`${code} ${rest.join(" ")}`;
}

/** Returns the headers, with the faulty one marked, also if it is missing. */
function headerList(headers: Record<string, string>, offending: string | undefined): Markup {
  const entries = Object.entries(headers);
  const wanted = faultyHeader(offending);
  const absent = wanted !== undefined && !entries.some(([name]) => name.toLowerCase() === wanted);
  if (entries.length === 0 && !absent) return html``;
  const rows = entries.slice(0, MAX_HEADERS).map(([name, value]) => {
    const text = html`<span class="name">${line(name, 200)}</span>: ${line(value)}`;
    return html`<li>${name.toLowerCase() === wanted ? html`<mark>${text}</mark>` : text}</li>`;
  });
  const more = entries.length - MAX_HEADERS;
  return html`<ul class="headers">${rows}${more > 0 && html`<li class="quiet">${count(more, "more header")}</li>`}
${absent && html`<li><mark class="absent">no ${line(wanted ?? "", 200)} header</mark></li>`}</ul>`;
}

function responseBody(text: string | null, offending: string | undefined, truncated: boolean): Markup {
  if (text === null || text === "") return html`<p class="quiet">No body.</p>`;
  return bodyMarkup("Response body", text, offending, truncated);
}

/** Returns the body with the faulty place marked. */
function bodyMarkup(label: string, text: string, pointer: string | undefined, truncated: boolean): Markup {
  const view = viewBody(text, pointer, MAX_BODY, truncated);
  const notes: string[] = [];
  if (view.indented) notes.push("indented for reading");
  if (truncated) notes.push("only its beginning was kept");
  return html`<pre class="body" tabindex="0" role="group" aria-label="${label}">${
    view.cutBefore > 0 && html`<i class="cut">… ${number(view.cutBefore)} characters before</i>\n`
  }${view.before}${view.marked !== "" && html`<mark>${view.marked}</mark>`}${view.after}${
    view.cutAfter > 0 && html`\n<i class="cut">… ${number(view.cutAfter)} characters after</i>`
  }</pre>
${view.notKept !== undefined && html`<p class="absent-note">at fault, behind what was kept: <code>${line(view.notKept, 300)}</code></p>`}
${view.absent !== undefined && html`<p class="absent-note"><mark class="absent">nothing at <code>${line(view.absent, 300)}</code></mark></p>`}
${notes.length > 0 && html`<p class="quiet small">${label}, ${notes.join("; ")}.</p>`}`;
}
