/**
 * A hostile case: a server that spoils the answers of a sound service, and the allowed ends of a run on it.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startReference } from "../../reference/index.ts";

export interface SoundAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The number of the request, counted from 1. */
  count: number;
  sent: string;
}

/** Sends the sound answer in `response`, with a change that spoils it. */
export type Spoil = (answer: SoundAnswer, response: ServerResponse, request: IncomingMessage) => void;

export interface Hostile {
  name: string;
  /** The group to which the case belongs in the printed table. */
  area: "size" | "text" | "secrets" | "http" | "stops" | "places" | "inputs";
  /** Spoils each answer of the service. Without it, the service is sound. */
  spoil?: Spoil;
  flags?: string[];
  environment?: Record<string, string>;
  /** Prepares the folder in which the command runs. */
  prepare?: (folder: string) => void;
  /** A signal for the command, and how many milliseconds after the first request it is sent. */
  stop?: { signal: NodeJS.Signals; after: number };
  codes: number[];
  verdicts: string[];
}

/** A token with special characters. No word of it can occur in a file by chance. */
export const TOKEN = 'Zk9-wq"7.Xv$(3)mT[pL]eR+8uYd';

export interface Front {
  baseUrl: string;
  space: string;
  fixtures: Record<string, string>;
  /** Counts requests and writes. `atOnce` is the most requests in flight at the same time. */
  seen: { requests: number; writes: number; atOnce: number; secrets: Set<string> };
  close(): Promise<void>;
}

/** Starts a sound service, and before it a server that takes TOKEN and spoils the answers. */
export async function startFront(spoil: Spoil = passOn): Promise<Front> {
  const service = await startReference({});
  const seen = { requests: 0, writes: 0, atOnce: 0, secrets: new Set<string>() };
  let now = 0;
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (request, response) => {
    const count = ++seen.requests;
    if (request.method !== "GET") seen.writes++;
    seen.atOnce = Math.max(seen.atOnce, ++now);
    response.on("close", () => now--);
    void sound(request, service.baseUrl, service.token)
      .then((answer) => {
        const secret = secretIn(answer.sent);
        if (secret !== undefined) seen.secrets.add(secret);
        spoil({ ...answer, count }, response, request);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    space: service.space,
    fixtures: { ...service.fixtures },
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}

/** Returns the answer of the sound service to a request, sent with that service's own token. */
async function sound(
  request: IncomingMessage,
  baseUrl: string,
  token: string,
): Promise<Omit<SoundAnswer, "count">> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (/^(host|connection|content-length|accept-encoding|transfer-encoding)$/.test(name)) continue;
    headers.set(name, String(value));
  }
  const { authorization } = request.headers;
  if (authorization !== undefined) headers.set("authorization", authorization.replace(TOKEN, token));
  const { method = "GET", url = "/" } = request;
  const answer = await fetch(`${baseUrl}${url}`, {
    method,
    headers,
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  const type = answer.headers.get("content-type");
  return {
    status: answer.status,
    headers: type === null ? {} : { "content-type": type },
    body: await answer.text(),
    sent: Buffer.concat(chunks).toString("utf8"),
  };
}

/** The secret in a request body. Undefined if it is too short or too plain to recognise in a file. */
export function secretIn(sent: string): string | undefined {
  try {
    const { secret } = JSON.parse(sent) as { secret?: unknown };
    if (typeof secret !== "string" || secret.length < 12 || !secret.isWellFormed()) return undefined;
    return new Set(secret).size >= 8 ? secret : undefined;
  } catch {
    return undefined;
  }
}

/** Sends the answer unchanged. */
export function passOn({ status, headers, body }: SoundAnswer, response: ServerResponse): void {
  response.writeHead(status, headers).end(body);
}

/** Changes the body of every answer with status 200. */
export function body(change: (body: string, answer: SoundAnswer) => string | Buffer): Spoil {
  return (answer, response) => {
    const changed = answer.status === 200 ? change(answer.body, answer) : answer.body;
    response.writeHead(answer.status, answer.headers).end(changed);
  };
}

/** Changes the parsed body of every answer with status 200. */
export function envelope(change: (value: Envelope, answer: SoundAnswer) => unknown): Spoil {
  return body((text, answer) => JSON.stringify(change(JSON.parse(text) as Envelope, answer)));
}

export interface Envelope {
  success: boolean;
  messages: unknown[];
  result: unknown;
  pagination?: Record<string, unknown>;
}

/** Changes every resource in answers with status 200. */
export function resources(change: (resource: Record<string, unknown>) => Record<string, unknown>): Spoil {
  return envelope((value) => {
    const { result } = value;
    if (Array.isArray(result)) return { ...value, result: result.map(change) };
    if (typeof result === "object" && result !== null)
      return { ...value, result: change(result as Record<string, unknown>) };
    return value;
  });
}
