import { expect, test } from "vitest";
import { EVENT_NAMES } from "../../reference/deliveries.ts";
import type { Json, JsonObject } from "../../reference/json.ts";
import { start } from "./client.ts";

const client = await start();
const { fixtures } = client.service;
const CODE = `/payment-codes/${fixtures.mutablePaymentCode}`;
const PAYOUT = `/payouts/${fixtures.mutablePayout}`;

async function isRefusedAndUnchanged(path: string, read: () => Promise<Json>, bodies: readonly JsonObject[]) {
  const before = await read();
  for (const body of bodies) {
    const { status } = await client.send(`PATCH ${path}`, { body });
    expect([body, status]).toEqual([body, 400]);
  }
  expect(await read()).toEqual(before);
}

const single = (path: string) => async () => (await client.send(`GET ${path}`)).result;

test("payment codes: each field changes alone, the others are kept", async () => {
  const changes: JsonObject[] = [
    { name: "New name 😀" },
    { name: "a".repeat(100) },
    { isActive: false },
    { isActive: true },
    { expireTime: "2033-02-28T23:59:59+05:30" },
    { allowedProviders: ["cm_m_mtn"] },
    { allowedProviders: Array.from({ length: 10 }, (_, index) => `p${index}`) },
    { metadata: { a: "b" } },
    { metadata: {} },
    {},
  ];
  for (const change of changes) {
    const before = (await client.send(`GET ${CODE}`)).result;
    const answer = await client.send(`PATCH ${CODE}`, { body: change });
    expect(answer.result).toEqual({ ...before, ...change });
    expect(await single(CODE)()).toEqual(answer.result);
  }
});

test("payment codes: null keeps name and status, activates, and opens to every provider", async () => {
  const before = (await client.send(`PATCH ${CODE}`, { body: { isActive: false, name: "Kept" } })).result;
  const nulls = { name: null, status: null, isActive: null, allowedProviders: null };
  const { result } = await client.send(`PATCH ${CODE}`, { body: nulls });
  expect(result).toEqual({ ...before, isActive: true, allowedProviders: [] });
});

test("payment codes: an update that breaks a rule is rejected and changes nothing", async () => {
  const wrong: Record<string, Json[]> = {
    name: [1, true, [], {}, "a".repeat(101)],
    isActive: ["true", 1, {}],
    status: ["pending", "completed", "Cancelled", "", 1, {}],
    expireTime: [
      null,
      1,
      "",
      "tomorrow",
      "2030-02-30T00:00:00Z",
      "2030-01-01",
      "2030-01-01T00:00:00",
      "2030-01-01T25:00:00Z",
    ],
    allowedProviders: [[], Array.from({ length: 11 }, () => "p"), "p", {}, [1], [null]],
    metadata: [null, 1, "x", []],
  };
  const bodies = Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value) => ({ [field]: value, ...(field === "name" ? {} : { name: "Never seen" }) })),
  );
  await isRefusedAndUnchanged(CODE, single(CODE), bodies);
});

test("payment codes: cancelling updates the other fields in the same call", async () => {
  const path = `/payment-codes/${fixtures.cancellablePaymentCode?.split(",")[0]}`;
  const before = (await client.send(`GET ${path}`)).result;
  const sent = { status: "cancelled", name: "Cancelled in time", metadata: { why: "test" } };
  const { result } = await client.send(`PATCH ${path}`, { body: sent });
  expect(result).toEqual({ ...before, ...sent });
  const listed = await client.send(
    `GET /v1/payment-codes?status=cancelled&ussd_code=${encodeURIComponent(String(before.ussdCode))}`,
  );
  expect(listed.items.map(({ id }) => id)).toContain(before.id);
  for (const status of ["completed", "expired"]) {
    const over = (await client.send(`GET /v1/payment-codes?status=${status}&limit=1`)).items[0];
    const answer = await client.send(`PATCH /payment-codes/${over?.id}`, {
      body: { status: "cancelled", name: "No" },
    });
    expect(answer.status).toBe(409);
    expect((await client.send(`GET /payment-codes/${over?.id}`)).result.name).toBe(over?.name);
  }
});

