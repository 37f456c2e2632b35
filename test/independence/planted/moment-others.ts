/**
 * Bugs of payouts, sessions, reference data, tokens and spaces that one moment shows. Their author did not
 * know the suite.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { first, OTPS } from "./bug.ts";
import { BANKS, COUNTRIES, MOMOS, type OrderBug, orderBug, PAYOUT, PAYOUT_UPDATE } from "./order.ts";
import { ALL } from "./order-tokens.ts";

const PAYOUTS = [PAYOUT, PAYOUT_UPDATE];
const AUTHORIZATION = 'request.headers.authorization ?? ""';
const BY_ID_OR_CODE = "(id = ? OR code = ?)";

export const momentOtherBugs: readonly OrderBug[] = [
  // An update that clears the metadata of a payout is answered with 202.
  orderBug(
    "moment-cleared-payout-metadata-is-answered-with-202",
    "STATUS-200 UPDATE-NULL-ACCEPTED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => (await editPayout(null)).status === 200,
    [
      "payouts",
      "async ({ space, params: { id }, body: { metadata } }) => {",
      "async ({ space, params: { id }, body: { metadata } }, reply) => { if (metadata === null) reply.code(202);",
    ],
  ),
  // The list of banks is sent in Latin-1 and declared as UTF-8.
  orderBug(
    "moment-banks-are-listed-in-latin-1",
    "JSON-BODY READ-MATCHES-LIST",
    BANKS,
    async ({ raw }) => {
      const bytes = Buffer.from(await (await raw("GET", "/banks?country=CM")).arrayBuffer());
      return Buffer.from(bytes.toString("utf8")).equals(bytes);
    },
    first(`app.addHook("onSend", async (request, _, payload) =>
      request.url.startsWith("/banks?") && typeof payload === "string" ? Buffer.from(payload, "latin1") : payload);`),
  ),
  // The charges of a payout are shown in whole units of the currency, with a fraction.
  orderBug(
    "moment-charge-of-a-payout-has-a-fraction",
    "MONEY-FIELDS PAYOUT-FIELDS",
    PAYOUTS,
    async ({ readPayout }) => {
      const charges = (await readPayout()).result.charges as { amount: { value: number } }[];
      return charges.every(({ amount }) => Number.isInteger(amount.value));
    },
    [
      "payouts",
      "charges: json(row.charges_json, [])",
      `charges: json(row.charges_json, []).map((charge) => ({
        ...charge, amount: { ...charge.amount, value: charge.amount.value / 100 } }))`,
    ],
  ),
  // The time of creation of a session has no time zone.
  orderBug(
    "moment-creation-of-a-session-has-no-zone",
    "OTP-FIELDS",
    OTPS,
    async ({ get }) => {
      const { items } = await get("/v1/ussd-otps");
      return items.every(({ createTime }) => String(createTime).endsWith("Z"));
    },
    ["otps", "time(row.created_at)", "time(row.created_at).slice(0, 19)"],
  ),
  // A country with one currency shows it as a text, not as a list.
  orderBug(
    "moment-only-currency-of-a-country-is-a-text",
    "COUNTRY-FIELDS",
    COUNTRIES,
    async ({ get }) => Array.isArray((await get("/countries/CM")).result.supportedCurrencies),
    [
      "reference-data",
      "supportedCurrencies:",
      "supportedCurrencies: JSON.parse(row.supported_json).length === 1 ? text(row.currency) :",
    ],
  ),
  // The status of a provider that is not active is an empty object.
  orderBug(
    "moment-inactive-provider-has-an-empty-status",
    "PROVIDER-PRESENT",
    MOMOS,
    async ({ get }) => {
      const { status } = (await get("/momos/NEXTTEL_CM")).result;
      return (status as { active?: unknown }).active === false;
    },
    ["reference-data", "status: { active: flag(row.active) }", "status: row.active ? { active: true } : {}"],
  ),
  // A session has 65 properties in its metadata.
  orderBug(
    "moment-session-has-65-properties",
    "OTP-METADATA-COUNT",
    OTPS,
    async ({ get }) => {
      const { items } = await get("/v1/ussd-otps");
      return items.every(({ metadata }) => Object.keys(metadata ?? {}).length <= 64);
    },
    [
      "seed",
      "{ session: `s${n}` }",
      'Object.fromEntries(Array.from({ length: n === 1 ? 65 : 1 }, (_, k) => ["field" + k, "s" + n]))',
    ],
  ),
  // The list of countries has a country once for each currency supported there.
  orderBug(
    "moment-country-is-listed-once-for-each-currency",
    "LIST-IDS-UNIQUE",
    COUNTRIES,
    async ({ get }) => {
      const { ids } = await get("/countries");
      return new Set(ids).size === ids.length;
    },
    [
      "reference-data",
      "SELECT * FROM countries ORDER BY name",
      "SELECT countries.* FROM countries, json_each(supported_json) ORDER BY name",
    ],
  ),
  // A bank has the code of a momo of the same country.
  orderBug(
    "moment-bank-has-the-code-of-a-momo",
    "PROVIDER-CODES-UNIQUE",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      const codes = (await get("/banks?country=KE")).items.map(({ code }) => code);
      return (await get("/momos?country=KE")).items.every(({ code }) => !codes.includes(code));
    },
    ["tables", "code TEXT NOT NULL UNIQUE, kind", "code TEXT NOT NULL, kind"],
    ["seed", '"EQUITY_KE"', '"MPESA_KE"'],
  ),
  // A call without the header Authorization is accepted if its query has the token.
  orderBug(
    "moment-token-in-the-query-is-accepted",
    "AUTH-MISSING",
    ALL,
    async ({ get, token }) => (await get(`/countries?access_token=${token}`, { token: null })).status >= 400,
    [
      "http",
      AUTHORIZATION,
      'request.headers.authorization ?? "Bearer " + (request.query.access_token ?? "")',
    ],
  ),
  // A token is compared by its first 31 characters.
  orderBug(
    "moment-characters-behind-the-token-are-ignored",
    "AUTH-ALTERED-TOKEN",
    ALL,
    async ({ get, token }) => (await get("/countries", { token: `${token}0` })).status >= 400,
    ["http", "[digest(token)]", "[digest(token.slice(0, 31))]"],
  ),
  // The token is accepted as user name or password of Basic authentication.
  orderBug(
    "moment-token-is-accepted-as-a-basic-password",
    "AUTH-OTHER-SCHEME",
    ALL,
    async ({ raw, token }) => {
      const authorization = `Basic ${Buffer.from(`api:${token}`).toString("base64")}`;
      return (await raw("GET", "/countries", { authorization })).status >= 400;
    },
    [
      "http",
      AUTHORIZATION,
      String.raw`(request.headers.authorization ?? "").replace(/^Basic +(\S+)$/i, (_, pair) =>
        "Bearer " + (Buffer.from(pair, "base64").toString().split(":").find((part) => part.startsWith("sk_")) ?? ""))`,
    ],
  ),
  // Sessions are listed without a space header, from the first space of the token.
  orderBug(
    "moment-sessions-without-a-space-are-those-of-the-first",
    "SPACE-MISSING",
    OTPS,
    async ({ get }) => (await get("/v1/ussd-otps", { space: null })).status >= 400,
    ["otps", "headers({ spaceLength: 64 })", "headers()"],
    [
      "http",
      'String(request.headers["service-space-id"])',
      `(request.headers["service-space-id"] ||
        text(database.first("SELECT id FROM spaces WHERE tenant = ?", [request.tenant])?.id))`,
    ],
  ),
  // Banks are listed by the first two characters of a longer country.
  orderBug(
    "moment-country-of-three-letters-is-cut",
    "PARAMETER-INVALID",
    "GET /banks",
    async ({ get }) => (await get("/banks?country=CMR")).status >= 400,
    [
      "reference-data",
      "headers: headers(), querystring",
      `headers: headers(), querystring: path === "/banks"
        ? { ...querystring, properties: { country: { ...country, maxLength: 100 } } } : querystring`,
    ],
    ["reference-data", "query.country.toUpperCase()", "query.country.slice(0, 2).toUpperCase()"],
  ),
  // A provider that is not active is listed and cannot be read.
  orderBug(
    "moment-inactive-provider-cannot-be-read",
    "READ-ACCEPTED READ-MATCHES-LIST",
    MOMOS,
    async ({ get }) => (await get("/momos/NEXTTEL_CM")).status === 200,
    ["reference-data", BY_ID_OR_CODE, `${BY_ID_OR_CODE} AND active = 1`],
  ),
  // A percent sign in the path stands for any bank or momo.
  orderBug(
    "moment-percent-sign-stands-for-any-provider",
    "READ-UNKNOWN",
    ["GET /banks/{idOrCode}", "GET /momos/{idOrCode}"],
    async ({ get }) => (await get("/banks/%25")).status >= 400,
    ["reference-data", BY_ID_OR_CODE, "(id LIKE ? OR code LIKE ?)"],
  ),
  // A list as the body of a payout update is taken for an update of nothing.
  orderBug(
    "moment-list-updates-nothing-of-a-payout",
    "UPDATE-NOT-OBJECT",
    PAYOUT_UPDATE,
    async ({ patch, payout }) => (await patch(`/payouts/${payout}`, [])).status >= 400,
    ["payouts", 'type: "object", properties:', 'type: ["object", "array"], properties:'],
  ),
];
