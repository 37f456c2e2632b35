/** Bugs of accounts and idempotency keys that one moment shows. Their author did not know the suite. */

import { ACCOUNT, CODE_UPDATE, first, HOOK, HOOK_UPDATE } from "./bug.ts";
import { type OrderBug, orderBug, PAYOUT_UPDATE } from "./order.ts";

const CREATES = [ACCOUNT, HOOK];
const KEY = 'const key = String(request.headers["idempotency-key"]);';

type Balance = { available: { currency?: unknown; value?: unknown } };

export const momentAccountBugs: readonly OrderBug[] = [
  // An account without metadata shows an empty list as its metadata.
  orderBug(
    "moment-account-without-metadata-shows-a-list",
    "ACCOUNT-FIELDS CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => !Array.isArray((await account()).result.metadata),
    [
      "accounts",
      "metadata: json(row.metadata_json, {})",
      'metadata: row.metadata_json === "{}" ? [] : json(row.metadata_json, {})',
    ],
  ),
  // A balance of zero is left out of the available money.
  orderBug(
    "moment-balance-of-zero-has-no-value",
    "MONEY-PRESENT ACCOUNT-PRESENT",
    ACCOUNT,
    async ({ account }) => {
      const { available } = (await account()).result.balance as Balance;
      return available.value === 0;
    },
    [
      "accounts",
      "value: number(row.available)",
      "...(row.available ? { value: number(row.available) } : {})",
    ],
  ),
  // An account in a second currency of a country has its balance in the first currency of that country.
  orderBug(
    "moment-balance-in-the-first-currency-of-the-country",
    "ACCOUNT-ONE-CURRENCY",
    ACCOUNT,
    async ({ account }) => {
      const { available } = (await account({ currency: "USD" })).result.balance as Balance;
      return available.currency === "USD";
    },
    [
      "accounts",
      "return shown(row);",
      `const of = "SELECT currency FROM countries, json_each(supported_json) WHERE json_each.value = ?";
      const { currency } = database.first(of, [sent.currency]) ?? {};
      const made = shown(row);
      return { ...made, balance: { available: { ...made.balance.available, currency } } };`,
    ],
  ),
  // A list is taken for the metadata of an account.
  orderBug(
    "moment-account-takes-a-list-as-metadata",
    "CREATE-TYPE",
    ACCOUNT,
    async ({ account }) => (await account({ metadata: ["gold"] })).status >= 400,
    ["accounts", "maxLength: 150 }, metadata", 'maxLength: 150 }, metadata: { type: ["object", "array"] }'],
  ),
  // The name of an account is cut to 100 characters and never refused.
  orderBug(
    "moment-long-account-name-is-cut",
    "CREATE-TOO-LONG",
    ACCOUNT,
    async ({ account }) => (await account({ name: "n".repeat(101) })).status >= 400,
    ["accounts", 'name: { type: "string", maxLength: 100 }', 'name: { type: "string" }'],
    ["accounts", "name: sent.name.trim()", "name: sent.name.slice(0, 100).trim()"],
  ),
  // Only the first three letters of a currency count.
  orderBug(
    "moment-letters-behind-a-currency-are-ignored",
    "CREATE-CURRENCY",
    ACCOUNT,
    async ({ account }) => (await account({ currency: "XAFX" })).status >= 400,
    ["accounts", "^[A-Z]{3}$", "^[A-Z]{3}"],
    ["accounts", "[sent.currency]", "[sent.currency.slice(0, 3)]"],
    ["accounts", "currency: sent.currency,", "currency: sent.currency.slice(0, 3),"],
  ),
  // The parser of bodies allows a comma behind the last member.
  orderBug(
    "moment-comma-behind-the-last-member",
    "CREATE-MALFORMED UPDATE-MALFORMED",
    [...CREATES, HOOK_UPDATE, CODE_UPDATE, PAYOUT_UPDATE],
    async ({ raw, fresh }) => {
      const key = { "idempotency-key": fresh("key") };
      const answer = await raw("POST", "/v1/financial-accounts", key, '{"name":"One","currency":"XAF",}');
      return answer.status >= 400;
    },
    first(String.raw`
      const parsed = (body) => {
        try { return JSON.parse(body); } catch { return JSON.parse(body.replace(/,\s*([}\]])/g, "$1")); }
      };
      app.addContentTypeParser("application/json", { parseAs: "string" }, async (_, body) => {
        try { return parsed(body); } catch (error) { throw Object.assign(error, { statusCode: 400 }); }
      });`),
  ),
  // The columns of name and description hold three bytes a character, so an emoji becomes a question mark.
  orderBug(
    "moment-emoji-of-an-account-becomes-a-question-mark",
    "CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      const description = "Savings 🐖";
      return (await account({ description })).result.description === description;
    },
    [
      "accounts",
      "name: sent.name.trim()",
      String.raw`name: sent.name.trim().replace(/[\u{10000}-\u{10ffff}]/gu, "?")`,
    ],
    [
      "accounts",
      "description: sent.description ?? null",
      String.raw`description: sent.description?.replace(/[\u{10000}-\u{10ffff}]/gu, "?") ?? null`,
    ],
  ),
  // A reference is unique among the accounts of the same name only.
  orderBug(
    "moment-reference-is-unique-within-a-name",
    "UNIQUE-REJECTED UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      return (await account({ reference: "R-1" })).status >= 400;
    },
    ["tables", "ON accounts (space_id, reference);", "ON accounts (space_id, reference, name);"],
  ),
  // Keys that are not UUIDs are accepted and not kept.
  orderBug(
    "moment-only-uuids-are-kept-as-keys",
    "KEY-REPLAY KEY-PARALLEL",
    CREATES,
    async ({ account }) => {
      const { id } = (await account({ name: "One" }, { key: "order-17" })).result;
      const answer = await account({ name: "One" }, { key: "order-17" });
      return answer.status >= 400 || answer.result.id === id;
    },
    [
      "idempotency",
      KEY,
      `const given = String(request.headers["idempotency-key"]);
      const key = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)
        ? given
        : given + " " + (database.keys = (database.keys ?? 0) + 1);`,
    ],
  ),
  // Keys are compared by their letters and digits alone.
  orderBug(
    "moment-keys-are-compared-without-punctuation",
    "KEY-DISTINCT CREATE-ACCEPTED",
    CREATES,
    async ({ account }) => {
      const { id } = (await account({ name: "One" }, { key: "1-12" })).result;
      const answer = await account({ name: "One" }, { key: "11-2" });
      return answer.status === 200 && answer.result.id !== id;
    },
    ["idempotency", KEY, KEY.replace(");", ').replace(/[^A-Za-z0-9]/g, "");')],
  ),
  // The name of an account is encoded for an address, which fails for half a surrogate pair.
  orderBug(
    "moment-half-a-surrogate-pair-in-an-account-name-crashes",
    "NO-SERVER-ERROR",
    ACCOUNT,
    async ({ account }) => (await account({ name: "Account \ud800" })).status < 500,
    ["accounts", "const now = Date.now();", "encodeURIComponent(sent.name); const now = Date.now();"],
  ),
];
