import { expect, test } from "vitest";
import { EVENT_NAMES } from "../../reference/deliveries.ts";
import type { Json, JsonObject } from "../../reference/json.ts";
import { ACCESS } from "../../reference/start.ts";
import { start } from "./client.ts";

const client = await start();
const ACCOUNT = "POST /v1/financial-accounts";
const WEBHOOK = "POST /webhooks";
const account = { name: "Till", currency: "XAF" };
const webhook = { name: "Till", url: "https://example.com/hook?a=1", events: null };
const text = (length: number) => "a".repeat(length);
const list = (length: number) => Array.from({ length }, () => "payout.updated");

async function statuses(operation: string, bodies: readonly JsonObject[]): Promise<[JsonObject, number][]> {
  const found: [JsonObject, number][] = [];
  for (const body of bodies) found.push([body, (await client.send(operation, { body })).status]);
  return found;
}

function each(base: JsonObject, field: string, values: readonly Json[]): JsonObject[] {
  return values.map((value) => ({ ...base, [field]: value }));
}

test("financial accounts: valid bodies are accepted, up to each limit", async () => {
  const bodies = [
    account,
    { ...account, reference: null, description: null, metadata: {} },
    { name: text(100), currency: "TND", reference: text(64), description: text(150), metadata: { a: "b" } },
    { ...account, name: "😀".repeat(100) },
    { ...account, unknown: { field: [1] } },
  ];
  for (const [body, status] of await statuses(ACCOUNT, bodies)) expect([body, status]).toEqual([body, 200]);
});

test("financial accounts: a body that breaks a rule is rejected and creates nothing", async () => {
  const count = async () => (await client.send("GET /v1/financial-accounts?limit=50")).items.length;
  const before = await count();
  const bodies = [
    {},
    { name: "Till" },
    { currency: "XAF" },
    ...each(account, "name", [null, 1, true, [], {}, text(101)]),
    ...each(account, "currency", [null, 1, "", "XA", "XAFX", "ABC", "xaf", "950"]),
    ...each(account, "reference", [1, false, [], {}, text(65)]),
    ...each(account, "description", [1, false, [], {}, text(151)]),
    ...each(account, "metadata", [null, 1, "x", []]),
  ];
  for (const [body, status] of await statuses(ACCOUNT, bodies)) expect([body, status]).toEqual([body, 400]);
  expect(await count()).toBe(before);
});

test("webhooks: valid bodies are accepted, up to each limit", async () => {
  const bodies = [
    webhook,
    ...each(webhook, "name", ["a", text(100), "😀".repeat(100)]),
    ...each(webhook, "events", [list(1), list(100), ["not.known"]]),
    ...each(webhook, "isActive", [true, false]),
    ...each(webhook, "alertEmails", [null, [], ["a@b.c"], ["a@b.c", "d@e.f", "g@h.i"]]),
    ...each(webhook, "verificationMethod", [{}, { hmac256: {} }, { hmac256: { secret: "s" } }]),
    ...each(webhook, "customHeaders", [{}, { "X-A": "b" }]),
    ...each(webhook, "apiVersion", ["caph.2025-08-23", "caph.2025-06-20"]),
    ...each(webhook, "metadata", [{}, { a: "b" }]),
  ];
  for (const [body, status] of await statuses(WEBHOOK, bodies)) expect([body, status]).toEqual([body, 200]);
});

test("webhooks: a body that breaks a rule is rejected and creates nothing", async () => {
  const total = async () => (await client.send("GET /webhooks")).pagination.total;
  const before = await total();
  const { name, url, events } = webhook;
  const bodies = [
    {},
    { url, events },
    { name, events },
    { name, url },
    ...each(webhook, "name", [null, "", 1, [], {}, text(101)]),
    ...each(webhook, "url", [
      null,
      "",
      1,
      "nowhere",
      "/hook",
      "ftp://a.b/c",
      "https://",
      "http://a b/",
      "https:a",
    ]),
    ...each(webhook, "events", [[], list(101), "payout.updated", {}, [1], [null], 1]),
    ...each(webhook, "isActive", [null, "true", 1, {}]),
    ...each(webhook, "apiVersion", [null, 1, {}]),
    ...each(webhook, "alertEmails", [["a", "b", "c", "d"], "a@b.c", {}, [1]]),
    ...each(webhook, "verificationMethod", [
      null,
      "hmac256",
      [],
      { hmac256: "s" },
      { hmac256: { secret: 1 } },
    ]),
    ...each(webhook, "customHeaders", [null, "x", [], { a: 1 }]),
    ...each(webhook, "metadata", [null, "x", []]),
  ];
  for (const [body, status] of await statuses(WEBHOOK, bodies)) expect([body, status]).toEqual([body, 400]);
  expect(await total()).toBe(before);
});

