import type { Context } from "../context.ts";
import { refuse, showField, showItems, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type JsonObject } from "../json.ts";
import { LATER_PAGES, VERSION_CHOICES } from "../operators/condition.ts";
import { ALWAYS, across, type Cases, SOME_VERSION } from "../operators/operator.ts";
import { oneIn } from "../read-hook-tools.ts";
import type { StoredRecord } from "../store.ts";
import type { Defect } from "./defect.ts";

const OTPS: Where = ["GET /v1/ussd-otps"];
const CODES: Where = ["GET /v1/payment-codes"];
const PROVIDER_LISTS: Where = ["GET /banks", "GET /momos"];
const PROVIDERS: Where = [...PROVIDER_LISTS, "GET /banks/{idOrCode}", "GET /momos/{idOrCode}"];
const COUNTRIES: Where = ["GET /countries", "GET /countries/{idOrCode}"];

const paged: Cases = () => [undefined, ...VERSION_CHOICES, LATER_PAGES];

function some(
  change: (item: JsonObject, ctx: Context, record: StoredRecord) => JsonObject,
  n = 4,
): (where: Where) => Hooks {
  return (where) =>
    showItems(where, (item, ctx, { record }) => (oneIn(n, ctx, record) ? change(item, ctx, record) : item));
}

const earlier = (time: unknown) => new Date(Date.parse(String(time)) - 3_600_000).toISOString();
const manyEntries = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`key${index}`, "value"]));
const digits: Readonly<Record<string, number>> = { "all-2": 2, "all-0": 0, "all-3": 3 };

export const relationDefects: readonly Defect[] = [
  ...across("metadata-of-65", OTPS, paged, {
    breaks: ["OTP-METADATA-COUNT"],
    does: "some metadata has 65 properties",
    hooks: some((item) => ({ ...item, metadata: manyEntries })),
  }),
  ...across("metadata-number", OTPS, paged, {
    breaks: ["OTP-METADATA-VALUES"],
    does: "some metadata has a number in it",
    hooks: some((item) => ({ ...item, metadata: { count: 5 } })),
  }),
  ...across("metadata-null-entry", OTPS, paged, {
    breaks: ["OTP-METADATA-VALUES"],
    does: "some metadata has null in it",
    hooks: some((item) => ({ ...item, metadata: { count: null } })),
  }),
  ...across("metadata-long-entry", OTPS, paged, {
    breaks: ["OTP-METADATA-VALUES"],
    does: "some metadata has a text of 101 characters",
    hooks: some((item) => ({ ...item, metadata: { note: "x".repeat(101) } })),
  }),
  ...across("expired-before-made", OTPS, paged, {
    breaks: ["OTP-TIMES-ORDERED"],
    does: "some sessions expire before they are made",
    hooks: some((item) => ({ ...item, expireTime: earlier(item.createTime) })),
  }),
  ...across("updated-before-made", [...CODES, ...PROVIDERS], SOME_VERSION, {
    breaks: ["TIMES-ORDERED"],
    does: "some records are updated before they are made",
    hooks: some((item) => ({ ...item, updateTime: earlier(item.createTime) }), 2),
  }),
  ...across("code-shared", PROVIDER_LISTS, SOME_VERSION, {
    breaks: ["PROVIDER-CODES-UNIQUE", "LIST-IDS-UNIQUE"],
    does: "the first provider of every country has the same code",
    hooks: () => ({ item: (item, _ctx, { index }) => (index === 0 ? { ...item, code: "first_1" } : item) }),
  }),
  ...across("code-shared-by-kinds", PROVIDER_LISTS, SOME_VERSION, {
    breaks: ["PROVIDER-CODES-UNIQUE"],
    does: "a provider has the code of one of the other kind",
    hooks: () => ({
      item: (item, ctx, { index }) => {
        const other = ctx.service.store
          .all(ctx.operation === "GET /banks" ? "momo" : "bank")
          .find(({ data }) => data.country === item.country);
        return index === 0 && other ? { ...item, code: other.data.code ?? null } : item;
      },
    }),
  }),
  ...Object.entries(digits).flatMap(([at, unitLength]) =>
    across("unit-length", COUNTRIES, SOME_VERSION, {
      at,
      breaks: ["COUNTRY-UNIT-LENGTH"],
      does: `every currency has ${unitLength} digits`,
      hooks: (where) =>
        showField(where, "currency", (currency) =>
          isObject(currency) ? { ...currency, unitLength } : currency,
        ),
    }),
  ),
  // All requests need a country, so the version looks rejected, too.
  ...across("country-refused", PROVIDER_LISTS, SOME_VERSION, {
    breaks: ["PARAMETER-ACCEPTED", "VERSION-ACCEPTED"],
    does: "a country in capitals is refused",
    hooks: (where) =>
      refuse(
        where,
        "query",
        { at: "query.country", rule: "pattern", message: "small letters, please" },
        (ctx) => /^[A-Z]{2}$/.test(ctx.query.get("country")?.[0] ?? ""),
      ),
  }),
  ...across(
    "metadata-must-not-be-empty",
    ["PATCH /payouts/{id}", "PATCH /webhooks/{id}", "PATCH /payment-codes/{id}"],
    ALWAYS,
    {
      breaks: ["UPDATE-EDGES", "UPDATE-ACCEPTED"],
      does: "an update with empty metadata is refused",
      hooks: (where) =>
        refuse(
          where,
          "body",
          { at: "body.metadata", rule: "required", message: "it is empty" },
          ({ body }) => isObject(body.metadata) && Object.keys(body.metadata).length === 0,
        ),
    },
  ),
];
