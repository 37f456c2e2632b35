import type { JsonObject } from "../../reference/json.ts";
import { accessVariants } from "../../reference/variants/access.ts";
import { countingVariants } from "../../reference/variants/counting.ts";
import { createVariants } from "../../reference/variants/creates.ts";
import { idempotencyVariants } from "../../reference/variants/idempotency.ts";
import { routeVariants } from "../../reference/variants/routes.ts";
import { updateVariants } from "../../reference/variants/updates.ts";
import { type Observation, observeVariants, statusOf } from "./observe-variants.ts";
import type { Asker } from "./variant-client.ts";

const ACCOUNTS = "POST /v1/financial-accounts";
const account = { name: "Till", currency: "XAF" };
const webhook = { name: "Hook", url: "https://example.com/a", events: null };

function withHeader(name: string, value: string, operation = "GET /webhooks"): Observation {
  return (asker) => statusOf(asker, operation, { headers: { [name]: value } });
}

observeVariants(accessVariants, {
  "bearer-as-spelled": (asker) =>
    statusOf(asker, "GET /countries", { headers: { Authorization: `bearer ${asker.service.token}` } }),
  "bare-token-taken": (asker) =>
    statusOf(asker, "GET /countries", { headers: { Authorization: asker.service.token } }),
  "unknown-space-is-empty": withHeader("Service-Space-Id", "spc-nobody"),
  "any-version-taken": withHeader("Service-Version", "caph.1999-01-01"),
  "empty-version-refused": withHeader("Service-Version", ""),
  "token-runs-out": (asker) => lastOf(1_501, () => statusOf(asker, "GET /countries")),
  "quota-of-webhooks": (asker) => lastOf(40, () => statusOf(asker, "POST /webhooks", { body: webhook })),
});

/** Makes the same call `times` times, and returns the last answer. */
async function lastOf(times: number, ask: () => Promise<unknown>): Promise<unknown> {
  for (let n = 1; n < times; n++) await ask();
  return ask();
}

const undocumented: Observation = async (asker) => {
  const { status, text } = await asker.ask("GET /v1/financial-transactions");
  return [status, text.includes('"result":null')];
};

const paths: Observation = async ({ service }) => {
  const { origin } = new URL(service.baseUrl);
  const seen = ["/countries", "/v1/countries", "/COUNTRIES/", "/nothing"].map(async (path) => {
    const headers = { Authorization: `Bearer ${service.token}` };
    return (await fetch(`${origin}${path}`, { headers, redirect: "manual" })).status;
  });
  return Promise.all(seen);
};

observeVariants(routeVariants, {
  "named-only-absent": undocumented,
  "named-only-not-allowed": undocumented,
  "named-only-refused": undocumented,
  "named-only-not-implemented": undocumented,
  "named-only-answers-null": undocumented,
  "under-v1-only": paths,
  "paths-as-shown-only": paths,
  "head-not-there": (asker) => statusOf(asker, "HEAD /countries"),
  "unknown-paths-redirect": paths,
  "paths-in-any-casing": paths,
  "unknown-parameters-refused": (asker) => statusOf(asker, "GET /webhooks?colour=blue"),
});

const nameOf =
  (name: string): Observation =>
  (asker) =>
    statusOf(asker, ACCOUNTS, { body: { ...account, name } });

observeVariants(countingVariants, {
  "counts-utf16-units": nameOf("😀".repeat(60)),
  "counts-bytes": nameOf("é".repeat(60)),
  "counts-graphemes": nameOf("e\u0301".repeat(60)),
});

function accountWith(fields: JsonObject): Observation {
  return (asker) => statusOf(asker, ACCOUNTS, { body: { ...account, ...fields } });
}

function webhookWith(fields: JsonObject): Observation {
  return (asker) => statusOf(asker, "POST /webhooks", { body: { ...webhook, ...fields } });
}

async function createdAccount(asker: Asker, fields: JsonObject = {}) {
  return (await asker.ask(ACCOUNTS, { body: { ...account, ...fields } })).result;
}

