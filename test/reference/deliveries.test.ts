import { createHmac } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { isLoopback, SIGNATURE_HEADER } from "../../reference/deliveries.ts";
import { ACCESS } from "../../reference/start.ts";
import { start } from "./client.ts";

const client = await start();
const received: { path: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
const receiver = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () => {
    received.push({ path: request.url ?? "", headers: request.headers, body });
    response.end();
  });
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const { port } = receiver.address() as AddressInfo;
afterAll(() => receiver.close());

const at = (path: string) => received.filter((delivery) => delivery.path === path);

async function subscribe(path: string, more: object, headers = {}, to = client) {
  const body = {
    name: "Receiver",
    url: `http://localhost:${port}${path}`,
    events: null,
    isActive: true,
    ...more,
  };
  const answer = await to.send("POST /webhooks", { body: JSON.stringify(body), headers });
  expect(answer.status).toBe(200);
}

test("active, subscribed webhooks of the space get a signed POST with their headers", async () => {
  const secret = {
    verificationMethod: { hmac256: { secret: "hush" } },
    customHeaders: { "X-Team": "a b", "bad name": "x" },
  };
  await subscribe("/signed", secret);
  await subscribe("/other-event", { events: ["payout.updated"] });
  await subscribe("/inactive", { isActive: false });
  await subscribe("/other-space", {}, { "Service-Space-Id": ACCESS.secondSpace });
  await subscribe("/subscribed", { events: ["payout.updated", "financial_account.created"] });
  const account = await client.send("POST /v1/financial-accounts", {
    body: { name: "Till", currency: "XAF" },
  });
  await vi.waitFor(() => expect([at("/signed").length, at("/subscribed").length]).toEqual([1, 1]));
  const [delivery] = at("/signed");
  expect(delivery?.headers).toMatchObject({ "x-team": "a b", "content-type": "application/json" });
  const signature = createHmac("sha256", "hush")
    .update(delivery?.body ?? "")
    .digest("hex");
  expect(delivery?.headers[SIGNATURE_HEADER.toLowerCase()]).toBe(signature);
  expect(JSON.parse(delivery?.body ?? "")).toMatchObject({
    event: "financial_account.created",
    data: account.result,
  });
  expect(at("/subscribed")[0]?.headers).not.toHaveProperty(SIGNATURE_HEADER.toLowerCase());
  expect([...at("/other-event"), ...at("/inactive"), ...at("/other-space")]).toEqual([]);
});

test("with the defect, deliveries lack the custom headers", async () => {
  const defective = await start({ defects: ["delivery-without-headers@webhook-create"] });
  await subscribe("/defective", { customHeaders: { "X-Team": "a b" } }, {}, defective);
  await defective.send("POST /v1/financial-accounts", { body: { name: "Till", currency: "XAF" } });
  await vi.waitFor(() => expect(at("/defective").length).toBe(1));
  expect(at("/defective")[0]?.headers).not.toHaveProperty("x-team");
});

test("deliveries go to the local machine only", () => {
  for (const url of [
    "http://127.0.0.1/",
    "http://127.8.9.1:80/x",
    "https://localhost:1/",
    "http://[::1]:9/",
    "http://2130706433/",
  ])
    expect([url, isLoopback(url)]).toEqual([url, true]);
  for (const url of [
    "http://example.com/",
    "http://127.0.0.1.example.com/",
    "http://localhost.example.com/",
    "http://10.0.0.1/",
    "http://[::2]/",
    "http://0.0.0.0/",
    "http://user@example.com:80/127.0.0.1",
    "ftp://localhost/",
    "nowhere",
  ])
    expect([url, isLoopback(url)]).toEqual([url, false]);
});

test("a missing receiver delays nothing", async () => {
  const body = { name: "Gone", url: "http://127.0.0.1:9/", events: null, isActive: true };
  await client.send("POST /webhooks", { body });
  const answer = await client.send("POST /v1/financial-accounts", {
    body: { name: "Till", currency: "XAF" },
  });
  expect(answer.status).toBe(200);
});
