import { afterAll, expect, test } from "vitest";
import { nullServices, type RunningService, startNullService } from "../../reference/index.ts";
import { type Client, clientOf } from "./client.ts";

const running: RunningService[] = [];
afterAll(() => Promise.all(running.map((service) => service.close())));

async function begin(name: string): Promise<Client> {
  const service = await startNullService(name);
  running.push(service);
  return clientOf(service);
}

const answers: Record<string, [number, string]> = {
  "empty-object": [200, "{}"],
  "empty-list": [
    200,
    '{"success":true,"messages":[],"result":[],"pagination":{"count":0,"next":null,"total":0}}',
  ],
  "bad-request": [400, '{"success":false,"messages":[]}'],
  unauthorized: [401, '{"success":false,"messages":[]}'],
  "not-found": [404, '{"success":false,"messages":[]}'],
  "server-error": [500, '{"success":false,"messages":[]}'],
  redirect: [307, ""],
};

for (const [name, expected] of Object.entries(answers)) {
  test(`${name} always answers the same`, async () => {
    const client = await begin(name);
    for (const operation of ["GET /banks", "GET /nothing", "DELETE /x"]) {
      const { status, text } = await client.send(operation);
      expect([status, text]).toEqual(expected);
    }
    const posted = await client.send("POST /webhooks", { body: { a: 1 } });
    expect([posted.status, posted.text]).toEqual(expected);
  });
}

test("redirect points to itself", async () => {
  const client = await begin("redirect");
  expect((await client.send("GET /banks?country=CM")).headers.get("location")).toBe("/banks?country=CM");
});

test("echo returns the request", async () => {
  const client = await begin("echo");
  const { json } = await client.send("POST /webhooks?a=b", { body: { a: 1 } });
  expect(json).toMatchObject({ method: "POST", url: "/webhooks?a=b", body: '{"a":1}' });
});

test("first-answer is the same payment code for every request", async () => {
  const client = await begin("first-answer");
  const first = await client.send("GET /nothing");
  expect(first.result.id).toMatch(/^pyc_/);
  expect((await client.send("GET /webhooks")).text).toBe(first.text);
  expect((await client.send("DELETE /x", { headers: { Authorization: null } })).text).toBe(first.text);
});

test("login-page is HTML", async () => {
  const { status, headers, text } = await (await begin("login-page")).send("GET /banks");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text).toContain("<form>");
});

test("silence accepts a request and never answers", async () => {
  const client = await begin("silence");
  const signal = AbortSignal.timeout(150);
  await expect(fetch(client.service.baseUrl, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
});

for (const name of ["hang-up", "garbage"]) {
  test(`${name} never answers in HTTP`, async () => {
    const client = await begin(name);
    await expect(client.send("GET /banks")).rejects.toThrow("fetch failed");
  });
}

test("every null service is tried above, and an unknown one is refused", async () => {
  const tried = [
    ...Object.keys(answers),
    "echo",
    "first-answer",
    "login-page",
    "silence",
    "hang-up",
    "garbage",
  ];
  expect(nullServices.map(({ name }) => name).sort()).toEqual(tried.sort());
  await expect(startNullService("nobody")).rejects.toThrow(RangeError);
});
