import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { dispatch } from "../../reference/dispatch.ts";
import { variantNamed } from "../../reference/index.ts";
import { prepare } from "../../reference/start.ts";
import { deliveryVariants } from "../../reference/variants/callbacks.ts";
import { errorVariants } from "../../reference/variants/errors.ts";
import { limitVariants } from "../../reference/variants/limits.ts";
import { lossVariants } from "../../reference/variants/losses.ts";
import { recordVariants } from "../../reference/variants/records.ts";
import { volatileVariants } from "../../reference/variants/volatile.ts";
import { type Observation, observeVariants, statusOf } from "./observe-variants.ts";
import { type Asker, readAll } from "./variant-client.ts";

const account = { name: "Till", currency: "XAF" };
const webhook = { name: "Hook", url: "https://example.com/a", events: null };
const CODES = "GET /v1/payment-codes";

/**
 * Sends many calls without a token at the same time. Returns their statuses, each with its Retry-After
 * header.
 */
function manyCalls(method: string, times: number): Observation {
  return async ({ service: { baseUrl } }) => {
    const seen = new Set<string>();
    const calls = Array.from({ length: times }, async () => {
      const answer = await fetch(`${baseUrl}/webhooks`, { method });
      seen.add(`${answer.status} ${answer.headers.get("retry-after")?.replace(/^.*GMT$/, "a date")}`);
    });
    await Promise.all(calls);
    return [...seen].toSorted();
  };
}

/** Sends 26 creates, which exceeds the quota of a variant. Returns their statuses. */
const beyond: Observation = async ({ service }) => {
  const seen = new Set<number>();
  const headers = {
    Authorization: `Bearer ${service.token}`,
    "Service-Space-Id": service.space,
    "Content-Type": "application/json",
  };
  for (let n = 0; n < 26; n++) {
    const { status } = await fetch(`${service.baseUrl}/v1/financial-accounts`, {
      method: "POST",
      headers: { ...headers, "Idempotency-Key": `key-${n}` },
      body: JSON.stringify(account),
    });
    seen.add(status);
  }
  return seen;
};

observeVariants(limitVariants, {
  "rate-limit-in-every-second": manyCalls("GET", 400),
  "writes-limited-in-every-second": manyCalls("POST", 100),
  "rate-limit-by-a-clock-ahead": manyCalls("GET", 175),
  "rate-limit-by-a-clock-behind": manyCalls("GET", 175),
  "rate-limit-in-odd-words": manyCalls("GET", 65),
  "rate-limit-of-four-at-once": manyCalls("GET", 40),
  "rate-limit-of-wrong-tokens": manyCalls("GET", 60),
  "quota-answered-429": beyond,
  "quota-answered-402": beyond,
  "gateway-refuses-what-is-long": (asker) => statusOf(asker, `GET /payouts/${"x".repeat(1600)}`),
  "metadata-as-is-customary": (asker) =>
    statusOf(asker, "POST /webhooks", { body: { ...webhook, metadata: { long: "x".repeat(501) } } }),
  "webhooks-as-is-customary": (asker) =>
    statusOf(asker, "POST /webhooks", { body: { ...webhook, url: "http://example.com/a" } }),
});

/** The error answers to several kinds of requests, each sent twice. */
const refusals: Observation = async (asker) => {
  const seen = [];
  for (let round = 0; round < 2; round++) {
    const { status, headers, text } = await asker.ask("GET /payouts/nobody");
    seen.push([status, headers["retry-after"], headers.connection, text]);
  }
  return seen;
};

observeVariants(errorVariants, {
  "refusals-vary": refusals,
  "errors-repeat-what-was-sent": refusals,
  "errors-look-like-successes": refusals,
  "refusals-name-a-time": refusals,
  "refusals-hang-up": async ({ service }) =>
    (await fetch(`${service.baseUrl}/payouts/nobody`)).headers.get("connection"),
  "bodies-checked-before-tokens": (asker) =>
    statusOf(asker, "POST /webhooks", { body: "{", headers: { Authorization: "Bearer nobody" } }),
  "headers-out-of-place-refused": (asker) =>
    statusOf(asker, "GET /countries", { headers: { "Service-Space-Id": asker.service.space } }),
  "usual-headers-demanded": (asker) => statusOf(asker, CODES, { headers: { "User-Agent": null } }),
  "named-only-ask-for-more": (asker) => statusOf(asker, "GET /v1/financial-transactions"),
});

function ids(list: string): Observation {
  return async (asker) => (await readAll(asker, list)).map(({ id }) => id);
}

function names(list: string): Observation {
  return async (asker) => (await readAll(asker, list)).map(({ name }) => name);
}

observeVariants(recordVariants, {
  "ids-in-any-casing": (asker) =>
    statusOf(asker, `GET /payment-codes/${asker.service.fixtures.paymentCode?.toUpperCase()}`),
  "ids-are-codes": ids("/banks?country=CM"),
  "ordered-by-name": ids("/v1/payment-codes"),
  "all-named-alike": names("/webhooks"),
  "before-goes-backwards": async (asker) => {
    const all = await readAll(asker, "/webhooks");
    return (await asker.ask(`GET /webhooks?limit=3&before=${all.at(-1)?.id}`)).items.map(({ id }) => id);
  },
  "cursors-of-their-query": async (asker) => {
    const next = encodeURIComponent(String((await asker.ask(`${CODES}?limit=5`)).pagination.next));
    return statusOf(asker, `${CODES}?limit=6&after=${next}`);
  },
  "unknown-cursor-finds-nothing": (asker) => statusOf(asker, `${CODES}?after=none`),
  "sixty-more-countries": async (asker) => (await asker.ask("GET /countries")).items.length > 60,
  "four-hundred-banks-in-a-country": async (asker) =>
    (await asker.ask("GET /banks?country=CM")).items.length > 400,
  "no-momos": async (asker) => (await asker.ask("GET /momos?country=CM")).items.length,
  "names-with-half-characters": names("/v1/payment-codes"),
  "attributes-like-members-of-objects": async (asker) => (await asker.ask(CODES)).text.includes("__proto__"),
  "amounts-beyond-doubles": async (asker) => (await asker.ask(CODES)).text.includes("900719925474099312345"),
  "empty-maps-left-out": async (asker) =>
    (await readAll(asker, "/v1/payment-codes")).every(({ metadata }) => metadata !== undefined),
});

