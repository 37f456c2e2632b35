import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../../reference/json.ts";
import { habitVariants } from "../../reference/variants/habits.ts";
import { ingressVariants } from "../../reference/variants/ingress.ts";
import { keepingVariants } from "../../reference/variants/keeping.ts";
import { outageVariants } from "../../reference/variants/outages.ts";
import { replicaVariants } from "../../reference/variants/replicas.ts";
import { updateLimitVariants } from "../../reference/variants/update-limits.ts";
import { type Observation, observeVariants, statusOf } from "./observe-variants.ts";
import { type Asker, readAll } from "./variant-client.ts";

const account = { name: "Till", currency: "XAF" };
const webhook = { name: "Hook", url: "https://example.com/a", events: null };
const CODES = "GET /v1/payment-codes";

/** Creates a webhook with the first body, updates it with each other one, and returns the last answer. */
async function updated(asker: Asker, ...bodies: JsonObject[]) {
  const made = await asker.ask("POST /webhooks", { body: { ...webhook, ...bodies[0] } });
  const path = `PATCH /webhooks/${String(made.result.id)}`;
  let last = made;
  for (const body of bodies.slice(1)) last = await asker.ask(path, { body: { url: webhook.url, ...body } });
  return last;
}

/** Creates `times` active webhooks, and returns the statuses. */
function activated(times: number): Observation {
  return async (asker) => {
    const seen: number[] = [];
    for (let n = 0; n < times; n++)
      seen.push(await statusOf(asker, "POST /webhooks", { body: { ...webhook, isActive: true } }));
    return seen;
  };
}

/** Updates a payout `times` times without pauses, and returns the statuses. */
function updates(times: number): Observation {
  return async ({ service }) => {
    const seen: number[] = [];
    const url = `${service.baseUrl}/payouts/${service.fixtures.mutablePayout}`;
    const headers = {
      Authorization: `Bearer ${service.token}`,
      "Service-Space-Id": service.space,
      "Content-Type": "application/json",
    };
    for (let n = 0; n < times; n++)
      seen.push((await fetch(url, { method: "PATCH", headers, body: '{"metadata":{}}' })).status);
    return seen;
  };
}

const changedAtOnce: Observation = async (asker) => (await updated(asker, {}, { name: "Other" })).status;

/** Calls `look` several times with short pauses. Returns true if the results differ. */
function looks(times: number, look: (asker: Asker) => Promise<unknown>): Observation {
  return async (asker) => {
    const seen = new Set<string>();
    for (let n = 0; n < times; n++) {
      seen.add(JSON.stringify(await look(asker)));
      if (seen.size > 1) return true;
      await wait(times > 100 ? 0 : 20);
    }
    return false;
  };
}

const codeStatus = async (asker: Asker) =>
  (await asker.ask(`GET /payment-codes/${asker.service.fixtures.mutablePaymentCode}`)).result.status;

observeVariants(updateLimitVariants, {
  "quota-of-five-active-webhooks": activated(6),
  "quota-of-two-active-webhooks": activated(3),
  "quota-of-three-active-webhooks": activated(4),
  "updates-take-a-rest": changedAtOnce,
  "updates-take-a-rest-as-429": updates(2),
  "webhooks-provisioned-in-a-second": changedAtOnce,
  "webhooks-locked-for-half-a-second": changedAtOnce,
  "quota-of-twenty-updates": updates(21),
  "quota-of-sixty-updates-answered-429": updates(61),
  "codes-being-paid-refuse-updates": looks(50, codeStatus),
});

const listedAtOnce: Observation = async (asker) => {
  const seen: boolean[] = [];
  for (let n = 0; n < 6; n++) {
    const { id } = (await asker.ask("POST /webhooks", { body: webhook })).result;
    seen.push((await asker.ask("GET /webhooks")).items.some((item) => item.id === id));
  }
  return seen.includes(false);
};

const ids = (path: string) => async (asker: Asker) =>
  (await asker.ask(`GET ${path}`)).items.map(({ id }) => id);

