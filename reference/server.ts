import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { IncomingRequest, ResponseDraft } from "./context.ts";

const LONGEST_BODY = 1024 * 1024;
/** Above this many bytes, the service closes the connection. */
const CUT_OFF = 32 * LONGEST_BODY;

export type Answer = (request: IncomingRequest) => Promise<ResponseDraft>;

async function readAll(request: http.IncomingMessage): Promise<{ body: Buffer; tooLarge: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= LONGEST_BODY) chunks.push(chunk);
    if (length > CUT_OFF) break;
  }
  return { body: Buffer.concat(chunks), tooLarge: length > LONGEST_BODY };
}

function split(target: string, basePath: string): { path: string; query: string } {
  // A proxy may send the whole URL.
  const local = target.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  const within = basePath === "" || path.startsWith(`${basePath}/`);
  return { path: within ? path.slice(basePath.length) : "", query: mark < 0 ? "" : local.slice(mark + 1) };
}

async function incoming(request: http.IncomingMessage, basePath: string): Promise<IncomingRequest> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  const { path, query } = split(request.url ?? "", basePath);
  const { method = "GET", socket } = request;
  return { method, path, query, headers, ...(await readAll(request)), connection: socket };
}

const answersOn = new WeakMap<object, number>();

function closeInTime(response: http.ServerResponse, closesAfter: number): void {
  const { socket } = response;
  if (!socket) return;
  const answers = (answersOn.get(socket) ?? 0) + 1;
  answersOn.set(socket, answers);
  if (answers >= closesAfter) response.on("finish", () => socket.end());
}

function goAhead(response: http.ServerResponse, draft: ResponseDraft): void {
  if (!draft.informational) return;
  response.writeProcessing();
  response.writeEarlyHints({ link: "</countries>; rel=related" });
}

function setHeaders(response: http.ServerResponse, draft: ResponseDraft): void {
  response.statusCode = draft.status;
  if (draft.reason !== undefined) response.statusMessage = draft.reason;
  if (draft.transfer === "until-close") {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
  }
  for (const [name, value] of Object.entries(draft.headers))
    response.setHeader(name, typeof value === "string" ? value : [...value]);
}

async function send(response: http.ServerResponse, draft: ResponseDraft): Promise<void> {
  if (draft.delayMs > 0) await wait(draft.delayMs, undefined, { ref: false });
  if (draft.fault === "hang") return;
  if (draft.fault === "reset") {
    response.socket?.destroy();
    return;
  }
  if (draft.closesAfter !== undefined) closeInTime(response, draft.closesAfter);
  goAhead(response, draft);
  setHeaders(response, draft);
  const body = Buffer.from(draft.body);
  const bodiless = draft.status === 204 || draft.status === 304;
  if (draft.transfer === "whole" && !bodiless && !response.hasHeader("Content-Length"))
    response.setHeader("Content-Length", body.length);
  if (draft.fault === "truncate") {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
    return;
  }
  if (draft.transfer === "whole") {
    response.end(body);
    return;
  }
  if (draft.transfer === "until-close") {
    // If `end` got the body, Node.js would send a Content-Length.
    response.write(body);
    response.end();
    return;
  }
  const step = draft.transfer === "bytewise" ? 1 : Math.max(1, Math.ceil(body.length / 4));
  for (let start = 0; start < body.length; start += step) {
    response.write(body.subarray(start, start + step));
    if (draft.transfer === "chunked") await wait(1, undefined, { ref: false });
  }
  if (draft.trailers) response.addTrailers(draft.trailers);
  response.end();
}

function refuseConnection(error: NodeJS.ErrnoException, socket: NodeJS.WritableStream): void {
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const body = JSON.stringify({
    success: false,
    messages: [{ code: "http", message: "not a proper request" }],
  });
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  if (socket.writable) socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

export interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

export async function listen(handler: http.RequestListener, host: string, port: number): Promise<Listening> {
  const server = http.createServer({ maxHeaderSize: 128 * 1024, keepAliveTimeout: 30_000 }, handler);
  server.on("clientError", refuseConnection);
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, done);
  });
  const { port: bound } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { origin: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`, close };
}

export function listener(answer: Answer, basePath: string, latencyMs: number): http.RequestListener {
  return (request, response) => {
    const handle = async () => {
      const draft = await answer(await incoming(request, basePath));
      await send(response, { ...draft, delayMs: draft.delayMs + latencyMs });
    };
    handle().catch((error: unknown) => {
      // The client disconnected, so this is no fault.
      if (request.destroyed && !request.complete) return;
      process.emitWarning(error instanceof Error ? error : String(error));
      if (!response.headersSent) response.writeHead(500, { "Content-Type": "application/json" });
      response.end(
        JSON.stringify({ success: false, messages: [{ code: "internal", message: "a fault here" }] }),
      );
    });
  };
}
