import type { Context } from "../context.ts";
import { refuse, WEBHOOK_WRITES, type Where } from "../hook-tools.ts";
import type { Hooks, Service } from "../hooks.ts";
import { isObject, type Json } from "../json.ts";
import type { Kind } from "../store.ts";
import { seeded, together, withFields, withoutFixture } from "./tools.ts";
import type { Variant } from "./variant.ts";

const ACCOUNTS: Where = ["POST /v1/financial-accounts"];
const CODE_UPDATES: Where = ["PATCH /payment-codes/{id}"];
const DAY = 86_400_000;

function quota(where: Where, kind: Kind, most: number): Hooks {
  const held = ({ service, space }: Context) =>
    service.store.all(kind).filter((record) => record.space === space).length;
  const atFirst = new Map<string, number>();
  return {
    started: (service) => {
      for (const space of service.spaces)
        atFirst.set(space, service.store.all(kind).filter((record) => record.space === space).length);
    },
    ...refuse(
      where,
      "conflict",
      { at: "body", rule: "state", message: "the space holds as many as it may" },
      (ctx) => held(ctx) - (atFirst.get(ctx.space) ?? 0) >= most,
    ),
  };
}

function quotas(webhooks: number, accounts: number): () => Hooks {
  return () =>
    together(quota(["POST /webhooks"], "webhook", webhooks), quota(ACCOUNTS, "financialAccount", accounts));
}

function addressesOnlyAt(...domains: readonly string[]): Hooks {
  return refuse(
    WEBHOOK_WRITES,
    "body",
    { at: "body.alertEmails", rule: "format", message: "no mail is taken at the domain of an address" },
    ({ body: { alertEmails } }) =>
      Array.isArray(alertEmails) &&
      alertEmails.some((address) => !domains.includes(String(address).split("@")[1] ?? "")),
  );
}

function isPrivate(url: Json | undefined): boolean {
  if (typeof url !== "string" || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return /^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal|test|invalid|example)$/.test(hostname);
}

function mayPay(service: Service, names: readonly Json[]): boolean {
  const kinds = new Set<string>();
  for (const name of names) {
    const provider = [...service.store.all("bank"), ...service.store.all("momo")].find(
      ({ id, data }) => id === name || data.code === name,
    );
    if (!provider) return false;
    const { status, featureSet, country } = provider.data;
    const payment = isObject(featureSet) ? featureSet.payment : undefined;
    if (!isObject(status) || status.active !== true) return false;
    if (!isObject(payment) || payment.canPayFrom !== true) return false;
    kinds.add(`${provider.kind} ${String(country)}`);
  }
  return kinds.size <= 1;
}

const CURRENT_EVENTS = ["payment_code.updated", "payout.updated", "financial_account.created"];

const quotaRuling = "Ruling on rows 60 and 64: a create that is refused from some number on is a quota";
const fixturesRuling =
  "Ruling on rows 60 and 64: values that only the service knows to be good are fixtures, or such as were accepted";

const oneWebhookForAUrl = refuse(
  WEBHOOK_WRITES,
  "conflict",
  { at: "body.url", rule: "unique", message: "another webhook of the space has this url" },
  ({ service, space, body: { url }, params: { id } }) =>
    service.store
      .all("webhook")
      .some((other) => other.space === space && other.id !== id && other.data.url === url),
);

