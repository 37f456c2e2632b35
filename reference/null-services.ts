import type http from "node:http";
import { dispatch } from "./dispatch.ts";
import type { RunningService } from "./options.ts";
import { listen, listener } from "./server.ts";
import { ACCESS, prepare } from "./start.ts";

/** A server without the API, which must not seem to conform. */
export interface NullService {
  readonly name: string;
  readonly description: string;
  make(): http.RequestListener;
}

const JSON_TYPE = { "Content-Type": "application/json" };
const EMPTY_LIST = {
  success: true,
  messages: [],
  result: [],
  pagination: { count: 0, next: null, total: 0 },
};

function always(status: number, body: unknown): () => http.RequestListener {
  return () => (request, response) => {
    request.resume();
    response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
  };
}

function echo(): http.RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      const body = Buffer.concat(chunks).toString();
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ method, url, headers, body }));
    });
  };
}

/** Always a payment code, so that its runs do not depend on which request is the first. */
function firstAnswer(): http.RequestListener {
  const { service, fixtures } = prepare({});
  const first = dispatch(service, {
    method: "GET",
    path: `/payment-codes/${fixtures.paymentCode}`,
    query: "",
    headers: { authorization: `Bearer ${ACCESS.token}`, "service-space-id": ACCESS.space },
    body: Buffer.alloc(0),
    tooLarge: false,
  });
  return listener(() => first, "", 0);
}

function loginPage(): http.RequestListener {
  const page = "<!doctype html><title>Sign in</title><form><input name=user><input type=password></form>";
  return (request, response) => {
    request.resume();
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
  };
}

function redirect(): http.RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(307, { Location: request.url ?? "/" }).end();
  };
}

export const nullServices: readonly NullService[] = [
  { name: "empty-object", description: "Always 200 with {}.", make: always(200, {}) },
  { name: "empty-list", description: "Always 200 with a perfect empty list.", make: always(200, EMPTY_LIST) },
  { name: "bad-request", description: "Always 400.", make: always(400, { success: false, messages: [] }) },
  { name: "unauthorized", description: "Always 401.", make: always(401, { success: false, messages: [] }) },
  { name: "not-found", description: "Always 404.", make: always(404, { success: false, messages: [] }) },
  { name: "server-error", description: "Always 500.", make: always(500, { success: false, messages: [] }) },
  { name: "echo", description: "Always 200 with the request as JSON.", make: echo },
  {
    name: "first-answer",
    description: "One payment code of a good service, again and again.",
    make: firstAnswer,
  },
  { name: "login-page", description: "Always 200 with an HTML login page.", make: loginPage },
  { name: "redirect", description: "Always a redirect to the same URL.", make: redirect },
  {
    name: "silence",
    description: "Takes requests and never answers.",
    make: () => (request) => request.resume(),
  },
  {
    name: "hang-up",
    description: "Closes the connection instead of answering.",
    make: () => (request) => request.socket.destroy(),
  },
  {
    name: "garbage",
    description: "Answers with bytes that are not HTTP.",
    make: () => (request) => {
      request.socket.end(Buffer.from([0x00, 0xff, 0x13, 0x37, 0x0d, 0x0a, 0xc3, 0x28, 0x0d, 0x0a]));
    },
  },
];

export async function startNullService(name: string): Promise<RunningService> {
  const chosen = nullServices.find((service) => service.name === name);
  if (!chosen) throw new RangeError(`there is no null service named ${name}`);
  const listening = await listen(chosen.make(), "127.0.0.1", 0);
  const { fixtures } = prepare({});
  return { ...ACCESS, baseUrl: listening.origin, fixtures, close: listening.close };
}
