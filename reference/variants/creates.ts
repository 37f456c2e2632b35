import { EVENT_NAMES } from "../deliveries.ts";
import { CREATES, isAt, overlook, refuse, showField, UPDATES, WEBHOOK_WRITES } from "../hook-tools.ts";
import { isObject } from "../json.ts";
import type { OperationName } from "../operations.ts";
import { seeded, textsOf, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const WRITES: readonly OperationName[] = [...CREATES, ...UPDATES];

const FIELDS: Partial<Record<OperationName, readonly string[]>> = {
  "POST /v1/financial-accounts": ["name", "currency", "reference", "description", "metadata"],
  "PATCH /payment-codes/{id}": [
    ...["name", "isActive", "status", "expireTime", "allowedProviders", "metadata"],
  ],
  "PATCH /payouts/{id}": ["metadata"],
};
const WEBHOOK_FIELDS = [
  ...["name", "url", "events", "isActive", "apiVersion", "alertEmails"],
  ...["verificationMethod", "customHeaders", "metadata"],
];

const mayDecline = "Ruling on rows 62 and 80: a service may decline";

const declinesControls = refuse(
  WRITES,
  "body",
  { at: "body", rule: "pattern", message: "texts must not hold control characters" },
  ({ body }) => textsOf(body).some((text) => /\p{Cc}/u.test(text)),
);
const declinesBlankNames = refuse(
  WRITES,
  "body",
  { at: "body.name", rule: "pattern", message: "name is blank" },
  ({ body }) => typeof body.name === "string" && body.name.trim() === "",
);
const declinesOtherMetadata = refuse(
  WRITES,
  "body",
  { at: "body.metadata", rule: "type", message: "metadata values are texts" },
  ({ body }) =>
    isObject(body.metadata) && Object.values(body.metadata).some((value) => typeof value !== "string"),
);
const declinesOtherHeaders = refuse(
  WEBHOOK_WRITES,
  "body",
  { at: "body.customHeaders", rule: "pattern", message: "header values are ASCII" },
  ({ body: { customHeaders } }) =>
    isObject(customHeaders) && Object.values(customHeaders).some((value) => !/^[ -~]*$/.test(String(value))),
);

const CURRENCIES = ["GHS", "XOF"];
const COUNTRIES = ["GH", "SN", "CI"];

export const createVariants: readonly Variant[] = [
  {
    name: "declines-control-characters",
    description: "Texts with control characters are refused.",
    why: `${mayDecline} control characters.`,
    hooks: declinesControls,
  },
  {
    name: "declines-whatever-it-may",
    description:
      "Control characters, blank names, metadata that is no text and odd header values are refused.",
    why: `${mayDecline} each of these.`,
    hooks: together(declinesControls, declinesBlankNames, declinesOtherMetadata, declinesOtherHeaders),
  },
  {
    name: "unknown-fields-refused",
    description: "A body with a field that is not documented is refused.",
    why: "Row 71: unknown body fields are left open.",
    hooks: refuse(WRITES, "body", { at: "body", rule: "known", message: "unknown field" }, (ctx) => {
      if (ctx.operation === "") return false;
      const known = FIELDS[ctx.operation] ?? WEBHOOK_FIELDS;
      return Object.keys(ctx.body).some((name) => !known.includes(name));
    }),
  },
  {
    name: "empty-texts-refused",
    description: "Empty names, references, descriptions and versions are refused.",
    why: "Row 71: empty names where no minimum is stated are left open, and row 64 leaves an empty reference so.",
    hooks: refuse(WRITES, "body", { at: "body", rule: "minLength", message: "a text is empty" }, ({ body }) =>
      Object.values(body).includes(""),
    ),
  },
  {
    name: "two-currencies-only",
    description: "Accounts are in two currencies only, in three countries.",
    why: "The reading of creates: currencies come from the user or from the service's own countries.",
    fixtures: (fixtures) => ({ ...fixtures, currency: "GHS", country: "GH" }),
    hooks: together(
      {
        seed: (data) => ({
          ...data,
          country: (data.country ?? []).filter(({ data: { code } }) => COUNTRIES.includes(String(code))),
        }),
      },
      seeded(["country"], (record) => {
        const { currency } = record.data;
        return withFields(record, {
          supportedCurrencies: isObject(currency) ? [currency.code ?? "XOF"] : [],
        });
      }),
      refuse(
        ["POST /v1/financial-accounts"],
        "body",
        { at: "body.currency", rule: "enum", message: "this currency is not supported" },
        ({ body }) => !CURRENCIES.includes(String(body.currency)),
      ),
    ),
  },
  {
    name: "currency-in-any-casing",
    description: "Currency codes are taken in any casing and kept in capitals.",
    why: "Row 71: lower-case currency codes are left open.",
    hooks: {
      problems: (problems, ctx) => {
        const { currency } = ctx.body;
        const codes = ctx.service.store.all("country").flatMap(({ data }) => data.supportedCurrencies ?? []);
        const known = typeof currency === "string" && codes.flat().includes(currency.toUpperCase());
        return known ? problems.filter(({ at }) => at !== "body.currency") : problems;
      },
      made: (record) => {
        if (record.kind !== "financialAccount") return record;
        const currency = String(record.data.currency).toUpperCase();
        return withFields(record, { currency, balance: { available: { currency, value: 0 } } });
      },
    },
  },
  {
    name: "known-events-only",
    description: "Webhooks may subscribe only to events that exist.",
    why: "Section 6: event names are not shown; they come from the user's settings.",
    hooks: refuse(
      WEBHOOK_WRITES,
      "body",
      { at: "body.events", rule: "enum", message: "events holds an unknown name" },
      ({ body }) =>
        Array.isArray(body.events) &&
        body.events.some((name) => typeof name === "string" && !EVENT_NAMES.includes(name)),
    ),
  },
  {
    name: "events-named-once",
    description: "A webhook may not name an event twice.",
    why: "Ruling on row 60: a rejection of repeated names is no failure.",
    hooks: refuse(
      WEBHOOK_WRITES,
      "body",
      { at: "body.events", rule: "repeated", message: "events names one twice" },
      ({ body }) => Array.isArray(body.events) && new Set(body.events).size < body.events.length,
    ),
  },
  {
    name: "events-kept-once",
    description: "An event that a webhook names several times is kept once.",
    why: "Ruling on row 60: that names repeat is the suite's doing; to subscribe twice is to subscribe.",
    hooks: {
      made: (record) => {
        const { events } = record.data;
        return Array.isArray(events) ? withFields(record, { events: [...new Set(events)] }) : record;
      },
    },
  },
  {
    name: "addresses-and-versions-checked",
    description: "Alert addresses have to look like ones, and apiVersion has to be a version.",
    why: "Row 71: invalid alert addresses and unknown apiVersions are left open.",
    hooks: refuse(
      WEBHOOK_WRITES,
      "body",
      { at: "body", rule: "format", message: "no address, or no version" },
      ({ body: { alertEmails, apiVersion } }) =>
        (Array.isArray(alertEmails) &&
          alertEmails.some((address) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(address)))) ||
        (typeof apiVersion === "string" && !["caph.2025-08-23", "caph.2025-06-20"].includes(apiVersion)),
    ),
  },
  {
    name: "any-text-is-a-url",
    description: "The url of a webhook may be any text.",
    why: "Row 70: rejecting a url that is no URL is a SHOULD.",
    warns: ["CREATE-URL"],
    hooks: overlook(WEBHOOK_WRITES, { at: "body.url", rule: "format" }),
  },
  {
    name: "content-type-ignored",
    description: "A body is read as JSON whatever its content type, or without one.",
    why: "Row 70: rejecting text/plain is a SHOULD; a missing content type is left open.",
    warns: ["CREATE-TEXT-PLAIN", "UPDATE-TEXT-PLAIN"],
    hooks: {
      request: (request) => ({
        ...request,
        headers: { ...request.headers, "content-type": "application/json" },
      }),
    },
  },
  {
    name: "charset-refused",
    description: "application/json has to be without parameters.",
    why: "Ruling on row 60: accepting a charset is a SHOULD.",
    warns: ["CREATE-CHARSET", "UPDATE-CHARSET"],
    hooks: refuse(
      WRITES,
      "body",
      { at: "body", rule: "contentType", message: "the content type has parameters" },
      ({ request }) => /;/.test(request.headers["content-type"] ?? ""),
    ),
  },
  {
    name: "accounts-share-a-number",
    description: "The accounts of a space have one uvan.",
    why: "Row 70: that uvan differs between accounts is a SHOULD.",
    warns: ["ACCOUNT-NUMBER-UNIQUE"],
    hooks: showField(
      ["POST /v1/financial-accounts", "GET /v1/financial-accounts"],
      "uvan",
      () => "900000000001",
    ),
  },
  {
    name: "accounts-start-with-credit",
    description: "A new account has a balance already.",
    why: "Row 71: the balance of a new account is left open.",
    hooks: {
      made: (record) =>
        record.kind === "financialAccount"
          ? withFields(record, {
              balance: {
                available: { currency: record.data.currency ?? "XAF", value: 500 },
                pending: null,
              },
            })
          : record,
    },
  },
  {
    name: "references-alike-in-any-casing",
    description: "References that differ in case only are the same; an empty one is none.",
    why: "Ruling on row 64: both are left open.",
    hooks: {
      sameReference: (_same, ctx, { sent, other }) =>
        sent !== "" &&
        other.space === ctx.space &&
        String(other.data.reference ?? "").toLowerCase() === String(sent).toLowerCase(),
    },
  },
  {
    name: "webhooks-have-a-version",
    description: "A webhook without apiVersion gets the newest one.",
    why: "Section 4.14: apiVersion is optional and its default is not stated.",
    hooks: {
      made: (record, ctx, previous) =>
        record.kind === "webhook" && !previous && isAt(ctx, ["POST /webhooks"])
          ? withFields(record, { apiVersion: record.data.apiVersion ?? "caph.2025-08-23" })
          : record,
    },
  },
];
