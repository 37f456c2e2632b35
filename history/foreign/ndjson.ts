import { matcher } from "../../spec/matcher.ts";
import type { Pairs } from "../entry.ts";
import schema from "./exchange.schema.json" with { type: "json" };
import { type ForeignBody, type ForeignExchange, fromBase64, NOT_RECORDED, timeOf } from "./exchange.ts";

interface Message {
  headers?: Record<string, string | string[]>;
  body?: unknown;
  bodyBase64?: string;
  cut?: boolean;
}

interface Line {
  startedAt: string | number;
  durationMs?: number;
  request: Message & { method: string; url: string };
  response: (Message & { status: number }) | null;
}

const match = matcher<Line>(schema);

/**
 * Returns the exchange that the line records.
 * @throws Error that says why the line is unreadable
 */
export function exchangeOfLine(text: string): ForeignExchange {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("it is no JSON");
  }
  const result = match(value);
  if (!result.matches) {
    const [error] = result.errors;
    throw new Error(`${error?.instancePath || "it"} ${error?.message ?? "is not valid"}`);
  }
  const { startedAt, durationMs = null, request, response } = result.value;
  const time = typeof startedAt === "number" ? { at: startedAt, resolutionMs: 1 } : timeOf(startedAt);
  // Microseconds since the epoch are no time that a report could show.
  if (!time || Number.isNaN(new Date(time.at).getTime())) throw new Error("/startedAt is no time");
  const { method, url } = request;
  return {
    startedAt: time.at,
    durationMs,
    resolutionMs: time.resolutionMs,
    request: { method: method.toUpperCase(), url, headers: headersOf(request), body: sentBody(request) },
    response: response && {
      status: response.status,
      headers: headersOf(response),
      body: bodyOf(response) ?? { text: "", cut: false },
    },
  };
}

function headersOf({ headers }: Message): Pairs | null {
  if (headers === undefined) return null;
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): Pairs[number] => [name.toLowerCase(), value]),
  );
}

function sentBody(request: Line["request"]): ForeignBody | null {
  const isBare = /^(get|head|options)$/i.test(request.method);
  return isBare && request.body === undefined && request.bodyBase64 === undefined ? null : bodyOf(request);
}

function bodyOf({ body, bodyBase64, cut = false }: Message): ForeignBody | null {
  if (bodyBase64 !== undefined) return { ...fromBase64(bodyBase64), cut };
  if (body === undefined) return NOT_RECORDED;
  if (body === null) return null;
  const written = typeof body === "string" ? body : textOf(body);
  return written === undefined ? NOT_RECORDED : { text: written, cut };
}

/** Returns the value as JSON, or `undefined` if it is nested too deep to be written. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
