/** Code that the services of test/editions share: how they answer, and how one differs from a sound service. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Fields = { [name: string]: Json };
export type Change = (value: Json) => Json | undefined;

/** A fault or habit of a service. If a Change returns undefined, the value is removed. */
export interface Departure {
  readonly name: string;
  /**
   * A keyword that is not enforced: the operation, the path in the body (`*` for any element or name), the
   * keyword.
   */
  readonly lax?: readonly [operation: string, path: string, keyword: string];
  readonly store?: readonly [operation: string, path: string, to: Change];
  readonly show?: readonly [operation: string, path: string, to: Change];
}

export interface Served {
  baseUrl: string;
  asked: number;
  close(): Promise<void>;
}

export class Refused extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}

export function demand(holds: boolean, status = 422): asserts holds {
  if (!holds) throw new Refused(status);
}

export interface Answer {
  status: number;
  body?: Json;
  text?: string;
  headers?: Record<string, string>;
}

export interface Item {
  /** The id as a path shows it. */
  id: string;
  /** Ids of the parent resources, the outermost first. */
  within: string[];
  /** Every state of the resource, the newest last. */
  past: { at: number; fields: Fields }[];
}

export interface Call {
  operation: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** The decoded values of the parameters in the path. */
  ids: string[];
}

/** The delay of lists with the habit "lists are late", in milliseconds. */
export const LATE = 300;

export const now = (item: Item): Fields => item.past.at(-1)?.fields ?? {};

interface Service {
  asked: number;
  serve(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void>;
}

export async function listen(service: Service): Promise<Served> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => void service.serve(request, Buffer.concat(parts), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return service.asked;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the answer of `make`. If it throws Refused, returns that of `refusal`; for another error, a 500. */
export function answered(make: () => Answer, refusal: (status: number) => Answer): Answer {
  try {
    return make();
  } catch (error) {
    if (error instanceof Refused) return refusal(error.status);
    console.error(error);
    return { status: 500, body: { error: "bug" } };
  }
}

/** Sends the answer: its text, or its body as JSON if it has no text. */
export async function write(
  answer: Answer,
  response: ServerResponse,
  how: { chunked: boolean; wide: boolean },
) {
  const json = answer.body === undefined ? "" : JSON.stringify(answer.body);
  const payload = answer.text ?? (how.wide ? withWideNumbers(json) : json);
  response.writeHead(answer.status, {
    "content-type": answer.text === undefined ? "application/json" : "text/plain",
    ...answer.headers,
  });
  if (how.chunked && payload.length > 4) {
    const bytes = Buffer.from(payload);
    for (let from = 0; from < bytes.length; from += 97) {
      response.write(bytes.subarray(from, from + 97));
      if (from % 388 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  } else response.end(payload);
}

/** Returns the JSON with a fraction in each integer: 12.0 for 12. */
const withWideNumbers = (json: string) =>
  json.replace(/("(?:[^"\\]|\\.)*")|(-?\b\d+\b)(?![.\deE])(?<!\.\d*)/g, (all, quoted?: string) =>
    quoted === undefined ? `${all}.0` : all,
  );

export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Reads a request. `parameters` has, for each segment of the path, the parameter there (`{code}`) or an empty text.
 * With `ignoresSlash`, a slash at the end of the path means nothing.
 */
export function callOf(
  { method, url = "/", headers }: IncomingMessage,
  body: Buffer,
  parameters: (collection: string) => readonly string[],
  ignoresSlash: boolean,
): Call {
  const { pathname, searchParams } = new URL(url, "http://service.invalid");
  const segments = pathname.split("/").slice(1);
  if (segments.at(-1) === "" && ignoresSlash) segments.pop();
  const names = parameters(segments[1] ?? "");
  const path = segments.map((each, index) => (each && names[index]) || each).join("/");
  const ids = segments.filter((_, index) => names[index]).map(decoded);
  return { operation: `${method} /${path}`, query: searchParams, headers, body, ids };
}

const PAUSE_MS = 40;

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

export const isMap = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a copy of the value, with `to` applied at the path. `*` in the path is any element or name. */
export function change(value: Json, path: string[], to: Change): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return to(value);
  if (Array.isArray(value))
    return value.flatMap((each, n) => {
      if (name !== "*" && name !== String(n)) return [each];
      const changed = change(each, rest, to);
      return changed === undefined ? [] : [changed];
    });
  if (!isMap(value)) return value;
  const result: Fields = {};
  for (const [each, held] of Object.entries(value)) {
    const changed = name === "*" || name === each ? change(held, rest, to) : held;
    if (changed !== undefined) result[each] = changed;
  }
  return result;
}

/** Returns the same time in UTC. Returns other values unchanged, and null for an absent one. */
export const inUtc = (value: Json | undefined): Json =>
  typeof value === "string" ? new Date(Date.parse(value.toUpperCase())).toISOString() : (value ?? null);

/** Merges the old entries of the map `name` into the sent ones, up to `most` entries. */
export function merged(old: Fields, sent: Fields, name: string, most: number): Fields {
  const [before, after] = [old[name], sent[name]];
  if (!isMap(before) || !isMap(after)) return {};
  const entries = Object.entries({ ...after, ...before, ...after });
  return { [name]: Object.fromEntries(entries.slice(0, most)) };
}

/** Returns the value with the fields `more` added to each object in it. */
export function withMore(value: Json, more: Fields): Json {
  if (Array.isArray(value)) return value.map((each) => withMore(each, more));
  return isMap(value) ? { ...value, ...more } : value;
}
