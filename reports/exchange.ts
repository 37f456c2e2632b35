import { applyEdits, findNodeAtLocation, format, type Node, parseTree } from "jsonc-parser";
import type { CheckResult, Exchange, ReceivedResponse } from "./report.ts";
import { duration, shown, visibleBlock, wholeIndex } from "./text.ts";

export function decisiveExchange(check: Pick<CheckResult, "evidence">): Exchange | undefined {
  return check.evidence.findLast((exchange) => exchange.offending !== undefined) ?? check.evidence.at(-1);
}

export function exchangeSize(exchange: Exchange): number {
  const { request, response } = exchange;
  return request.url.length + (request.body?.length ?? 0) + (response?.body?.length ?? 0);
}

export function statusLine(exchange: Exchange): string {
  const time = duration(exchange.durationMs);
  if (exchange.response !== undefined) return `${exchange.response.status} in ${time}`;
  return `no answer after ${time}: ${shown(exchange.fault ?? "unknown fault", MAX_LINE)}`;
}

export interface BodyView {
  before: string;
  marked: string;
  after: string;
  indented: boolean;
  cutBefore: number;
  cutAfter: number;
  /** JSON pointer to the offending field, if the body lacks it. */
  absent?: string;
  /** JSON pointer to the offending part, if it was cut off. */
  notKept?: string;
}

const MAX_INDENTED = 200_000;
const MAX_DEPTH = 64;
const MAX_BRIEF = 250;
const MAX_LINE = 2_000;

/** Returns at most `max` characters of the body around the place of the fault, indented if it is JSON. */
export function viewBody(
  body: string,
  pointer: string | undefined,
  max: number,
  truncated = false,
): BodyView {
  const indentation = body.length <= MAX_INDENTED ? indentedJson(body, truncated) : undefined;
  const text = indentation?.text ?? body;
  let [start, end] = [0, 0];
  let missing: { absent: string } | { notKept: string } | undefined;
  if (pointer?.startsWith("/") === true) {
    const found = indentation && nodeAt(indentation.root, pointer);
    if (found === undefined) missing = truncated ? { notKept: pointer } : { absent: pointer };
    else [start, end] = [found.offset, found.offset + found.length];
  }
  const room = Math.max(0, max - Math.min(end - start, max));
  const wanted = Math.max(0, Math.min(start - Math.floor(room / 2), text.length - max));
  const from = wholeIndex(text, wanted);
  const to = wholeIndex(text, Math.min(text.length, wanted + max));
  return {
    before: visibleBlock(text.slice(from, start)),
    marked: visibleBlock(text.slice(Math.max(start, from), Math.min(end, to))),
    after: visibleBlock(text.slice(Math.max(end, from), to)),
    indented: text !== body,
    cutBefore: from,
    cutAfter: text.length - to,
    ...missing,
  };
}

export function bodyText(body: string, pointer: string | undefined, max: number, truncated = false): string {
  const view = viewBody(body, pointer, max, truncated);
  const head = view.cutBefore > 0 ? `… (${view.cutBefore} characters before)\n` : "";
  const tail = view.cutAfter > 0 ? `\n… (${view.cutAfter} characters more)` : "";
  return `${head}${view.before}${view.marked}${view.after}${tail}`;
}

/** Returns the body indented, with its syntax tree, or `undefined` if it is no JSON or too deep. */
function indentedJson(body: string, truncated: boolean): { text: string; root: Node } | undefined {
  if (!/^\s*[[{]/.test(body) || depthOfBrackets(body) > MAX_DEPTH) return undefined;
  try {
    if (!truncated) JSON.parse(body);
    const options = { tabSize: 2, insertSpaces: true, eol: "\n" };
    const text = applyEdits(body, format(body, undefined, options));
    const root = parseTree(text);
    return root === undefined ? undefined : { text, root };
  } catch {
    return undefined;
  }
}

/** Returns how deep the brackets of the text are nested. Brackets in texts count, too. */
function depthOfBrackets(text: string): number {
  let [deepest, current] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    current += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, current);
  }
  return deepest;
}

/** Returns the node at this JSON pointer, or `undefined` if there is none. */
function nodeAt(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root;
  for (const token of pointer.slice(1).split("/")) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const key: string | number = node.type === "array" && /^\d+$/.test(name) ? Number(name) : name;
    node = findNodeAtLocation(node, [key]);
    if (node === undefined) return undefined;
  }
  return node;
}

/** Returns the exchange as lines of text, for formats without markup. */
export function exchangeText(
  exchange: Exchange,
  maxBody: number,
  { headers = false, brief = false } = {},
): string {
  const { request, response, offending } = exchange;
  const role = exchange.role === undefined ? "" : ` (${shown(exchange.role, MAX_LINE)})`;
  const lines = [`${shown(request.method, MAX_LINE)} ${shown(request.url, MAX_LINE)}${role}`];
  lines.push(...headerLines(request.headers, headers ? undefined : isOfThisCall));
  if (request.body !== null)
    lines.push(
      brief && response !== undefined
        ? shown(request.body, MAX_BRIEF)
        : bodyText(request.body, requestPointer(exchange), maxBody),
    );
  lines.push(`→ ${statusLine(exchange)}`);
  if (response !== undefined) {
    lines.push(...responseHeaders(response.headers, faultyHeader(offending), headers));
    if (response.body !== null && response.body !== "") lines.push(responseBody(exchange, response, maxBody));
  }
  if (offending !== undefined && offending !== "") lines.push(`At fault: ${shown(offending, MAX_LINE)}`);
  return lines.join("\n");
}

/** Returns the lines of the headers to show: all of them, or only the faulty one. */
function responseHeaders(
  headers: Record<string, string>,
  faulty: string | undefined,
  showsAll: boolean,
): string[] {
  if (faulty === undefined) return showsAll ? headerLines(headers) : [];
  const isMissing = !Object.keys(headers).some((name) => name.toLowerCase() === faulty);
  return [
    ...headerLines(headers, showsAll ? undefined : (name) => TELLING_HEADERS.has(name) || name === faulty),
    ...(isMissing ? [`(no ${shown(faulty, MAX_LINE)} header)`] : []),
  ];
}

export function faultyHeader(offending: string | undefined): string | undefined {
  return offending?.startsWith("header:") === true ? offending.slice(7).toLowerCase() : undefined;
}

export const OWN_HEADERS: ReadonlySet<string> = new Set([
  "user-agent",
  "accept-encoding",
  "connection",
  "content-length",
  "host",
  "traceparent",
  "x-request-id",
]);

const TELLING_HEADERS: ReadonlySet<string> = new Set(["content-type", "content-length", "content-encoding"]);

function isOfThisCall(name: string): boolean {
  return !OWN_HEADERS.has(name) && name !== "accept";
}

function responseBody(exchange: Exchange, response: ReceivedResponse, maxBody: number): string {
  const text = bodyText(response.body ?? "", exchange.offending, maxBody, response.truncated);
  return response.truncated === true ? `${text}\n… (the rest was not kept)` : text;
}

/** Returns `offending` if there is no response, because it then points into the request. */
export function requestPointer(exchange: Exchange): string | undefined {
  return exchange.response === undefined ? exchange.offending : undefined;
}

function headerLines(headers: Record<string, string>, wanted?: (name: string) => boolean): string[] {
  return Object.entries(headers)
    .filter(([name]) => wanted?.(name.toLowerCase()) ?? true)
    .map(([name, value]) => `${shown(name, MAX_LINE)}: ${shown(value, MAX_LINE)}`);
}