observeVariants(createVariants, {
  "declines-control-characters": accountWith({ name: "a\u0001b" }),
  "declines-whatever-it-may": accountWith({ metadata: { a: { b: 1 } } }),
  "unknown-fields-refused": accountWith({ colour: "blue" }),
  "empty-texts-refused": accountWith({ description: "" }),
  "two-currencies-only": accountWith({ currency: "NGN" }),
  "currency-in-any-casing": accountWith({ currency: "xaf" }),
  "known-events-only": webhookWith({ events: ["nothing.happened"] }),
  "events-named-once": webhookWith({ events: ["payout.updated", "payout.updated"] }),
  "events-kept-once": async (asker) =>
    (
      await asker.ask("POST /webhooks", {
        body: { ...webhook, events: ["payout.updated", "payout.updated"] },
      })
    ).result,
  "addresses-and-versions-checked": webhookWith({ alertEmails: ["nobody"] }),
  "any-text-is-a-url": webhookWith({ url: "not a url" }),
  "content-type-ignored": (asker) =>
    statusOf(asker, ACCOUNTS, { body: account, headers: { "Content-Type": "text/plain" } }),
  "charset-refused": (asker) =>
    statusOf(asker, ACCOUNTS, {
      body: account,
      headers: { "Content-Type": "application/json; charset=utf-8" },
    }),
  "accounts-share-a-number": async (asker) => {
    const [one, other] = [await createdAccount(asker), await createdAccount(asker)];
    return one.uvan === other.uvan;
  },
  "accounts-start-with-credit": async (asker) => (await createdAccount(asker)).balance,
  "references-alike-in-any-casing": async (asker) => {
    await createdAccount(asker, { reference: "abc" });
    return accountWith({ reference: "ABC" })(asker);
  },
  "webhooks-have-a-version": async (asker) =>
    (await asker.ask("POST /webhooks", { body: webhook })).result.apiVersion,
});

/** Sends these creates under one idempotency key, and returns their statuses. */
function withOneKey(...calls: { operation?: string; body?: JsonObject; space?: "second" }[]): Observation {
  return async (asker) => {
    const statuses: number[] = [];
    for (const { operation = "POST /webhooks", body = webhook, space } of calls) {
      const headers = {
        "Idempotency-Key": "one-key",
        ...(space ? { "Service-Space-Id": asker.service.secondSpace } : {}),
      };
      statuses.push(await statusOf(asker, operation, { body, headers }));
    }
    return statuses;
  };
}

observeVariants(idempotencyVariants, {
  "used-keys-refused": withOneKey({}, {}),
  "first-answer-for-any-body": withOneKey({}, { body: { ...webhook, name: "Other" } }),
  "replays-show-what-is-now": async (asker) => {
    const headers = { "Idempotency-Key": "one-key" };
    const { id } = (await asker.ask("POST /webhooks", { body: webhook, headers })).result;
    await asker.ask(`PATCH /webhooks/${id}`, { body: { url: webhook.url, name: "By now" } });
    return (await asker.ask("POST /webhooks", { body: webhook, headers })).result.name;
  },
  "keys-spent-by-refusals": withOneKey({ body: {} }, {}),
  "keys-shared-by-operations": withOneKey({}, { operation: ACCOUNTS, body: account }),
  "keys-shared-by-spaces": withOneKey({}, { space: "second" }),
});

/** Updates the fixture that may be changed with each body. Returns status and some fields of each answer. */
function updated(kind: "PaymentCode" | "Payout", ...bodies: JsonObject[]): Observation {
  return async (asker) => {
    const id = asker.service.fixtures[`mutable${kind}`];
    const seen = [];
    for (const body of bodies) {
      const path = kind === "Payout" ? "/payouts" : "/payment-codes";
      const { status, result } = await asker.ask(`PATCH ${path}/${id}`, { body });
      seen.push([status, result.isActive, result.metadata, result.allowedProviders]);
    }
    return seen;
  };
}

observeVariants(updateVariants, {
  "metadata-merged": updated("Payout", { metadata: { a: "1" } }, { metadata: { b: "2" } }),
  "header-names-tidied-on-update": async (asker) => {
    const body = { ...webhook, customHeaders: { "X-Run": "1" } };
    const { id } = (await asker.ask("POST /webhooks", { body })).result;
    return (await asker.ask(`PATCH /webhooks/${id}`, { body: { url: webhook.url } })).result.customHeaders;
  },
  "null-changes-nothing": updated("PaymentCode", { isActive: false }, { isActive: null }),
  "null-sets-back": async (asker) => {
    const { id } = (await asker.ask("POST /webhooks", { body: webhook })).result;
    const body = { url: webhook.url, name: null };
    return (await asker.ask(`PATCH /webhooks/${id}`, { body })).result.name;
  },
  "active-unless-told-otherwise": updated("PaymentCode", { isActive: false }, { name: "Other" }),
  "cancelled-codes-frozen": updated("PaymentCode", { status: "cancelled" }, { name: "Other" }),
  "cancelled-codes-switched-off": updated("PaymentCode", { status: "cancelled" }),
  "provider-ids-in-codes-out": updated("PaymentCode", { allowedProviders: ["nobody"] }),
  "expiry-in-the-past-refused": updated("PaymentCode", { expireTime: "2020-01-01T00:00:00Z" }),
  "empty-payout-update-refused": updated("Payout", {}),
});
