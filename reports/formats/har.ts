import type { Exchange, Report } from "../report.ts";

export interface Har {
  log: {
    version: "1.2";
    creator: { name: string; version: string };
    comment: string;
    entries: HarEntry[];
  };
}

interface NameValue {
  name: string;
  value: string;
}

export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: never[];
    headers: NameValue[];
    queryString: NameValue[];
    postData?: { mimeType: string; text: string };
    headersSize: number;
    bodySize: number;
  };
  response: {
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: never[];
    headers: NameValue[];
    content: { size: number; mimeType: string; text: string };
    redirectURL: string;
    headersSize: number;
    bodySize: number;
  };
  cache: Record<string, never>;
  timings: { send: number; wait: number; receive: number };
  comment: string;
}

/**
 * Returns the evidence of all checks as an HTTP archive. In HAR, status 0 means that there was no response.
 */
export function harOf(report: Report): Har {
  const entries = new Map<string, HarEntry>();
  for (const check of report.checks) {
    for (const exchange of check.evidence) {
      const key = JSON.stringify([exchange.startedAt, exchange.request]);
      const known = entries.get(key);
      if (known) known.comment += `; ${check.id}`;
      else entries.set(key, entryOf(exchange, check.id));
    }
  }
  return {
    log: {
      version: "1.2",
      creator: { name: report.suite.name, version: report.suite.version },
      comment: `verdict ${report.verdict}, seed ${report.run.seed}, target ${report.target.baseUrl}`,
      entries: [...entries.values()].sort((a, b) => a.startedDateTime.localeCompare(b.startedDateTime, "en")),
    },
  };
}

export function renderHar(report: Report): string {
  return `${JSON.stringify(harOf(report), null, 2)}\n`;
}

/** Returns the exchange as an entry of an HTTP archive, with the id of its check. */
export function entryOf(exchange: Exchange, checkId: string): HarEntry {
  const { request, response, fault } = exchange;
  const { href, searchParams } = new URL(URL.canParse(request.url) ? request.url : "about:invalid");
  const type = (headers: Record<string, string>) => headers["content-type"] ?? "";
  const body = response?.body ?? "";
  return {
    startedDateTime: exchange.startedAt,
    time: exchange.durationMs,
    request: {
      method: request.method,
      url: plainUrl(href),
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: namesAndValues(request.headers),
      queryString: [...searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body === null ? {} : { postData: { mimeType: type(request.headers), text: request.body } }),
      headersSize: -1,
      bodySize: request.body === null ? 0 : Buffer.byteLength(request.body),
    },
    response: {
      status: response?.status ?? 0,
      statusText: fault ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: namesAndValues(response?.headers ?? {}),
      content: { size: Buffer.byteLength(body), mimeType: type(response?.headers ?? {}), text: body },
      redirectURL: response?.headers.location ?? "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: exchange.durationMs, receive: 0 },
    comment: checkId,
  };
}

function plainUrl(href: string): string {
  const { origin, pathname, search } = new URL(href);
  const rest = `${pathname}${search}`.replace(
    /%(?![0-9a-f]{2})|[^!-~]|["<>\\^`{|}[\]]/gi,
    encodeURIComponent,
  );
  return origin === "null" ? href : `${origin}${rest}`;
}

function namesAndValues(headers: Record<string, string>): NameValue[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
