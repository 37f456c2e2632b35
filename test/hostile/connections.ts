/**
 * Hostile cases of connections that break, hang or violate HTTP. Also interrupted runs, unusual folders and
 * unusual inputs, with a sound service.
 */

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Hostile, passOn, type SoundAnswer, type Spoil } from "./hostile.ts";

const UNSOUND = { codes: [1, 3], verdicts: ["nonconformant", "inconclusive"] };
const SOUND = { codes: [0], verdicts: ["conformant"] };

function http(name: string, spoil: Spoil, right: Pick<Hostile, "codes" | "verdicts"> = UNSOUND): Hostile {
  return { name, area: "http", spoil, ...right };
}

/** Sends these bytes in place of an answer. */
function raw(write: (answer: SoundAnswer) => string): Spoil {
  return (answer, response) => {
    response.socket?.end(Buffer.from(write(answer), "latin1"));
  };
}

const length = (text: string) => `content-length: ${Buffer.byteLength(text)}`;
const status =
  (code: number, headers: Record<string, string> = {}): Spoil =>
  (_, response) => {
    response.writeHead(code, headers).end();
  };

export const connections: Hostile[] = [
  http("no answer at all", () => undefined),
  http("a closed connection", (_, response) => response.destroy()),
  http(
    "a closed connection now and then",
    (answer, response) => (answer.count % 7 === 0 ? response.destroy() : passOn(answer, response)),
    { codes: [0, 1, 3], verdicts: ["conformant", "nonconformant", "inconclusive"] },
  ),
  http(
    "a closed connection within the head",
    raw(() => "HTTP/1.1 200 OK\r\ncontent-t"),
  ),
  http(
    "a closed connection within the body",
    raw(({ body }) => `HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n${body}`),
  ),
  http(
    "garbage",
    raw(() => "\u0000\u0001\u0002 garbage \r\n\r\n"),
  ),
  http(
    "a greeting of another protocol",
    raw(() => "SSH-2.0-OpenSSH_9.6\r\n"),
  ),
  http(
    "HTTP 0.9",
    raw(({ body }) => body),
  ),
  http(
    "a status of 999",
    raw(({ body }) => `HTTP/1.1 999 What\r\n${length(body)}\r\n\r\n${body}`),
  ),
  http(
    "a status of 0",
    raw(({ body }) => `HTTP/1.1 000 Nothing\r\n${length(body)}\r\n\r\n${body}`),
  ),
  http(
    "a length that is too short",
    raw(({ body }) => `HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n${body}`),
  ),
  http(
    "two lengths",
    raw(({ body }) => `HTTP/1.1 200 OK\r\ncontent-length: 5\r\n${length(body)}\r\n\r\n${body}`),
  ),
  http(
    "a negative length",
    raw(({ body }) => `HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n${body}`),
  ),
  http(
    "chunks that are none",
    raw(() => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nx"),
  ),
  http(
    "a chunk without an end",
    raw(() => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffff\r\nx"),
  ),
  http(
    "a header without a name",
    raw(({ body }) => `HTTP/1.1 200 OK\r\n: x\r\n${length(body)}\r\n\r\n${body}`),
  ),
  http(
    "100 Continue a thousand times",
    raw(
      ({ body }) =>
        `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000)}HTTP/1.1 200 OK\r\n${length(body)}\r\n\r\n${body}`,
    ),
  ),
  http(
    "101 Switching Protocols",
    raw(() => "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
  ),
  http(
    "204 with a body",
    raw(({ body }) => `HTTP/1.1 204 No Content\r\n\r\n${body}`),
  ),
  http("a redirect to itself", (_, response, request) => {
    response.writeHead(302, { location: request.url ?? "/" }).end();
  }),
  http("a redirect to another host", status(307, { location: "http://127.0.0.1:1/" })),
  http("304 Not Modified", status(304)),
  http("206 Partial Content", (answer, response) => passOn({ ...answer, status: 206 }, response)),
  http("401 to everything", status(401, { "www-authenticate": 'Bearer realm="\\"" , , =,' })),
  http("403 to everything", status(403)),
  http("407 to everything", status(407)),
  http("418 to everything", status(418)),
  http("429 for ever", status(429, { "retry-after": "0" })),
  http("429 with a Retry-After of a year", status(429, { "retry-after": "31536000" })),
  http("429 with a Retry-After that is none", status(429, { "retry-after": "-1, soon" })),
  http("500 to everything", status(500)),
  http("503 for ever", status(503, { "retry-after": "0" })),
  http("gzip that is none", (answer, response) => {
    response.writeHead(answer.status, { ...answer.headers, "content-encoding": "gzip" }).end(answer.body);
  }),
  http("gzip that ends too soon", (answer, response) => {
    response
      .writeHead(answer.status, { ...answer.headers, "content-encoding": "gzip" })
      .end(Buffer.from([0x1f, 0x8b, 8, 0]));
  }),
  http(
    "a coding that nobody knows",
    (answer, response) => {
      response.writeHead(answer.status, { ...answer.headers, "content-encoding": "zork" }).end(answer.body);
    },
    { codes: [0, 1, 3], verdicts: ["conformant", "nonconformant", "inconclusive"] },
  ),
  http(
    "a thousand cookies",
    (answer, response) => {
      response.setHeader(
        "set-cookie",
        Array.from({ length: 500 }, (_, index) => `c${index}=v`),
      );
      passOn(answer, response);
    },
    SOUND,
  ),
  http(
    "trailers",
    (answer, response) => {
      response.writeHead(answer.status, { ...answer.headers, trailer: "x-late" });
      response.addTrailers({ "x-late": "1" });
      response.end(answer.body);
    },
    SOUND,
  ),
  http("HTML everywhere", (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  }),
  http("a service that is gone after 30 requests", (answer, response) =>
    answer.count > 30 ? response.destroy() : passOn(answer, response),
  ),
  http("a service that goes into maintenance after 30 requests", (answer, response) => {
    if (answer.count <= 30) passOn(answer, response);
    else response.writeHead(503, { "content-type": "text/html" }).end("<h1>Maintenance</h1>");
  }),
  http("a token that runs out after 30 requests", (answer, response) => {
    if (answer.count <= 30) passOn(answer, response);
    else response.writeHead(401, { "content-type": "application/json" }).end('{"error":"expired"}');
  }),
];

export const stops: Hostile[] = (["SIGINT", "SIGTERM", "SIGHUP"] as const).flatMap((signal) =>
  [0, 50, 200, 600].map(
    (after): Hostile => ({
      name: `${signal} ${after} ms after the first request`,
      area: "stops",
      spoil: (answer, response) => setTimeout(() => passOn(answer, response), 10),
      stop: { signal, after },
      codes: [130],
      verdicts: ["inconclusive", "nonconformant"],
    }),
  ),
);

/** The command refuses wrong usage with exit code 2, without a report. */
const REFUSED = { codes: [2], verdicts: [] };

export const places: Hostile[] = [
  { name: "under /proc", flags: ["--out", "/proc/x/y"] },
  { name: "in /dev/null", flags: ["--out", "/dev/null"] },
  {
    name: "in a file",
    flags: ["--out", "taken"],
    prepare: (folder: string) => writeFileSync(join(folder, "taken"), "x"),
  },
  { name: "in a name of 300 characters", flags: ["--out", "x".repeat(300)] },
  {
    name: "a folder that has the name of the report",
    prepare: (folder: string) => {
      mkdirSync(join(folder, "conformance-report", "report.xml"), { recursive: true });
    },
  },
].map((place): Hostile => ({ area: "places", ...REFUSED, ...place }));

function file(name: string, text: string | Buffer, flags: string[] = []): Hostile {
  return {
    name: `${flags.length > 0 ? flags[0] : name}: ${String(text)
      .slice(0, 30)
      .replace(/[^ -~]/g, "?")}`,
    area: "inputs",
    prepare: (folder) => writeFileSync(join(folder, name), text),
    flags,
    ...REFUSED,
  };
}

export const inputs: Hostile[] = [
  ...["a: [", "\t- x", "12", "&a *a", "baseUrl: {}", "nonsense: 1", "seed: -1", "only: {}", "\u0000"].map(
    (text) => file("payments-conformance.yaml", text),
  ),
  file(
    "payments-conformance.yaml",
    `a: &a [x,x,x]\n${Array.from({ length: 30 }, (_, index) => `b${index}: &b${index} [*a,*a]`).join("\n")}`,
  ),
  ...["", "a: [", "[]", "name: 1", "promises: 5", "{}"].map((text) =>
    file("profile.yaml", text, ["--profile", "profile.yaml"]),
  ),
  ...["a: [", "12", "- nothing: 1", "waivers: 3", "- []"].map((text) =>
    file("waivers.yaml", text, ["--waivers", "waivers.yaml"]),
  ),
  { name: "a folder without a specification", area: "inputs", flags: ["--spec", "."], ...REFUSED },
  {
    name: "an unreadable file",
    area: "inputs",
    flags: ["--profile", "profile.yaml"],
    prepare: (folder) => {
      mkdirSync(join(folder, "profile.yaml"));
      chmodSync(join(folder, "profile.yaml"), 0o000);
    },
    ...REFUSED,
  },
];
