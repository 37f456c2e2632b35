import { expect, test } from "vitest";
import type { JsonObject } from "../../reference/json.ts";
import { ACCESS } from "../../reference/start.ts";
import { start } from "./client.ts";

const client = await start();
const bodies: Record<string, JsonObject> = {
  "POST /v1/financial-accounts": { name: "Till", currency: "XAF" },
  "POST /webhooks": { name: "Till", url: "https://example.com/hook", events: null },
  "POST /v1/payments": { anything: ["goes"] },
};

for (const [operation, body] of Object.entries(bodies)) {
  const create = (key: string | null, sent: JsonObject = body, headers = {}) =>
    client.send(operation, { body: sent, headers: { "Idempotency-Key": key, ...headers } });

  test(`${operation}: a key is required, of 1 to 64 characters`, async () => {
    for (const key of [null, "", "k".repeat(65)]) expect((await create(key)).status).toBe(400);
    for (const key of ["k", "k".repeat(64)]) expect((await create(key)).status).toBe(200);
  });

  test(`${operation}: the same key and body again gives the same answer`, async () => {
    const first = await create("again");
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    for (const sent of [body, reordered]) expect((await create("again", sent)).text).toBe(first.text);
  });

  test(`${operation}: the same key at the same time makes one resource`, async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create("at-once")));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });

  test(`${operation}: the same key with another body is refused`, async () => {
    await create("other-body");
    expect((await create("other-body", { ...body, metadata: { a: "b" } })).status).toBe(422);
    const both = await Promise.all([create("mixed"), create("mixed", { ...body, metadata: { a: "b" } })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test(`${operation}: keys are compared exactly, by space and by operation`, async () => {
    const there = { "Service-Space-Id": ACCESS.secondSpace };
    const answers = [
      await create("exact-key"),
      await create("EXACT-key"),
      await create("exact-keY"),
      await create("exactkey"),
      await create("exact-key1"),
      await create("exact-key", body, there),
    ];
    expect(new Set(answers.map(({ result }) => result.id)).size).toBe(answers.length);
  });
}

test("one key can be used at each operation", async () => {
  const ids: unknown[] = [];
  for (const [operation, body] of Object.entries(bodies)) {
    const answer = await client.send(operation, { body, headers: { "Idempotency-Key": "shared" } });
    expect(answer.status).toBe(200);
    ids.push(answer.result.id);
  }
  expect(new Set(ids).size).toBe(ids.length);
});

test("a refused create leaves its key unused", async () => {
  const headers = { "Idempotency-Key": "second-try" };
  const operation = "POST /v1/financial-accounts";
  const body = { name: "Till", currency: "XAF", reference: "taken" };
  await client.send(operation, { body });
  expect((await client.send(operation, { body, headers })).status).toBe(409);
  expect((await client.send(operation, { body: { ...body, name: 1 }, headers })).status).toBe(400);
  expect((await client.send(operation, { body: { ...body, reference: "free" }, headers })).status).toBe(200);
});

test("the same key before and after a change gives the stored answer", async () => {
  const headers = { "Idempotency-Key": "stored" };
  const body = bodies["POST /webhooks"] ?? {};
  const first = await client.send("POST /webhooks", { body, headers });
  await client.send(`PATCH /webhooks/${first.result.id}`, { body: { url: "https://example.com/changed" } });
  expect((await client.send("POST /webhooks", { body, headers })).text).toBe(first.text);
});