test("payouts: only the metadata is changed", async () => {
  const before = (await client.send(`GET ${PAYOUT}`)).result;
  const sent = { metadata: { a: "b" }, status: "failed", id: "other", amount: { currency: "XAF", value: 1 } };
  const { result } = await client.send(`PATCH ${PAYOUT}`, { body: sent });
  expect(result).toEqual({ ...before, metadata: { a: "b" } });
  expect((await client.send(`PATCH ${PAYOUT}`, { body: {} })).result).toEqual(result);
  expect((await client.send(`PATCH ${PAYOUT}`, { body: { metadata: null } })).result.metadata).toEqual({});
  await isRefusedAndUnchanged(PAYOUT, single(PAYOUT), [{ metadata: 1 }, { metadata: "x" }, { metadata: [] }]);
});

const created = await client.send("POST /webhooks", {
  body: {
    name: "Hook",
    url: "https://example.com/a",
    events: ["payout.updated"],
    apiVersion: "caph.2025-06-20",
  },
});
const HOOK = `/webhooks/${created.result.id}`;
const url = "https://example.com/b?c=d";

async function readHook(): Promise<Json> {
  const { items } = await client.send("GET /webhooks?limit=50");
  return items.find(({ id }) => id === created.result.id) ?? null;
}

test("webhooks: each field changes alone, the others are kept", async () => {
  const changes: JsonObject[] = [
    { name: "a" },
    { name: "a".repeat(100) },
    { isActive: true },
    { apiVersion: "caph.2025-08-23" },
    { events: ["a"] },
    { events: Array.from({ length: 100 }, () => "a") },
    { alertEmails: ["a@b.c", "d@e.f", "g@h.i"] },
    { alertEmails: [] },
    { verificationMethod: { hmac256: { secret: "s" } } },
    { customHeaders: { "X-A": "b" } },
    { metadata: { a: "b" } },
    {},
  ];
  for (const change of changes) {
    const before = await readHook();
    const answer = await client.send(`PATCH ${HOOK}`, { body: { url, ...change } });
    expect(answer.result).toEqual({ ...(before as JsonObject), url, ...change });
    expect(await readHook()).toEqual(answer.result);
  }
});

test("webhooks: null keeps name and isActive, removes apiVersion, subscribes to everything", async () => {
  const nulls = { name: null, isActive: null, apiVersion: null, events: null, alertEmails: null };
  const { result } = await client.send(`PATCH ${HOOK}`, { body: { url, ...nulls } });
  expect(result).toMatchObject({ isActive: true, events: [...EVENT_NAMES], alertEmails: [] });
  expect(result).not.toHaveProperty("apiVersion");
  expect(result.name).toBe("a".repeat(100));
});

test("webhooks: an update that breaks a rule is rejected and changes nothing", async () => {
  const wrong: Record<string, Json[]> = {
    url: [null, "", 1, "nowhere"],
    name: ["", "a".repeat(101), 1],
    isActive: ["true", 0],
    apiVersion: [1, {}],
    events: [[], Array.from({ length: 101 }, () => "a"), "a", [1]],
    alertEmails: [["a", "b", "c", "d"], "a", [1]],
    verificationMethod: [null, [], { hmac256: 1 }],
    customHeaders: [null, [], { a: 1 }],
    metadata: [null, "x"],
  };
  const bodies = Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value) => ({ url: "https://example.com/never", [field]: value })),
  );
  await isRefusedAndUnchanged(HOOK, readHook, [...bodies, { name: "No url" }, {}]);
});

test("an unknown id is 404", async () => {
  for (const path of ["/payment-codes", "/payouts", "/webhooks"])
    expect((await client.send(`PATCH ${path}/nobody`, { body: { url } })).status).toBe(404);
});

test("simultaneous updates of different fields are all kept", async () => {
  const fields: JsonObject[] = [{ name: "At once" }, { metadata: { at: "once" } }, { isActive: false }];
  await Promise.all(fields.map((body) => client.send(`PATCH ${CODE}`, { body })));
  expect(await single(CODE)()).toMatchObject({ name: "At once", metadata: { at: "once" }, isActive: false });
});
