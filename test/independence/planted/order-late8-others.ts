/** An eighth set of late bugs of the other routes, for a sequence of calls. Their author did not know the suite. */

import { CODES, OTPS } from "./bug.ts";
import {
  BANKS,
  COUNTRIES,
  OLDER,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDER,
  PROVIDERS,
  READ_OF_PAYOUT,
  remembering,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const BOTH = [PAYOUT, PAYOUT_UPDATE];
const WRITTEN = "if (metadata !== undefined) {";

export const late8OtherOrderBugs: readonly OrderBug[] = [
  // Cursors are numbered for each space and stored without it, so a list of one space takes over those of the other.
  orderBug(
    "order-late8-cursors-numbered-for-each-space-are-stored-for-all",
    "CURSOR-ONCE CURSOR-COMPLETE CURSOR-REPEATABLE CURSOR-FILTERED LIST-ORDER",
    [OTPS, CODES],
    async ({ get, second: space }) => {
      const { ids } = await get("/v1/ussd-otps?limit=4");
      const { next } = await get("/v1/ussd-otps?limit=2");
      await get("/v1/ussd-otps?limit=3", { space });
      await get("/v1/ussd-otps?limit=1", { space });
      return same((await get(`/v1/ussd-otps?limit=2&after=${next}`)).ids, ids.slice(2));
    },
    [
      "cursors",
      "function decode(cursor",
      `const counts = new Map();
      const stored = new Map();
      function store(table, space, cursor) {
        const list = [table, space].join(" ");
        counts.set(list, (counts.get(list) ?? 0) + 1);
        const token = "page-" + counts.get(list);
        stored.set([table, token].join(" "), cursor);
        return token;
      }
      function decode(cursor`,
    ],
    [
      "cursors",
      "values.push(...decode(after));",
      'values.push(...decode(stored.get([table, after].join(" ")) ?? after));',
    ],
    ["cursors", "? encode(last)", "? store(table, filters.space_id, encode(last))"],
  ),
  // Metadata is loaded through a cache that goes by the place in the page, not by the id of the session.
  orderBug(
    "order-late8-metadata-of-sessions-is-kept-by-their-place-in-the-page",
    "READ-STABLE CURSOR-COMPLETE CURSOR-REPEATABLE LIST-LIMIT-DEFAULT VERSION-VALUES",
    OTPS,
    async ({ get }) => {
      const { items } = await get("/v1/ussd-otps?limit=4");
      const { next } = await get("/v1/ussd-otps?limit=2");
      return same((await get(`/v1/ussd-otps?limit=2&after=${next}`)).items, items.slice(2));
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const loaded = (database.loaded ??= []);
      const answer = rows.map(shown);
      answer.forEach((each, place) => {
        if (place >= loaded.length) loaded.push(each.metadata);
        each.metadata = loaded[place];
      });
      return list(answer, { next });`,
    ],
  ),
  // The second of two updates of a payout at once is rolled back by the database, and no one tries it again.
  orderBug(
    "order-late8-payout-updated-twice-at-once-ends-in-a-server-error",
    "NO-SERVER-ERROR UPDATE-ACCEPTED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => {
      const answers = await Promise.all([editPayout({ till: "1" }), editPayout({ shop: "2" })]);
      return answers.every(({ status }) => status < 500);
    },
    remembering("payouts"),
    [
      "payouts",
      WRITTEN,
      `const revision = memory.get(id);
      ${PAUSE}
      if (memory.get(id) !== revision) throw new Error("could not serialize access due to concurrent update");
      memory.set(id, {});
      ${WRITTEN}`,
    ],
  ),
  // An update of a payout is written to all payouts of its account.
  orderBug(
    "order-late8-payout-metadata-is-written-to-all-payouts-of-the-account",
    "UPDATE-KEEPS UPDATE-KEEPS-REST READ-STABLE",
    BOTH,
    async ({ get, otherPayout, editPayout }) => {
      const { metadata } = (await get(`/payouts/${otherPayout}`)).result;
      await editPayout({ till: "1" });
      return same((await get(`/payouts/${otherPayout}`)).result.metadata, metadata);
    },
    [
      "payouts",
      'database.update("payouts", { metadata_json }, "space_id = ? AND id = ?", [space, id]);',
      `database.update("payouts", { metadata_json },
        "space_id = ? AND json_extract(source_json, '$.financialAccountId') = ?",
        [space, JSON.parse(row.source_json).financialAccountId]);`,
    ],
  ),
  // A read writes the payout back in its newest form, over an update that came during the read.
  orderBug(
    "order-late8-read-beside-an-update-writes-the-older-payout-back",
    "UPDATE-STORED READ-STABLE UPDATE-KEEPS",
    BOTH,
    async ({ readPayout, editPayout }) => {
      for (const till of ["1", "2", "3"]) {
        await Promise.all([readPayout(), editPayout({ till })]);
        const { metadata } = (await readPayout()).result;
        if ((metadata as { till?: unknown }).till !== till) return false;
      }
      return true;
    },
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        ${PAUSE}
        database.update("payouts", { metadata_json: row.metadata_json }, "id = ?", [row.id]);
        return single(shown(row));
      }`,
    ],
  ),
  // An update under the older version stores a payout without the reference at its destination, until the next one.
  orderBug(
    "order-late8-payout-update-under-the-older-version-loses-a-reference",
    "UPDATE-KEEPS UPDATE-KEEPS-REST VERSION-FIELDS VERSION-VALUES",
    BOTH,
    async ({ readPayout, editPayout }) => {
      const { destination } = (await readPayout()).result;
      return same((await editPayout({ till: "1" }, { version: OLDER })).result.destination, destination);
    },
    remembering("payouts"),
    [
      "payouts",
      "async ({ space, params: { id }, body: { metadata } }) => {",
      "async ({ space, params: { id }, body: { metadata }, headers: given }) => {",
    ],
    [
      "payouts",
      WRITTEN,
      `if (!memory.has(id)) memory.set(id, row.destination_json);
      const { transactionReference, ...older } = JSON.parse(memory.get(id));
      const isOlder = given["service-version"] === "${OLDER}";
      const destination_json = isOlder ? JSON.stringify(older) : memory.get(id);
      database.update("payouts", { destination_json }, "id = ?", [id]);
      ${WRITTEN}`,
    ],
  ),
  // From the second update on, each update of a payout takes the fee off the amount.
  orderBug(
    "order-late8-payout-updated-again-takes-the-fee-off-the-amount",
    "UPDATE-KEEPS UPDATE-KEEPS-REST",
    BOTH,
    async ({ editPayout }) => {
      const { amount } = (await editPayout({ till: "1" })).result;
      return same((await editPayout({ till: "2" })).result.amount, amount);
    },
    remembering("payouts"),
    [
      "payouts",
      WRITTEN,
      `const [fee] = JSON.parse(row.charges_json);
      if (fee && memory.has(id))
        database.update("payouts", { amount: row.amount - fee.amount.value }, "id = ?", [id]);
      memory.set(id);
      ${WRITTEN}`,
    ],
  ),
  // The space of a read is stored once for all calls, and a read in another space at once replaces it.
  orderBug(
    "order-late8-payout-reads-at-once-share-one-space",
    "ISOLATION-READS ISOLATION-UNKNOWN-SPACE READ-ACCEPTED READ-STABLE",
    PAYOUT,
    async ({ readPayout, second: space }) => {
      const [own, foreign] = await Promise.all([readPayout(), readPayout({ space })]);
      return own.status === 200 && foreign.status >= 400;
    },
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        database.space = space;
        ${PAUSE}
        return single(shown(find(database.space, params.id)));
      }`,
    ],
  ),
  // The kept list of countries is turned around in place for each answer.
  orderBug(
    "order-late8-kept-list-of-countries-is-turned-around-by-each-list",
    "READ-STABLE LIST-ORDER READ-MATCHES-LIST VERSION-MEMBERS",
    COUNTRIES,
    async ({ get }) => {
      const { ids } = await get("/countries");
      return same((await get("/countries")).ids, ids);
    },
    [
      "reference-data",
      'const rows = database.all("SELECT * FROM countries ORDER BY name");',
      `database.countries ??= database.all("SELECT * FROM countries ORDER BY name DESC");
      const rows = database.countries.reverse();`,
    ],
  ),
  // A bank is read from an index that holds the country listed last, so banks of other countries are unknown.
  orderBug(
    "order-late8-bank-is-read-from-the-country-listed-last",
    "READ-ACCEPTED READ-STABLE READ-MATCHES-LIST",
    BANKS,
    async ({ get }) => {
      await get("/banks?country=CM");
      return (await get("/banks/GCB_GH")).status === 200;
    },
    ["reference-data", PROVIDERS, `if (kind === "bank") database.listed = query.country; ${PROVIDERS}`],
    [
      "reference-data",
      PROVIDER,
      `if (kind === "bank" && database.listed && database.listed !== row.country)
        throw problem(404, "NOT_FOUND", "There is no such bank");
      ${PROVIDER}`,
    ],
  ),
];