/** Sends `times` reads, and returns how many get a complete answer. */
function answered(times: number): Observation {
  return async ({ service }) => {
    let whole = 0;
    for (let n = 0; n < times; n++) {
      const text = fetch(`${service.baseUrl}/countries`).then((answer) => answer.text());
      whole += await text.then(
        () => 1,
        () => 0,
      );
    }
    return whole;
  };
}

observeVariants(lossVariants, {
  "answers-lost-now-and-then": answered(98),
  "answers-broken-off-now-and-then": answered(151),
  "ids-counted-in-each-space": ids("/webhooks"),
  "cursors-are-offsets": async (asker) => (await asker.ask(`${CODES}?limit=5`)).pagination.next,
  "names-of-webhooks-are-taken-once": async (asker) => [
    await statusOf(asker, "POST /webhooks", { body: webhook }),
    await statusOf(asker, "POST /webhooks", { body: webhook }),
  ],
});

/** True if the value changes within two seconds without a write. On the reference service nothing does. */
function changes(of: (asker: Asker) => Promise<unknown>): Observation {
  return async (asker) => {
    const first = JSON.stringify(await of(asker));
    for (let look = 0; look < 100; look++) {
      await wait(20);
      if (JSON.stringify(await of(asker)) !== first) return true;
    }
    return false;
  };
}

async function dateOf({ service }: Asker): Promise<number> {
  const { headers } = await fetch(`${service.baseUrl}/countries`);
  return Math.round((Date.parse(headers.get("date") ?? "") - Date.now()) / 300_000);
}

observeVariants(volatileVariants, {
  "providers-go-up-and-down": changes((asker) => readAll(asker, "/banks?country=CM")),
  "codes-move-now-and-then": changes((asker) => readAll(asker, "/v1/payment-codes")),
  "accounts-are-paid-into": changes((asker) => readAll(asker, "/v1/financial-accounts")),
  "answers-tell-when-they-were-given": async (asker) =>
    Object.keys((await asker.ask("GET /countries")).items[0] ?? {}),
  "clock-ten-minutes-ahead": dateOf,
  "clock-ten-minutes-behind": dateOf,
});

/** Creates an active webhook, causes an event, and returns the form of each delivery. */
const arrivals: Observation = async (asker) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      seen.push(form(body));
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  await asker.ask("POST /webhooks", { body: { ...webhook, url, isActive: true } });
  await asker.ask("POST /v1/financial-accounts", { body: account });
  for (let look = 0; look < 200 && seen.length === 0; look++) await wait(20);
  await wait(800);
  server.close();
  server.closeAllConnections();
  return seen;
};

function form(body: string): string {
  try {
    const value = JSON.parse(body) as object;
    return Array.isArray(value) ? "a list" : Object.keys(value).toSorted().join();
  } catch {
    return "no JSON";
  }
}

const [late, others] = [
  deliveryVariants.filter(({ name }) => name === "deliveries-after-two-seconds"),
  deliveryVariants.filter(({ name }) => name !== "deliveries-after-two-seconds"),
];

observeVariants(others, {
  "addresses-asked-with-post": arrivals,
  "addresses-tested-at-each-write": arrivals,
  "addresses-tested-without-headers-at-each-write": arrivals,
  "deliveries-again-two-seconds-later": arrivals,
  "deliveries-again-and-again": arrivals,
  "deliveries-in-batches": arrivals,
  "deliveries-say-little": arrivals,
  "deliveries-tell-of-the-webhook": arrivals,
  "deliveries-as-forms": arrivals,
});

test.each(late)("$name waits before each delivery", ({ hooks }) => {
  const { deliveries } = typeof hooks === "function" ? hooks() : hooks;
  const { service } = prepare({}, variantNamed("deliveries-after-two-seconds"));
  const delivery = { url: "http://127.0.0.1/", headers: {}, body: "{}", delayMs: 0 };
  const event = { id: "e", name: "payout.updated", space: "spc-x", time: "", data: {} };
  const record = { kind: "webhook", id: "w", space: "spc-x", writtenAt: 0, data: {} } as const;
  const given = deliveries?.([delivery], service, { event, webhook: record });
  expect(given?.map(({ delayMs }) => delayMs)).toEqual([2500]);
});

test("a service with a wrong clock dates resources by it", async () => {
  const { service } = prepare({}, variantNamed("clock-ten-minutes-behind"));
  const request = { method: "GET", path: "/countries", query: "", headers: {}, body: Buffer.alloc(0) };
  const { headers } = await dispatch(service, { ...request, tooLarge: false });
  expect(service.now().getTime()).toBeLessThan(Date.now() - 500_000);
  expect(Date.parse(String(headers.Date))).toBeLessThan(Date.now() - 500_000);
});
