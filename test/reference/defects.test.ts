import { afterAll, expect, test } from "vitest";
import { defects, type RunningService, startReference } from "../../reference/index.ts";
import type { Json, JsonObject } from "../../reference/json.ts";
import { ACCESS } from "../../reference/start.ts";
import { type Client, clientOf } from "./client.ts";

/** What a client sees of a defect: something else than with the service as it should be. */
type Observation = (client: Client) => Promise<unknown>;

const account = { name: " Till ", currency: "XAF" };
const webhook = { name: "Hook", url: "https://example.com/a", events: null, isActive: true };
const CODES = "GET /v1/payment-codes";
const there = { "Service-Space-Id": ACCESS.secondSpace };

async function statusOf(client: Client, operation: string, headers = {}, body?: Json): Promise<number> {
  return (await client.send(operation, body === undefined ? { headers } : { headers, body })).status;
}

async function createdTogether(client: Client, operation: string, body: JsonObject, headers = {}) {
  const answers = await Promise.all([1, 2, 3].map(() => client.send(operation, { body, headers })));
  return new Set(answers.filter(({ status }) => status === 200).map(({ result }) => result.id)).size;
}

const observations: Record<string, Observation> = {
  "create-webhook-answers-201": (client) => statusOf(client, "POST /webhooks", {}, webhook),
  "messages-missing-on-lists": async (client) => Object.keys((await client.send("GET /webhooks")).json ?? {}),
  "otp-expire-time-epoch-seconds": async (client) =>
    typeof (await client.send("GET /v1/ussd-otps")).items[0]?.expireTime,
  "account-balance-in-other-currency": async (client) =>
    (await client.send("POST /v1/financial-accounts", { body: account })).result.balance,
  "payout-update-without-token-check": (client) =>
    statusOf(
      client,
      `PATCH /payouts/${client.service.fixtures.payout}`,
      { Authorization: "Bearer nobody" },
      {},
    ),
  "create-before-authentication": async (client) => {
    const refused = await statusOf(client, "POST /webhooks", { Authorization: "Bearer nobody" }, webhook);
    return [refused, (await client.send("GET /webhooks")).pagination.total];
  },
  "webhook-update-across-spaces": async (client) => {
    const id = (await client.send("GET /webhooks")).items[0]?.id;
    return statusOf(client, `PATCH /webhooks/${id}`, there, { url: "https://example.com/b" });
  },
  "named-only-operations-are-open": (client) =>
    statusOf(client, "GET /v1/financial-transactions", { Authorization: null }),
  "count-is-the-whole-list": async (client) => (await client.send(CODES)).pagination.count,
  "limit-50-refused": (client) => statusOf(client, `${CODES}?limit=50`),
  "second-page-repeats-last-item": async (client) => {
    const first = await client.send("GET /v1/ussd-otps?limit=5");
    const after = encodeURIComponent(String(first.pagination.next));
    const second = await client.send(`GET /v1/ussd-otps?limit=5&after=${after}`);
    return second.items.filter(({ id }) => first.items.some((item) => item.id === id)).length;
  },
  "unknown-cursor-starts-over": (client) => statusOf(client, `${CODES}?after=nobody`),
  "status-filter-lost-beside-mode": async (client) => {
    const { items } = await client.send(`${CODES}?status=pending&mode=recurrent`);
    return items.map(({ status }) => status);
  },
  "webhook-name-limit-off-by-one": (client) =>
    statusOf(client, "POST /webhooks", {}, { ...webhook, name: "a".repeat(101) }),
  "account-name-trimmed": async (client) =>
    (await client.send("POST /v1/financial-accounts", { body: account })).result.name,
  "payment-code-update-not-stored": async (client) => {
    const path = `/payment-codes/${client.service.fixtures.mutablePaymentCode}`;
    await client.send(`PATCH ${path}`, { body: { name: "Seen again" } });
    return (await client.send(`GET ${path}`)).result.name;
  },
  "webhook-update-resets-unsent": async (client) => {
    const { id } = (await client.send("POST /webhooks", { body: webhook })).result;
    return (await client.send(`PATCH /webhooks/${id}`, { body: { url: "https://example.com/b" } })).result
      .isActive;
  },
  "rejected-payout-update-applied": async (client) => {
    const path = `/payouts/${client.service.fixtures.payout}`;
    const refused = await statusOf(client, `PATCH ${path}`, {}, { metadata: "none" });
    return [refused, (await client.send(`GET ${path}`)).result.metadata];
  },
  "key-remembered-too-late": (client) =>
    createdTogether(client, "POST /webhooks", webhook, { "Idempotency-Key": "together" }),
  "key-case-insensitive": async (client) => {
    const ids = [];
    for (const key of ["key-a", "KEY-A"])
      ids.push(
        (await client.send("POST /webhooks", { body: webhook, headers: { "Idempotency-Key": key } })).result
          .id,
      );
    return new Set(ids).size;
  },
  "reference-checked-too-early": (client) =>
    createdTogether(client, "POST /v1/financial-accounts", { ...account, reference: "together" }),
  "newer-version-without-country-currencies": async (client) => {
    const headers = { "Service-Version": "caph.2025-08-23" };
    return (await client.send("GET /countries/CM", { headers })).result.supportedCurrencies;
  },
};

/** Seen only where deliveries arrive: observed in the tests of deliveries. */
const UNOBSERVED_HERE = ["deliveries-without-custom-headers"];

const running: RunningService[] = [];
afterAll(() => Promise.all(running.map((service) => service.close())));

async function observe(observation: Observation, chosen: readonly string[]): Promise<unknown> {
  const service = await startReference({ defects: chosen });
  running.push(service);
  return observation(clientOf(service));
}

for (const [name, observation] of Object.entries(observations)) {
  test(`${name} is seen by a client`, async () => {
    expect(await observe(observation, [name])).not.toEqual(await observe(observation, []));
  });
}

test("the observed defects exist", () => {
  const names = defects.map(({ name }) => name);
  expect([...Object.keys(observations), ...UNOBSERVED_HERE].filter((name) => !names.includes(name))).toEqual(
    [],
  );
});