observeVariants(replicaVariants, {
  "transactions-all-the-time": looks(10, ids("/v1/financial-transactions")),
  "created-now-and-then-late": listedAtOnce,
  "created-webhooks-overtake-each-other": listedAtOnce,
  "single-reads-now-and-then-late": async (asker) => {
    const path = `/payment-codes/${asker.service.fixtures.mutablePaymentCode}`;
    await asker.ask(`PATCH ${path}`, { body: { name: "Other" } });
    return looks(6, async () => (await asker.ask(`GET ${path}`)).result.name)(asker);
  },
  "totals-are-kept-for-a-second": async (asker) => {
    const total = async () => (await asker.ask("GET /webhooks")).pagination.total;
    const before = await total();
    await asker.ask("POST /webhooks", { body: webhook });
    return before === (await total());
  },
  "walks-hold-still": looks(10, ids("/v1/payment-codes")),
  "cursors-good-for-three-seconds": async (asker) => {
    const next = encodeURIComponent(String((await asker.ask(CODES)).pagination.next));
    await wait(3100);
    return statusOf(asker, `${CODES}?after=${next}`);
  },
  "providers-come-and-go": looks(40, ids("/banks?country=CM")),
  "sessions-are-forgotten": looks(10, ids("/v1/ussd-otps")),
  "two-builds-at-once": looks(20, async (asker) => (await asker.ask("GET /countries")).items[0]),
  "failing-webhooks-switched-off": async (asker) => {
    await wait(1200);
    return (await readAll(asker, "/webhooks")).some(({ isActive }) => isActive === true);
  },
  "lists-in-any-order-at-each-read": looks(4, ids("/banks?country=CM")),
});

/** True if `times` requests one after the other take longer than `milliseconds` in total. */
function takes(milliseconds: number, times: number, path: string): Observation {
  return async ({ service }) => {
    const begin = performance.now();
    const [method, place] = path.split(" ");
    for (let n = 0; n < times; n++)
      await fetch(`${service.baseUrl}${place}`, method === undefined ? {} : { method });
    return performance.now() - begin > milliseconds;
  };
}

/** Sends requests for nearly five seconds. Returns the statuses, and 0 for a request without an answer. */
const overTime: Observation = async ({ service }) => {
  const seen = new Set<number>();
  const end = Date.now() + 4800;
  while (Date.now() < end) {
    const asked = fetch(`${service.baseUrl}/countries`).then(({ status }) => status);
    seen.add(await asked.catch(() => 0));
    await wait(50);
  }
  return seen;
};

observeVariants(outageVariants, {
  "writes-take-their-time": takes(900, 4, "POST /webhooks"),
  "an-answer-in-a-hundred-takes-two-seconds": takes(2100, 62, "GET /countries"),
  "first-answers-take-two-seconds": takes(1900, 1, "GET /countries"),
  "lists-take-half-a-second": takes(1900, 4, "GET /countries"),
  "away-for-a-second": overTime,
  "restarted-in-the-midst": overTime,
});

const accounts = (...bodies: JsonObject[]): Observation => {
  return async (asker) => {
    const seen: number[] = [];
    for (const body of bodies)
      seen.push(await statusOf(asker, "POST /v1/financial-accounts", { body: { ...account, ...body } }));
    return seen;
  };
};