export const quotaVariants: readonly Variant[] = [
  {
    name: "quota-of-twenty-and-forty",
    description: "A space takes 20 webhooks and 40 accounts, and no more.",
    why: `${quotaRuling}.`,
    hooks: quotas(20, 40),
  },
  {
    name: "quota-of-twelve-each",
    description: "A space takes 12 webhooks and 12 accounts, and no more.",
    why: `${quotaRuling}.`,
    hooks: quotas(12, 12),
  },
  {
    name: "quota-of-three-each",
    description: "A space takes three webhooks and three accounts: checks of access meet the quota too.",
    why: `${quotaRuling}.`,
    hooks: quotas(3, 3),
  },
  {
    name: "one-currency-a-space",
    description: "A space has accounts in one currency, which its user does not name.",
    why: `${fixturesRuling} once.`,
    fixtures: withoutFixture("currency"),
    hooks: refuse(
      ACCOUNTS,
      "body",
      { at: "body.currency", rule: "enum", message: "the space is not enabled for this currency" },
      ({ body: { currency } }) => currency !== "XAF",
    ),
  },
  {
    name: "mail-domains-checked",
    description: "Alert addresses have to be of a domain that takes mail; such ones are given.",
    why: `${fixturesRuling} once.`,
    fixtures: (fixtures) => ({ ...fixtures, alertEmails: "ops@harbour-pay.com,night.shift@harbour-pay.com" }),
    hooks: addressesOnlyAt("harbour-pay.com"),
  },
  {
    name: "mail-domains-checked-none-given",
    description: "Alert addresses have to be of a domain that takes mail; no such one is given.",
    why: `${fixturesRuling} once.`,
    fixtures: withoutFixture("alertEmails"),
    hooks: addressesOnlyAt("harbour-pay.com"),
  },
  {
    name: "private-hosts-refused",
    description: "A webhook may not lead to a private or reserved host.",
    why: `${fixturesRuling} once.`,
    hooks: refuse(
      WEBHOOK_WRITES,
      "body",
      { at: "body.url", rule: "format", message: "the url leads to a private host" },
      ({ body: { url } }) => isPrivate(url),
    ),
  },
  {
    name: "one-webhook-per-url",
    description: "A space has one webhook for a url.",
    why: `${fixturesRuling} once; a user whose service wants fresh ones marks the place with {unique}.`,
    fixtures: (fixtures) => ({
      ...fixtures,
      webhookUrl: "https://hooks.example.com/{unique}?source=Suite",
    }),
    hooks: oneWebhookForAUrl,
  },
  {
    name: "one-webhook-per-url-none-given",
    description: "A space has one webhook for a url, and no url is given by the user.",
    why: `${fixturesRuling} once.`,
    fixtures: withoutFixture("webhookUrl"),
    hooks: oneWebhookForAUrl,
  },
  {
    name: "expiry-within-three-days",
    description: "A payment code expires within three days at the latest.",
    why: "Ruling on rows 60 and 64: times to come are at most one to two days ahead.",
    hooks: refuse(
      CODE_UPDATES,
      "body",
      { at: "body.expireTime", rule: "maximum", message: "expireTime is too far ahead" },
      ({ service, body: { expireTime } }) =>
        typeof expireTime === "string" && Date.parse(expireTime) > service.now().getTime() + 3 * DAY,
    ),
  },
  {
    name: "providers-that-can-pay",
    description:
      "allowedProviders names active providers that can pay, all banks or all momos of one country.",
    why: `${fixturesRuling} once.`,
    hooks: refuse(
      CODE_UPDATES,
      "body",
      { at: "body.allowedProviders", rule: "known", message: "a provider can't be used here" },
      ({ service, body: { allowedProviders } }) =>
        Array.isArray(allowedProviders) && !mayPay(service, allowedProviders),
    ),
  },
  {
    name: "old-event-names-refused",
    description:
      "Webhooks of before show event names that are no longer accepted; none are given by the user.",
    why: `${fixturesRuling} once.`,
    fixtures: withoutFixture("eventNames"),
    hooks: together(
      seeded(["webhook"], (record, index) =>
        withFields(record, { events: index % 3 === 0 ? ["payout.updated"] : ["payoutDone", "codePaid"] }),
      ),
      refuse(
        WEBHOOK_WRITES,
        "body",
        { at: "body.events", rule: "enum", message: "events holds a name that is not known" },
        ({ body: { events } }) =>
          Array.isArray(events) && events.some((name) => !CURRENT_EVENTS.includes(String(name))),
      ),
    ),
  },
  {
    name: "currencies-of-tomorrow",
    description: "A country supports currencies that no list of ISO 4217 has yet, beside its own.",
    why: "Ruling on row 10: codes of supportedCurrencies beyond the list of the package are a SHOULD.",
    warns: ["COUNTRY-CURRENCIES"],
    hooks: seeded(["country"], (record) => {
      const { supportedCurrencies } = record.data;
      const known = Array.isArray(supportedCurrencies) ? supportedCurrencies : [];
      return withFields(record, { supportedCurrencies: [...known, "QXA", "ECO"] });
    }),
  },
];
