/** A small HTTP server on this machine, for tests. One function answers all requests. */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  method: string;
  /** The path without the query, as it was sent. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface TinyAnswer {
  status: number;
  /** Sent as JSON, unless it is a string. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TinyServer {
  baseUrl: string;
  asked: Asked[];
  close(): Promise<void>;
}

/** Starts the server on a free port. `asked` gets all requests, in order. */
export async function tinyServer(
  answer: (asked: Asked) => TinyAnswer | Promise<TinyAnswer>,
): Promise<TinyServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://localhost");
    const one: Asked = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    asked.push(one);
    const { status, body, headers = {} } = await answer(one);
    const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