observeVariants(habitVariants, {
  "names-of-accounts-are-taken-once": accounts({}, {}),
  "keys-in-use-refused": async (asker) => {
    const headers = { "Idempotency-Key": "one" };
    const both = [webhook, webhook].map((body) => statusOf(asker, "POST /webhooks", { body, headers }));
    return (await Promise.all(both)).toSorted();
  },
  "next-of-webhooks-is-no-id": async (asker) => (await asker.ask("GET /webhooks")).pagination.next,
  "texts-of-emoji-at-their-limits": async (asker) => (await asker.ask("GET /webhooks")).items[0]?.name,
  "nameless-things": async (asker) => (await asker.ask("GET /countries")).items[0]?.name,
  "ussd-codes-have-a-form": (asker) => statusOf(asker, `${CODES}?ussd_code=none`),
  "spaces-and-versions-in-any-casing": (asker) =>
    statusOf(asker, CODES, { headers: { "Service-Version": "CAPH.2025-08-23" } }),
  "encoded-slashes-refused": async (asker) => (await asker.ask("GET /payouts/a%2Fb")).text,
  "parameters-in-paths-cut-off": (asker) =>
    statusOf(asker, `GET /payouts/${asker.service.fixtures.payout};x=1`),
  "headers-in-capitals": async (asker) => (await asker.ask(CODES)).rawHeaders.includes("CONTENT-TYPE"),
  "one-account-in-a-currency": accounts({}, {}),
  "payouts-move-on": looks(
    20,
    async (asker) => (await asker.ask(`GET /payouts/${asker.service.fixtures.payout}`)).result.status,
  ),
  "few-attributes-taken": (asker) =>
    statusOf(asker, "POST /webhooks", { body: { ...webhook, metadata: { long: "x".repeat(1001) } } }),
});

observeVariants(keepingVariants, {
  "updates-are-merge-patches": async (asker) =>
    (await updated(asker, { metadata: { a: "1" } }, { metadata: { b: "2" } })).result.metadata,
  "custom-headers-merged": async (asker) =>
    (await updated(asker, { customHeaders: { "X-A": "1" } }, { customHeaders: { "X-B": "2" } })).result
      .customHeaders,
  "lists-kept-in-order-of-the-alphabet": async (asker) =>
    (await updated(asker, { alertEmails: ["b@example.com", "a@example.com"] })).result.alertEmails,
  "providers-kept-in-order-of-the-alphabet": async (asker) =>
    (
      await asker.ask(`PATCH /payment-codes/${asker.service.fixtures.mutablePaymentCode}`, {
        body: { allowedProviders: ["b", "a"] },
      })
    ).result.allowedProviders,
  "addresses-kept-once": async (asker) =>
    (await updated(asker, { alertEmails: ["a@example.com", "a@example.com"] })).result.alertEmails,
  "times-to-the-second": async (asker) => String((await updated(asker, {})).result.createTime).includes("."),
  "update-time-stands-still": async (asker) => {
    const { mutablePaymentCode: id } = asker.service.fixtures;
    const of = async () => {
      const all = await readAll(asker, "/v1/payment-codes");
      return all.find((each) => each.id === id)?.updateTime;
    };
    const before = await of();
    await asker.ask(`PATCH /payment-codes/${id}`, { body: { name: "Other" } });
    return before === (await of());
  },
  "cancelled-codes-expire-at-once": async (asker) => {
    const [id] = (asker.service.fixtures.cancellablePaymentCode ?? "").split(",");
    const path = `PATCH /payment-codes/${id}`;
    const { expireTime } = (await asker.ask(path, { body: { status: "cancelled" } })).result;
    return Date.parse(String(expireTime)) < Date.now() + 60_000;
  },
});

/** Sends reads with a wrong token and then one with the right token. Returns the last status. */
const afterWrongTokens: Observation = async (asker) => {
  for (let n = 0; n < 9; n++)
    await fetch(`${asker.service.baseUrl}/countries`, { headers: { Authorization: "Bearer nobody" } });
  const headers = { Authorization: `Bearer ${asker.service.token}` };
  return (await fetch(`${asker.service.baseUrl}/countries`, { headers })).status;
};

observeVariants(ingressVariants, {
  "timeouts-408-now-and-then": looks(131, async (asker) => statusOf(asker, "GET /countries")),
  "ingress-404-now-and-then": looks(231, async (asker) => statusOf(asker, "GET /countries")),
  "locked-out-after-wrong-tokens": afterWrongTokens,
  "odd-paths-hang-up": ({ service }) =>
    fetch(`${service.baseUrl}/payouts/${"x".repeat(260)}`).then(
      ({ status }) => status,
      () => 0,
    ),
  "a-star-for-all-events": async (asker) => (await updated(asker, {})).result.events,
  "addresses-named-once": (asker) =>
    statusOf(asker, "POST /webhooks", {
      body: { ...webhook, alertEmails: ["a@example.com", "a@example.com"] },
    }),
});
