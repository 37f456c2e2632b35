import { once } from "node:events";
import net from "node:net";
import { expect, test } from "vitest";
import { start } from "./client.ts";

const client = await start();
const { fixtures, token, space, baseUrl } = client.service;

/** Returns the first line of the answer. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = net.connect(Number(port), hostname);
  socket.end(text);
  let answer = "";
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString();
  });
  await once(socket, "close");
  return answer.split("\r\n")[0] ?? "";
}

test("unknown paths are 404, wrong methods 405 with Allow", async () => {
  for (const path of [
    "/",
    "/nothing",
    "/v1",
    "/v1/payouts/x/y",
    "/banks/",
    "/webhooks/x/y",
    "//banks",
    "/ussd-otps",
  ])
    expect([path, (await client.send(`GET ${path}`)).status]).toEqual([path, 404]);
  const wrong = await client.send("DELETE /webhooks/x");
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "PATCH, OPTIONS"]);
  expect((await client.send("POST /countries", { body: {} })).headers.get("allow")).toBe(
    "GET, HEAD, OPTIONS",
  );
});

test("HEAD answers as GET without a body, OPTIONS names the methods", async () => {
  const head = await client.send("HEAD /countries");
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(100);
  const options = await client.send("OPTIONS /webhooks", { headers: { Authorization: null } });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, GET, HEAD, OPTIONS"]);
});

test("malformed percent-encoding is 400, in the path and in the query", async () => {
  for (const target of [
    "/payouts/%zz",
    "/payouts/%E0%A4%A",
    "/banks?country=%",
    "/banks?%ff=CM&country=CM",
  ]) {
    const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const line = await raw(`${head}Authorization: Bearer ${token}\r\nService-Space-Id: ${space}\r\n\r\n`);
    expect([target, line]).toEqual([target, "HTTP/1.1 400 Bad Request"]);
  }
});

test("a request that is not HTTP is 400, endless headers are 431", async () => {
  expect(await raw("HELLO\r\n\r\n")).toBe("HTTP/1.1 400 Bad Request");
  expect(await raw(`GET /banks HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(200_000)}\r\n\r\n`)).toBe(
    "HTTP/1.1 431 Request Header Fields Too Large",
  );
  const whole = `GET ${baseUrl}/countries HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  expect(await raw(whole)).toBe("HTTP/1.1 200 OK");
});

test("weird ids are 404", async () => {
  const ids = [
    "a/b",
    "..",
    '"quoted"',
    "sp ace",
    "日本",
    "😀",
    "x".repeat(5000),
    "%",
    "null",
    "'; DROP TABLE",
    "\u0000",
  ];
  for (const base of ["/payment-codes", "/payouts", "/banks", "/momos", "/countries"])
    for (const id of ids) {
      const escaped = id === ".." ? "%2e%2e%2f" : encodeURIComponent(id);
      expect([id, (await client.send(`GET ${base}/${escaped}`)).status]).toEqual([id, 404]);
    }
  for (const id of [`${fixtures.payout}x`, fixtures.payout?.slice(0, -1), fixtures.payout?.toUpperCase()])
    expect((await client.send(`GET /payouts/${id}`)).status).toBe(404);
});

const valid = JSON.stringify({ name: "x", currency: "XAF" });

for (const operation of [
  "POST /v1/financial-accounts",
  `PATCH /payment-codes/${fixtures.mutablePaymentCode}`,
]) {
  test(`${operation} accepts JSON objects only`, async () => {
    const bodies = [
      "",
      "{",
      "nope",
      '{"name":}',
      "[]",
      '"text"',
      "1",
      "null",
      "true",
      `[${valid}]`,
      "\ufeff{",
      "{} {}",
    ];
    for (const body of bodies)
      expect([body, (await client.send(operation, { body })).status]).toEqual([body, 400]);
    const deep = `{"name":"x","currency":"XAF","metadata":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
    expect((await client.send(operation, { body: deep })).status).toBe(400);
    const large = `{"name":"x","currency":"XAF","metadata":{"a":"${"x".repeat(2_000_000)}"}}`;
    expect((await client.send(operation, { body: large })).status).toBe(413);
  });

  test(`${operation} accepts a JSON content type with or without charset`, async () => {
    const types: [string | null, number][] = [
      ["application/json", 200],
      ["application/json; charset=utf-8", 200],
      ['APPLICATION/JSON;charset="UTF-8"', 200],
      ["application/vnd.client+json", 200],
      ["text/plain", 415],
      ["application/x-www-form-urlencoded", 415],
      ["application/jsonp", 415],
      ["application/json; charset=utf-16", 415],
    ];
    for (const [type, status] of types) {
      const answer = await client.send(operation, { body: valid, headers: { "Content-Type": type } });
      expect([type, answer.status]).toEqual([type, status]);
    }
  });
}

test("bytes that are not UTF-8 are 400", async () => {
  const body = Buffer.concat([
    Buffer.from('{"name":"'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('","currency":"XAF"}'),
  ]);
  const response = await fetch(`${baseUrl}/v1/financial-accounts`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Service-Space-Id": space,
      "Idempotency-Key": "utf8",
      "Content-Type": "application/json",
    },
    body,
  });
  expect(response.status).toBe(400);
});
