import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { EVENT_NAMES } from "../../reference/deliveries.ts";
import { variantCombinations, variantNamed } from "../../reference/index.ts";
import type { JsonObject } from "../../reference/json.ts";
import { callbackVariants } from "../../reference/variants/callbacks.ts";
import { frameworkVariants } from "../../reference/variants/frameworks.ts";
import { gatewayVariants } from "../../reference/variants/gateways.ts";
import { quotaVariants } from "../../reference/variants/quotas.ts";
import { type Observation, observeVariants, statusOf } from "./observe-variants.ts";
import type { Asker } from "./variant-client.ts";

const account = { name: "Till", currency: "XAF" };
const webhook = { name: "Hook", url: "https://example.com/a", events: null };

/** Sends many requests. Returns their statuses, each with its Retry-After header. */
const manyStatuses: Observation = async (asker) => {
  const seen = new Set<string>();
  for (let request = 0; request < 145; request += 1) {
    const { status, headers } = await asker.ask("GET /payouts/nobody");
    seen.add(`${status} ${headers["retry-after"]}`);
  }
  return seen;
};

/** Reads a payout, updates its metadata, and returns the metadata of the next read. */
const readAfterUpdate: Observation = async (asker) => {
  const payout = `/payouts/${asker.service.fixtures.mutablePayout}`;
  await asker.ask(`GET ${payout}`);
  await asker.ask(`PATCH ${payout}`, { body: { metadata: { now: "this" } } });
  return (await asker.ask(`GET ${payout}`)).result.metadata;
};

observeVariants(gatewayVariants, {
  "gateway-502-now-and-then": manyStatuses,
  "gateway-503-with-retry-after": manyStatuses,
  "gateway-504-now-and-then": manyStatuses,
  "fault-500-now-and-then": manyStatuses,
  "firewall-refuses-markup": (asker) =>
    statusOf(asker, "POST /webhooks", { body: { ...webhook, name: "<b>" } }),
  "single-reads-late": readAfterUpdate,
  "single-reads-late-nearly-too-long": readAfterUpdate,
  "cache-of-a-second": readAfterUpdate,
  "values-move-by-themselves": async (asker) => {
    const code = `GET /payment-codes/${asker.service.fixtures.paymentCode}`;
    const before = await asker.ask(code);
    await wait(400);
    return JSON.stringify((await asker.ask(code)).result.progress) === JSON.stringify(before.result.progress);
  },
});

function creates(times: number, operation: string, body: (n: number) => JsonObject): Observation {
  return async (asker) => {
    const statuses = new Set<number>();
    for (let n = 0; n < times; n += 1) statuses.add(await statusOf(asker, operation, { body: body(n) }));
    return statuses;
  };
}

function webhookWith(fields: JsonObject): Observation {
  return (asker) => statusOf(asker, "POST /webhooks", { body: { ...webhook, ...fields } });
}

function codeWith(fields: JsonObject): Observation {
  return (asker) =>
    statusOf(asker, `PATCH /payment-codes/${asker.service.fixtures.mutablePaymentCode}`, { body: fields });
}

const inFiveDays = new Date(Date.now() + 5 * 86_400_000).toISOString();

observeVariants(quotaVariants, {
  "quota-of-twenty-and-forty": creates(41, "POST /v1/financial-accounts", () => account),
  "quota-of-twelve-each": creates(13, "POST /webhooks", () => webhook),
  "quota-of-three-each": creates(4, "POST /webhooks", () => webhook),
  "one-currency-a-space": (asker) =>
    statusOf(asker, "POST /v1/financial-accounts", { body: { ...account, currency: "EUR" } }),
  "mail-domains-checked": webhookWith({ alertEmails: ["a@example.com"] }),
  "mail-domains-checked-none-given": webhookWith({ alertEmails: ["a@example.com"] }),
  "private-hosts-refused": webhookWith({ url: "http://127.0.0.1/hook" }),
  "one-webhook-per-url": creates(2, "POST /webhooks", () => webhook),
  "one-webhook-per-url-none-given": creates(2, "POST /webhooks", () => webhook),
  "expiry-within-three-days": codeWith({ expireTime: inFiveDays }),
  "providers-that-can-pay": codeWith({ allowedProviders: ["nobody"] }),
  "old-event-names-refused": webhookWith({ events: [EVENT_NAMES.at(-1) ?? ""] }),
  "currencies-of-tomorrow": async (asker) =>
    (await asker.ask("GET /countries")).items.map(({ supportedCurrencies }) => supportedCurrencies),
});

function shown(fields: JsonObject): Observation {
  return async (asker) => {
    const { status, result } = await asker.ask("POST /webhooks", { body: { ...webhook, ...fields } });
    return [status, ...Object.keys(fields).map((name) => JSON.stringify(result[name]))];
  };
}

observeVariants(frameworkVariants, {
  "texts-trimmed": shown({ name: " Hook " }),
  "header-names-canonical": shown({ customHeaders: { "x-Trace": "1" } }),
  "header-names-canonical-on-update": async (asker) => {
    const body = { ...webhook, customHeaders: { "x-Trace": "1" } };
    const { id } = (await asker.ask("POST /webhooks", { body })).result;
    const updated = await asker.ask(`PATCH /webhooks/${id}`, { body: { url: webhook.url } });
    return JSON.stringify(updated.result.customHeaders);
  },
  "header-names-in-lower-case": shown({ customHeaders: { "x-Trace": "1" } }),
  "mail-addresses-in-lower-case": shown({ alertEmails: ["Ops@example.com"] }),
  "metadata-made-text": shown({ metadata: { count: 1 } }),
  "null-optional-is-absent": shown({ isActive: null }),
  "null-body-is-empty": (asker) =>
    statusOf(asker, `PATCH /payment-codes/${asker.service.fixtures.mutablePaymentCode}`, { body: "null" }),
});

/**
 * Returns the requests that the URL of a new webhook gets within half a second. The reference service sends
 * none.
 */
const visits: Observation = async (asker: Asker) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  await asker.ask("POST /webhooks", { body: { ...webhook, url } });
  for (let round = 0; round < 10 && seen.length === 0; round += 1) await wait(50);
  server.close();
  server.closeAllConnections();
  return seen.length > 0;
};

observeVariants(callbackVariants, {
  "scanners-at-the-callback-address": visits,
  "deliveries-of-older-runs": visits,
  "addresses-shake-hands": visits,
});

test("a combination is always the same five different variants", () => {
  for (const { name, why, hooks } of variantCombinations(100)) {
    const parts = why.slice(why.indexOf(": ") + 2, -1).split(", ");
    expect([name, new Set(parts).size]).toEqual([name, 5]);
    expect(variantNamed(name)?.why).toBe(why);
    expect(hooks).toBeTypeOf("function");
  }
  expect(variantNamed("five-at-once-none")).toBeUndefined();
});
