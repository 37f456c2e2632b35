import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { afterAll } from "vitest";
import {
  type ReferenceOptions,
  type RunningService,
  startReference,
  variants,
} from "../../reference/index.ts";
import { isObject, type Json, type JsonObject } from "../../reference/json.ts";

/** An answer with details that fetch does not show. */
interface Seen {
  readonly status: number;
  readonly reason: string;
  /** Names and values of the headers, as they were received. */
  readonly rawHeaders: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  readonly trailers: NodeJS.Dict<string>;
  /** The statuses of informational answers (1xx) before this one. */
  readonly ahead: readonly number[];
  readonly text: string;
  readonly result: JsonObject;
  readonly items: readonly JsonObject[];
  readonly pagination: JsonObject;
}

/** Changes to the default request. A header of null is not sent. */
interface Beyond {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Json;
  /** If not given, the request has a connection of its own. */
  readonly agent?: http.Agent;
}

/** A client that repeats a request after a 429, and uses the paths of the variant. */
export interface Asker {
  readonly service: RunningService;
  ask(operation: string, beyond?: Beyond): Promise<Seen>;
}

const decoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

async function exchange(
  url: string,
  method: string,
  headers: http.OutgoingHttpHeaders,
  body: string,
  agent: http.Agent | false,
): Promise<Seen> {
  const ahead: number[] = [];
  const request = http.request(url, { method, headers, agent });
  request.on("information", ({ statusCode }) => ahead.push(statusCode));
  request.end(body);
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const decode = decoders[response.headers["content-encoding"] ?? ""] ?? ((bytes: Buffer) => bytes);
  const text = decode(Buffer.concat(chunks)).toString();
  const { result, pagination } = parsed(text);
  return {
    status: response.statusCode ?? 0,
    reason: response.statusMessage ?? "",
    rawHeaders: response.rawHeaders,
    headers: response.headers,
    trailers: response.trailers,
    ahead,
    text,
    result: isObject(result) ? result : {},
    items: Array.isArray(result) ? result.filter(isObject) : [],
    pagination: isObject(pagination) ? pagination : {},
  };
}

const running: RunningService[] = [];
afterAll(() => Promise.all(running.map((service) => service.close())));

/** Starts the reference service or a variant, which is closed after the tests of the file. */
export async function startAs(variant?: string, options: ReferenceOptions = {}): Promise<Asker> {
  const service = await startReference({ ...options, ...(variant === undefined ? {} : { variant }) });
  running.push(service);
  const prefix = variants.find(({ name }) => name === variant)?.options?.paths === "v1" ? "/v1" : "";
  return {
    service,
    async ask(operation, { headers = {}, body, agent } = {}) {
      const [method = "GET", path = ""] = operation.split(" ");
      const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
      const standard: Record<string, string | null> = {
        Authorization: `Bearer ${service.token}`,
        Accept: "application/json",
        "User-Agent": "a client",
        "Service-Space-Id": /^\/(v1\/)?(banks|momos|countries)\b/.test(path) ? null : service.space,
        "Content-Type": body === undefined ? null : "application/json",
        "Content-Length": body === undefined ? null : String(Buffer.byteLength(text)),
        "Idempotency-Key": method === "POST" ? randomUUID() : null,
        ...headers,
      };
      const sent = Object.fromEntries(
        Object.entries(standard).filter((pair): pair is [string, string] => pair[1] !== null),
      );
      const url = `${service.baseUrl}${path.startsWith("/v1/") ? "" : prefix}${path}`;
      for (;;) {
        const seen = await exchange(url, method, sent, text, agent ?? false);
        if (seen.status !== 429) return seen;
        await wait(5);
      }
    },
  };
}

export async function readAll(asker: Asker, list: string): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  let cursor = "";
  for (let page = 0; page < 400; page += 1) {
    const answer = await asker.ask(`GET ${list}${list.includes("?") ? "&" : "?"}limit=50${cursor}`);
    items.push(...answer.items);
    if (typeof answer.pagination.next !== "string") return items;
    cursor = `&after=${encodeURIComponent(answer.pagination.next)}`;
  }
  throw new Error(`${list} does not end`);
}
