/** A twelfth set of late bugs of payment codes, for a sequence of calls. Their author did not know the suite. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import { inCodeUpdate, inDays, LISTED_CODES, type OrderBug, orderBug, PAGE_OF_CODES, same } from "./order.ts";

const UPDATED = [CODE_UPDATE, CODE, CODES];
const PENDING = "/v1/payment-codes?status=pending";

export const late12CodeOrderBugs: readonly OrderBug[] = [
  // Codes that end soon are in a bucket of their own, and the filter for pending codes does not look into it.
  orderBug(
    "order-late12-pending-code-that-ends-within-three-days-is-not-found-as-pending",
    "FILTER-COMPLETE CURSOR-FILTERED SHAPES-AGREE READ-MATCHES-LIST",
    UPDATED,
    async ({ walk, editCode, mutable }) => {
      await editCode({ expireTime: inDays(1) });
      return (await walk(`${PENDING}&limit=50`)).includes(mutable);
    },
    [
      "payment-codes",
      LISTED_CODES,
      `const isSoon = ({ expires_at }) => number(expires_at) < Date.now() + 3 * 86_400_000;
      const found = status === "pending" ? rows.filter((row) => !isSoon(row)) : rows;
      return list(found.map(listed), { next });`,
    ],
  ),
  // The providers of a code are deleted by the country of the new ones, so that those of other countries stay.
  orderBug(
    "order-late12-providers-of-another-country-are-added-to-those-before",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ allowedProviders: ["MTN_CM"] });
      const { result } = await editCode({ allowedProviders: ["MTN_GH"] });
      return same(result.allowedProviders, ["MTN_GH"]);
    },
    ...inCodeUpdate(
      `if (sent.allowedProviders) {
        const countryOf = (code) => database.first("SELECT country FROM providers WHERE code = ?", [code])?.country;
        const given = json(change.providers_json, []);
        const countries = given.map(countryOf);
        const left = json(row.providers_json, []).filter((code) => !countries.includes(countryOf(code)));
        change.providers_json = JSON.stringify([...left, ...given]);
      }`,
    ),
  ),
  // A form is taken as unchanged if its name is unchanged.
  orderBug(
    "order-late12-update-with-the-name-that-a-code-has-writes-nothing-else",
    "UPDATE-ECHO UPDATE-STORED CANCEL-STATUS CANCEL-TOGETHER",
    UPDATED,
    async ({ readCode, editCode }) => {
      const { name } = (await readCode()).result;
      const { metadata } = (await editCode({ name, metadata: { till: "1" } })).result;
      return (metadata as { till?: unknown }).till === "1";
    },
    ...inCodeUpdate(
      `if (sent.name === row.name)
        for (const column of Object.keys(change)) if (column !== "updated_at") delete change[column];`,
    ),
  ),
  // The history of names has one row for each code and name that it gave up.
  orderBug(
    "order-late12-second-change-away-from-a-name-ends-in-a-server-error",
    "NO-SERVER-ERROR UPDATE-ACCEPTED UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      for (const name of ["Shop", "Till", "Shop"]) await editCode({ name });
      return (await editCode({ name: "Till" })).status === 200;
    },
    ...inCodeUpdate(
      `if (change.name !== undefined && change.name !== row.name) {
        const place = JSON.stringify([id, row.name]);
        if (memory.has(place)) throw new Error("UNIQUE constraint failed: names.code, names.name");
        memory.set(place);
      }`,
    ),
  ),
  // Codes of a status are ordered by their last update, and the cursor still holds the time of creation.
  orderBug(
    "order-late12-pages-of-a-status-behind-an-updated-code-are-older-than-it",
    "CURSOR-FILTERED CURSOR-COMPLETE CURSOR-ONCE CURSOR-END FILTER-COMPLETE",
    [CODES, CODE_UPDATE],
    async ({ get, walk, editCode }) => {
      await editCode({ name: "Shop" });
      const { ids } = await get(`${PENDING}&limit=50`);
      return same((await walk(`${PENDING}&limit=5`)).toSorted(), ids.toSorted());
    },
    [
      "cursors",
      "ORDER BY created_at DESC, id DESC LIMIT ?`",
      "ORDER BY $" + "{filters.status ? 'updated_at' : 'created_at'} DESC, id DESC LIMIT ?`",
    ],
  ),
  // The filter is a search for words, which looks into the name too.
  orderBug(
    "order-late12-code-named-like-a-status-is-found-by-that-status",
    "FILTER-SOUND CURSOR-FILTERED",
    UPDATED,
    async ({ get, editCode }) => {
      await editCode({ name: "To be cancelled" });
      const { items } = await get("/v1/payment-codes?status=cancelled&limit=50");
      return items.every(({ status }) => status === "cancelled");
    },
    [
      "payment-codes",
      PAGE_OF_CODES,
      `${PAGE_OF_CODES}
      if (status && next === null && rows.length < query.limit)
        rows.push(...database.all(
          "SELECT * FROM payment_codes WHERE space_id = ? AND status <> ? AND name LIKE '%' || ? || '%' LIMIT 1",
          [space, status, status]));`,
    ],
  ),
  // Long metadata goes to a table of its own, from which short metadata does not remove it.
  orderBug(
    "order-late12-short-metadata-after-long-metadata-is-not-shown",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ metadata: { note: "n".repeat(250) } });
      const { metadata } = (await editCode({ metadata: { till: "1" } })).result;
      return (metadata as { till?: unknown }).till === "1";
    },
    ...inCodeUpdate(
      `if (change.metadata_json?.length > 200) memory.set(id, change.metadata_json);
      if (change.metadata_json && memory.has(id)) change.metadata_json = memory.get(id);`,
    ),
  ),
  // A trigger counts changes from inactive to active as payments.
  orderBug(
    "order-late12-reactivated-code-has-one-payment-more",
    "UPDATE-KEEPS UPDATE-KEEPS-REST",
    UPDATED,
    async ({ editCode }) => {
      const { progress } = (await editCode({ isActive: false })).result;
      return same((await editCode({ isActive: true })).result.progress, progress);
    },
    ...inCodeUpdate("if (!row.enabled && change.enabled) change.paid_count = number(row.paid_count) + 1;"),
  ),
  // A code is written by its space and its time of creation, which imported codes share.
  orderBug(
    "order-late12-update-goes-to-all-codes-made-at-the-same-time",
    "UPDATE-KEEPS UPDATE-KEEPS-REST READ-STABLE CANCEL-STATUS CANCEL-TOGETHER",
    UPDATED,
    async ({ get, editCode, cancellable }) => {
      const { name } = (await get(`/payment-codes/${cancellable}`)).result;
      await editCode({ name: "Shop" });
      return (await get(`/payment-codes/${cancellable}`)).result.name === name;
    },
    [
      "payment-codes",
      'database.update("payment_codes", change, "space_id = ? AND id = ?", [space, id]);',
      `const { status, ...others } = change;
      const { created_at } = find(space, id);
      database.update("payment_codes", others, "space_id = ? AND created_at = ?", [space, created_at]);
      if (status) database.update("payment_codes", { status }, "space_id = ? AND id = ?", [space, id]);`,
    ],
  ),
  // Names are compared with the collation of the database, which knows no accents.
  orderBug(
    "order-late12-name-that-differs-in-an-accent-alone-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ name: "Café" });
      return (await editCode({ name: "Cafe" })).result.name === "Cafe";
    },
    ...inCodeUpdate(
      `const plain = (name) => text(name).normalize("NFD").replace(/\\p{M}/gu, "");
      if (change.name !== undefined && plain(change.name) === plain(row.name)) delete change.name;`,
    ),
  ),
];