const AWKWARD = [
  "<b>\"quoted\"</b> & 'more'",
  "'; DROP TABLE accounts; --",
  "😀 👩‍👩‍👧 𝒳",
  "שלום עולם ‮",
  "e\u0301 \u00e9 Å Å",
  "  spaces around  ",
  "line\nbreak\ttab\u0000nul",
  "\ud800 lone",
  "\\u0041 %41 {{x}} #{y}",
];

test("sent values are shown unchanged, with any characters", async () => {
  for (const awkward of AWKWARD) {
    const sent = {
      ...account,
      name: awkward,
      description: awkward,
      metadata: { [awkward]: awkward, __proto: "x" },
    };
    expect((await client.send(ACCOUNT, { body: sent })).result).toMatchObject(sent);
    const hook = {
      ...webhook,
      name: awkward,
      events: [awkward],
      alertEmails: [awkward],
      verificationMethod: { hmac256: { secret: awkward } },
      customHeaders: { [awkward]: awkward },
      metadata: { deep: { er: [awkward, 1, null] } },
    };
    expect((await client.send(WEBHOOK, { body: hook })).result).toMatchObject(hook);
  }
  const proto = '{"name":"x","currency":"XAF","metadata":{"__proto__":"kept","constructor":"too"}}';
  expect((await client.send(ACCOUNT, { body: proto })).text).toContain(
    '{"__proto__":"kept","constructor":"too"}',
  );
});

test("a new financial account has every field", async () => {
  const { result } = await client.send(ACCOUNT, { body: account });
  expect(Object.keys(result).sort()).toEqual([
    "balance",
    "createTime",
    "currency",
    "description",
    "id",
    "metadata",
    "name",
    "reference",
    "updateTime",
    "uvan",
  ]);
  expect(result).toMatchObject({ reference: null, description: null, metadata: {} });
  expect(result.balance).toEqual({ available: { currency: "XAF", value: 0 } });
  expect((await client.send(ACCOUNT, { body: account })).result.uvan).not.toBe(result.uvan);
});

test("a new webhook is inactive by default, and is listed", async () => {
  const { result } = await client.send(WEBHOOK, { body: webhook });
  expect(result).toMatchObject({ isActive: false, events: [...EVENT_NAMES] });
  expect((await client.send("GET /webhooks?limit=1")).items).toEqual([result]);
  const active = await client.send(WEBHOOK, { body: { ...webhook, isActive: true } });
  expect(active.result.isActive).toBe(true);
});

test("a reference is unique in its space, whatever else differs", async () => {
  const there = { "Service-Space-Id": ACCESS.secondSpace };
  const sent = { ...account, reference: "one" };
  expect((await client.send(ACCOUNT, { body: sent })).status).toBe(200);
  expect((await client.send(ACCOUNT, { body: sent })).status).toBe(409);
  const other = { name: "Other", currency: "NGN", description: "d", metadata: { a: "b" }, reference: "one" };
  expect((await client.send(ACCOUNT, { body: other })).status).toBe(409);
  expect((await client.send(ACCOUNT, { body: sent, headers: there })).status).toBe(200);
  expect((await client.send(ACCOUNT, { body: { ...sent, reference: "ONE" } })).status).toBe(200);
  for (const reference of [null, null]) {
    expect((await client.send(ACCOUNT, { body: { ...account, reference } })).status).toBe(200);
  }
});

test("exactly one of simultaneous creates with one reference is accepted", async () => {
  const body = { ...account, reference: "at-once" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.send(ACCOUNT, { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
});

test("simultaneous creates each make their own resource", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => client.send(WEBHOOK, { body: webhook })),
  );
  expect(new Set(answers.map(({ result }) => result.id)).size).toBe(100);
});
