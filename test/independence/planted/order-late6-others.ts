/** Still more bugs of the other routes that only a sequence of calls shows. Their author did not know the suite. */

import { first, OTPS } from "./bug.ts";
import {
  BANKS,
  COUNTRIES,
  MOMOS,
  OLDER,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDER,
  PROVIDERS,
  READ_OF_PAYOUT,
  remembering,
  SESSIONS,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const COUNTRY_FOUND = 'throw problem(404, "NOT_FOUND", "There is no such country");';
const COUNTRY = "return single(shownCountry(row));";

export const late6OtherOrderBugs: readonly OrderBug[] = [
  // The update of a payout writes the destination of the payout that was read last.
  orderBug(
    "order-late6-payout-update-takes-the-destination-of-the-payout-read-before",
    "UPDATE-KEEPS-REST UPDATE-KEEPS",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ get, readPayout, editPayout, otherPayout }) => {
      const { destination } = (await readPayout()).result;
      await get(`/payouts/${otherPayout}`);
      return same((await editPayout({ note: "late" })).result.destination, destination);
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        memory.set(space, row);
        return single(shown(row));
      }`,
    ],
    [
      "payouts",
      "const row = find(space, id);",
      `const row = find(space, id);
      const { destination_json } = memory.get(space) ?? row;
      if (metadata) database.update("payouts", { destination_json }, "space_id = ? AND id = ?", [space, id]);`,
    ],
  ),
  // A payout whose update was refused for its body is not found until its next good update.
  orderBug(
    "order-late6-payout-is-not-found-after-a-refused-update",
    "READ-ACCEPTED UPDATE-NO-EFFECT READ-STABLE",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ editPayout, readPayout }) => {
      const { status } = await editPayout("late");
      return status >= 400 && (await readPayout()).status === 200;
    },
    first(
      `app.addHook("onError", async ({ method, url }, _, error) => {
        if (method === "PATCH" && error.statusCode === 400) (database.dropped ??= new Set()).add(url);
      });`,
    ),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        if (database.dropped?.has("/payouts/" + params.id))
          throw problem(404, "NOT_FOUND", "There is no such payout");
        return single(shown(find(space, params.id)));
      }`,
    ],
    [
      "payouts",
      "const row = find(space, id);",
      'const row = find(space, id); database.dropped?.delete("/payouts/" + id);',
    ],
  ),
  // A read under the older version stores the metadata of a payout with its names in snake case.
  orderBug(
    "order-late6-older-read-stores-metadata-names-in-snake-case",
    "READ-STABLE UPDATE-STORED VERSION-VALUES VERSION-FIELDS",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ editPayout, readPayout }) => {
      await editPayout({ orderNumber: "1" });
      await readPayout({ version: OLDER });
      const { metadata } = (await readPayout()).result;
      return (metadata as { orderNumber?: unknown }).orderNumber === "1";
    },
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params, headers: given }) => {
        const row = find(space, params.id);
        if (given["service-version"] === "${OLDER}") {
          const names = Object.entries(JSON.parse(row.metadata_json)).map(([name, value]) =>
            [name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase()), value]);
          const metadata_json = JSON.stringify(Object.fromEntries(names));
          database.update("payouts", { metadata_json }, "space_id = ? AND id = ?", [space, params.id]);
        }
        return single(shown(row));
      }`,
    ],
  ),
  // A bank that is read alone is taken out of the kept list of its country.
  orderBug(
    "order-late6-bank-read-alone-is-taken-out-of-the-kept-list",
    "READ-STABLE READ-MATCHES-LIST VERSION-MEMBERS FILTER-COMPLETE",
    BANKS,
    async ({ get }) => {
      const { ids } = await get("/banks?country=CM");
      await get(`/banks/${ids[0]}`);
      return same((await get("/banks?country=CM")).ids, ids);
    },
    [
      "reference-data",
      PROVIDERS,
      `const lists = (database.lists ??= new Map());
      const kept = lists.get(kind + query.country) ?? rows;
      lists.set(kind + query.country, kept);
      ${PROVIDERS.replaceAll("rows", "kept")}`,
    ],
    [
      "reference-data",
      PROVIDER,
      `const kept = database.lists?.get(kind + row.country) ?? [];
      const at = kept.findIndex(({ id }) => id === row.id);
      if (kind === "bank" && at >= 0) kept.splice(at, 1);
      ${PROVIDER}`,
    ],
  ),
  // All lists of banks have the pagination of the first one.
  orderBug(
    "order-late6-lists-of-banks-share-the-first-pagination",
    "LIST-COUNT LIST-TOTAL LIST-TOTAL-EXACT",
    "GET /banks",
    async ({ get }) => {
      await get("/banks?country=CM");
      const { count, items } = await get("/banks?country=GH");
      return count === items.length;
    },
    [
      "reference-data",
      PROVIDERS,
      `const answer = ${PROVIDERS.replace("return ", "")}
      if (kind === "bank") answer.pagination = database.ofBanks ??= answer.pagination;
      return answer;`,
    ],
  ),
  // The pattern of provider codes is global, so it misses each second code that it is asked for.
  orderBug(
    "order-late6-each-second-momo-read-by-its-code-is-not-found",
    "READ-ACCEPTED READ-STABLE READ-MATCHES-LIST VERSION-ACCEPTED",
    MOMOS,
    async ({ get }) => {
      await get("/momos/MTN_CM");
      return (await get("/momos/MTN_CM")).status === 200;
    },
    [
      "reference-data",
      "function providerRoutes(",
      "const providerCodes = /^[A-Z]+_[A-Z]{2}$/g; function providerRoutes(",
    ],
    [
      "reference-data",
      PROVIDER,
      `if (kind === "momo" && idOrCode === row.code && !providerCodes.test(idOrCode))
        throw problem(404, "NOT_FOUND", "There is no such momo");
      ${PROVIDER}`,
    ],
  ),
  // Once the countries were listed, the id of a country is taken for its place in the list.
  orderBug(
    "order-late6-country-id-is-a-place-in-the-list-read-before",
    "READ-MATCHES-LIST READ-ACCEPTED READ-STABLE",
    COUNTRIES,
    async ({ get }) => {
      const { ids } = await get("/countries");
      return (await get(`/countries/${ids[0]}`)).result.id === ids[0];
    },
    [
      "reference-data",
      "return list(rows.map(shownCountry),",
      "database.countries = rows; return list(rows.map(shownCountry),",
    ],
    ["reference-data", COUNTRY, COUNTRY.replace("row", "database.countries?.[idOrCode] ?? row")],
  ),
  // A list of countries that is asked for while one country is read has that country only.
  orderBug(
    "order-late6-countries-listed-beside-a-read-are-the-one-read",
    "READ-STABLE READ-MATCHES-LIST VERSION-MEMBERS",
    COUNTRIES,
    async ({ get }) => {
      const { ids } = await get("/countries");
      let kept = true;
      for (const code of ["CM", "GH", "KE"]) {
        const [, beside] = await Promise.all([get(`/countries/${code}`), get("/countries")]);
        kept &&= same(beside.ids, ids);
      }
      return kept;
    },
    [
      "reference-data",
      COUNTRY_FOUND,
      `${COUNTRY_FOUND} database.where = row.id; ${PAUSE} database.where = undefined;`,
    ],
    [
      "reference-data",
      'database.all("SELECT * FROM countries ORDER BY name");',
      `database.all("SELECT * FROM countries ORDER BY name")
        .filter(({ id }) => id === (database.where ?? id));`,
    ],
  ),
  // The last page turns the kept list of sessions around to find its end.
  orderBug(
    "order-late6-last-page-of-sessions-turns-the-list-around",
    "READ-STABLE CURSOR-COMPLETE CURSOR-ONCE LIST-LIMIT-DEFAULT LIST-ORDER CURSOR-REPEATABLE VERSION-MEMBERS",
    OTPS,
    async ({ get, walk }) => {
      const { ids } = await get("/v1/ussd-otps");
      await walk("/v1/ussd-otps?limit=50");
      return same((await get("/v1/ussd-otps")).ids, ids);
    },
    [
      "otps",
      SESSIONS,
      `const lists = (database.sessions ??= new Map());
      const sql = "SELECT * FROM otps WHERE space_id = ? ORDER BY created_at DESC, id DESC";
      if (!lists.has(space)) lists.set(space, database.all(sql, [space]));
      const all = lists.get(space);
      const from = query.after ? all.findIndex(({ id }) => id === query.after) + 1 : 0;
      if (query.after && from === 0) throw Object.assign(new Error("Unknown cursor"), { statusCode: 400 });
      const rows = all.slice(from, from + query.limit);
      const next = from + rows.length < all.length ? rows[rows.length - 1].id : null;
      if (next === null) all.reverse();`,
    ],
  ),
  // A first page longer than the one before takes that one and goes on with its last session.
  orderBug(
    "order-late6-longer-page-of-sessions-repeats-the-end-of-the-one-before",
    "LIST-IDS-UNIQUE CURSOR-COMPLETE CURSOR-ONCE READ-STABLE LIST-LIMIT-DEFAULT VERSION-MEMBERS",
    OTPS,
    async ({ get }) => {
      await get("/v1/ussd-otps?limit=3");
      const { ids } = await get("/v1/ussd-otps?limit=6");
      return new Set(ids).size === ids.length;
    },
    [
      "otps",
      SESSIONS,
      `${SESSIONS}
      const pages = (database.firstPages ??= new Map());
      if (!query.after) {
        const before = pages.get(space) ?? [];
        pages.set(space, [...rows]);
        if (before.length > 0 && before.length < rows.length)
          rows.splice(0, rows.length, ...before, ...rows.slice(before.length - 1, -1));
      }`,
    ],
  ),
];
