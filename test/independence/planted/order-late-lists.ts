/** Later bugs of sessions, providers and countries that only a sequence of calls shows. */

import { OTPS } from "./bug.ts";
import { type OrderBug, orderBug, same } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const BANKS = "GET /banks";
const BANK = "GET /banks/{idOrCode}";
const MOMOS = "GET /momos";
const MOMO = "GET /momos/{idOrCode}";
const COUNTRIES = "GET /countries";
const COUNTRY = "GET /countries/{idOrCode}";
const SINGLE_COUNTRY = "return single(shownCountry(row));";

export const lateListOrderBugs: readonly OrderBug[] = [
  orderBug(
    "sessions-start-where-the-codes-ended",
    "READ-STABLE LIST-LIMIT-DEFAULT CURSOR-COMPLETE",
    OTPS,
    async ({ get }) => {
      const { ids } = await get("/v1/ussd-otps");
      const { next } = await get("/v1/payment-codes?limit=2");
      await get(`/v1/payment-codes?limit=2&after=${next}`);
      return same((await get("/v1/ussd-otps")).ids, ids);
    },
    [
      "cursors",
      "if (after) {",
      `const from = after || (table === "otps" && database.left);
      database.left = table === "payment_codes" ? after : undefined;
      if (from) {`,
    ],
    ["cursors", "values.push(...decode(after));", "values.push(...decode(from));"],
  ),
  orderBug(
    "sessions-listed-at-once-mix-their-spaces",
    "ISOLATION-LISTS READ-STABLE",
    OTPS,
    async ({ get, second: space }) => {
      const alone = await get("/v1/ussd-otps");
      const [beside] = await Promise.all([get("/v1/ussd-otps"), get("/v1/ussd-otps", { space })]);
      return same(beside?.ids, alone.ids);
    },
    [
      "otps",
      "async ({ space, query }) => {",
      `async ({ space, query }) => { database.current = space; ${PAUSE}`,
    ],
    ["otps", "{ space_id: space }", "{ space_id: database.current }"],
  ),
  orderBug(
    "provider-read-alone-has-no-schemes-in-the-list",
    "READ-STABLE READ-MATCHES-LIST VERSION-VALUES",
    [BANKS, MOMOS, BANK, MOMO],
    async ({ get }) => {
      const { items } = await get("/banks?country=CM");
      await get(`/banks/${items[0]?.id}`);
      return same((await get("/banks?country=CM")).items, items);
    },
    [
      "reference-data",
      "return single(shownProvider(row));",
      "(database.alone ??= new Set()).add(row.id); return single(shownProvider(row));",
    ],
    [
      "reference-data",
      "list(rows.map(shownProvider),",
      `list(rows.map((row) => {
        const one = shownProvider(row);
        if (database.alone?.has(row.id)) one.featureSet.payout.schemes = [];
        return one; }),`,
    ],
  ),
  orderBug(
    "unknown-countries-are-counted",
    "LIST-TOTAL-EXACT",
    COUNTRIES,
    async ({ get }) => {
      await get("/countries/XX");
      const { ids, total } = await get("/countries");
      return total === ids.length;
    },
    [
      "reference-data",
      'if (!row) throw problem(404, "NOT_FOUND", "There is no such country");',
      `if (!row) { (database.unknown ??= new Set()).add(idOrCode); throw problem(404, "NOT_FOUND", "There is no such country"); }`,
    ],
    [
      "reference-data",
      "list(rows.map(shownCountry), { total: rows.length,",
      "list(rows.map(shownCountry), { total: rows.length + (database.unknown?.size ?? 0),",
    ],
  ),
  orderBug(
    "providers-of-two-countries-at-once-mixed",
    "FILTER-SOUND FILTER-COMPLETE READ-STABLE",
    [BANKS, MOMOS],
    async ({ get }) => {
      const [ours] = await Promise.all([get("/momos?country=CM"), get("/momos?country=GH")]);
      return ours?.items.every(({ country }) => country === "CM") === true;
    },
    [
      "reference-data",
      "async ({ query }) => {",
      `async ({ query }) => { database.country = query.country; ${PAUSE}`,
    ],
    ["reference-data", "query.country.toUpperCase()", "database.country.toUpperCase()"],
  ),
  orderBug(
    "reads-repeat-the-currency-of-a-country",
    "READ-STABLE READ-MATCHES-LIST VERSION-VALUES",
    [COUNTRY, COUNTRIES],
    async ({ get }) => {
      const { result } = await get("/countries/CM");
      return same((await get("/countries/CM")).result, result);
    },
    [
      "reference-data",
      SINGLE_COUNTRY,
      `database.update("countries", { supported_json: JSON.stringify([...JSON.parse(row.supported_json), row.currency]) }, "id = ?", [row.id]);
      ${SINGLE_COUNTRY}`,
    ],
  ),
];
