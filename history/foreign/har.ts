/** Reads HAR 1.2 of browsers, Playwright, Postman and proxies. */

import { findNodeAtLocation, type ParseError, parseTree } from "jsonc-parser";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { isTooDeep } from "../../spec/json-size.ts";
import { jsonOf } from "../../spec/loading/read-file.ts";
import type { Pairs } from "../entry.ts";
import { type ForeignBody, type ForeignExchange, fromBase64, NOT_RECORDED, timeOf } from "./exchange.ts";

export interface HarFile {
  exchanges: ForeignExchange[];
  problems: string[];
}

/**
 * Also reads truncated files.
 * @throws Error if the text is no HAR file
 */
export function readHar(text: string): HarFile {
  const problems: string[] = [];
  const entries = entriesIn(text, problems);
  if (entries === undefined)
    throw new Error(
      `it is no HAR: /log/entries is missing${problems.map((problem) => `; ${problem}`).join("")}`,
    );
  const exchanges: ForeignExchange[] = [];
  for (const [index, entry] of entries.entries()) {
    const exchange = exchangeOfEntry(entry);
    if (typeof exchange === "string") problems.push(`/log/entries/${index}: ${exchange}`);
    else if (exchange) exchanges.push(exchange);
  }
  return { exchanges, problems };
}

/** Returns the entries of an HTTP archive, also of one that was cut off, or `undefined` if the text is none. */
function entriesIn(text: string, problems: string[]): unknown[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return damagedEntries(text, problems);
  }
  const log = isObject(value) ? value.log : undefined;
  const entries = isObject(log) ? log.entries : undefined;
  return Array.isArray(entries) ? entries : undefined;
}

/**
 * Returns the entries of a damaged archive, with `undefined` for each damaged one. The one that is cut off may
 * lack headers that were recorded.
 */
function damagedEntries(text: string, problems: string[]): unknown[] | undefined {
  if (isTooDeep(text)) throw new Error("it is damaged, and nested too deep to be read");
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors);
  const [first] = errors;
  if (first) problems.push(damageIn(text, first));
  const list = tree && findNodeAtLocation(tree, ["log", "entries"]);
  if (list?.type !== "array") return undefined;
  return list.children?.map(({ offset, length }) => jsonOf(text.slice(offset, offset + length)));
}

function damageIn(text: string, { offset, length }: ParseError): string {
  const isAtEnd = text.slice(offset + length).trim() === "";
  const what = isAtEnd ? "the file ends here, before its JSON is complete" : "the JSON is damaged here";
  return `${placeIn(text, offset)}: ${what}`;
}

function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Returns a reason if the exchange is unreadable, and undefined if a cache answered. */
function exchangeOfEntry(entry: unknown): ForeignExchange | string | undefined {
  if (entry === undefined) return "it is cut off or damaged, and was left out";
  if (!isObject(entry)) return "it is no object";
  const { request, response, startedDateTime, time } = entry;
  if (entry._fromCache !== undefined || entry._fetchedViaServiceWorker === true) return undefined;
  const started = typeof startedDateTime === "string" ? timeOf(startedDateTime) : undefined;
  if (!started) return "startedDateTime is no time";
  if (!isObject(request) || typeof request.method !== "string" || typeof request.url !== "string")
    return "its request has no method and url";
  const { method, url } = request;
  const sent = { method: method.toUpperCase(), url, headers: headersOf(request), body: sentBody(request) };
  const status = isObject(response) ? response.status : undefined;
  return {
    startedAt: started.at,
    durationMs: typeof time === "number" && time >= 0 ? time : null,
    resolutionMs: started.resolutionMs,
    request: sent,
    response:
      isObject(response) && typeof status === "number" && status >= 100
        ? { status, headers: answeredHeaders(response), body: answeredBody(response) }
        : null,
  };
}

/** Returns the headers by lower-case name, or null if the archive does not hold them. */
function headersOf({ headers }: JsonObject): Pairs | null {
  if (!Array.isArray(headers)) return null;
  const pairs = headers.flatMap((header): Pairs => {
    const { name, value } = isObject(header) ? header : {};
    // HTTP/2 pseudo-headers (`:path`) begin with a colon.
    return typeof name === "string" && typeof value === "string" && !name.startsWith(":")
      ? [[name.toLowerCase(), value]]
      : [];
  });
  // Every request and answer has headers, so the recorder left them out.
  return pairs.length === 0 ? null : pairs;
}

function answeredHeaders(response: JsonObject): Pairs | null {
  const headers = headersOf(response);
  const type = isObject(response.content) ? response.content.mimeType : undefined;
  if (headers || typeof type !== "string" || !type.includes("/") || type === "x-unknown") return headers;
  return [["content-type", type]];
}

function sentBody({ method, postData, bodySize }: JsonObject): ForeignBody | null {
  if (isObject(postData))
    return typeof postData.text === "string" ? { text: postData.text, cut: false } : NOT_RECORDED;
  const isBare = bodySize === 0 || /^(get|head|options)$/i.test(String(method));
  return isBare ? null : NOT_RECORDED;
}

function answeredBody({ content, bodySize }: JsonObject): ForeignBody {
  const { text, encoding, size } = isObject(content) ? content : {};
  if (typeof text !== "string") return size === 0 || bodySize === 0 ? { text: "", cut: false } : NOT_RECORDED;
  const body = encoding === "base64" ? fromBase64(text) : { text, cut: false };
  const isShort = typeof size === "number" && Buffer.byteLength(body.text) < size;
  return isShort ? { ...body, cut: true } : body;
}
