import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { expect, test } from "vitest";
import { operations } from "../../reference/operations.ts";
import { Random } from "../../reference/random.ts";
import { start } from "./client.ts";

const client = await start();
const { token, space, baseUrl, fixtures } = client.service;
const random = new Random(7);

const ODD: readonly [string, ...string[]] = [
  "",
  "x",
  "%00",
  "%F0%9F%98%80",
  "%",
  "%zz",
  "a%2Fb",
  "..",
  "null",
  "NaN",
  "-0",
  "1e400",
  "__proto__",
  "constructor",
  "%5B%5D",
  "a".repeat(3000),
  fixtures.paymentCode ?? "",
  "CM",
];
const BODIES: readonly [string, ...string[]] = [
  "",
  "{}",
  "[]",
  "null",
  '{"name":{"toString":1},"currency":["XAF"],"reference":{}}',
  '{"__proto__":{"name":"x"},"constructor":1,"metadata":{"__proto__":null}}',
  '{"name":"x","url":"https://a.b/","events":null,"isActive":true,"customHeaders":{"\\u0000":"\\n"}}',
  '{"url":"http://127.0.0.1:99999/","name":"x","events":["a"]}',
  '{"metadata":{"a":1e999},"url":"https://[::1/"}',
  '{"status":"cancelled","expireTime":"9999-12-31T23:59:60Z","allowedProviders":["\\ud800"]}',
  `{"a":${"[".repeat(199)}${"]".repeat(199)}}`,
  `{"name":"x","name":2}`,
];
const NAMES = [
  "limit",
  "after",
  "before",
  "mode",
  "status",
  "ussd_code",
  "country",
  "__proto__",
  "",
] as const;

const [first, ...others] = operations.map(({ name }) => name);
const NAMES_OF_OPERATIONS = [first ?? "GET /countries", ...others] as const;

/** Sends a request with node:http, which allows malformed paths and unusual headers. Returns the status. */
function statusOf(
  method: string,
  path: string,
  headers: http.OutgoingHttpHeaders,
  body: string,
): Promise<number> {
  return new Promise((done, failed) => {
    const { hostname, port } = new URL(baseUrl);
    const request = http.request({ hostname, port, method, path, headers }, (response) => {
      response.resume();
      response.on("end", () => done(response.statusCode ?? 0));
    });
    request.on("error", failed);
    request.end(body);
  });
}

test("no unusual request is answered with a server error", async () => {
  for (let round = 0; round < 1500; round += 1) {
    const [method = "GET", template = ""] = random.pick(NAMES_OF_OPERATIONS).split(" ");
    const path = template.replace(/\{.*?\}/, () => random.pick(ODD));
    const parameters = Array.from(
      { length: random.integer(0, 3) },
      () => `${random.pick(NAMES)}=${random.pick(ODD)}`,
    );
    const headers: http.OutgoingHttpHeaders = {
      Authorization: `Bearer ${token}`,
      "Service-Space-Id": random.next() < 0.9 ? space : random.pick(["spc-", "\u00e9", "x".repeat(9000)]),
      "Content-Type":
        random.next() < 0.9 ? "application/json" : random.pick(["", ";", "a/b;c", "application/+json"]),
    };
    if (method === "POST")
      headers["Idempotency-Key"] = random.pick(["a", "__proto__", `k${round}`, "\u00ff"]);
    if (random.next() < 0.1) headers["Service-Version"] = random.pick(["", "x", "caph.2025-06-20"]);
    const asked = random.next() < 0.9 ? method : random.pick(["DELETE", "PUT", "HEAD", "OPTIONS", "TRACE"]);
    const target = `${path}?${parameters.join("&")}`;
    const body = method === "GET" ? "" : random.pick(BODIES);
    headers["Content-Length"] = Buffer.byteLength(body);
    const status = await statusOf(asked, target, headers, body);
    expect([asked, target, body, status < 500]).toEqual([asked, target, body, true]);
  }
});

test("a client that disconnects in the middle of a request harms no other", async () => {
  const { hostname, port } = new URL(baseUrl);
  for (let round = 0; round < 5; round += 1) {
    const socket = net.connect(Number(port), hostname);
    await once(socket, "connect");
    const head = "POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{";
    await new Promise((done) => socket.write(head, done));
    socket.destroy();
    await once(socket, "close");
  }
  expect((await client.send("GET /countries")).status).toBe(200);
});
