/** A seventh set of late bugs of the other routes, for a sequence of calls. Their author did not know the suite. */

import { CODE_UPDATE, first, OTPS } from "./bug.ts";
import {
  BANKS,
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
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";
import { MERGED } from "./order-payouts.ts";

const BOTH = [PAYOUT, PAYOUT_UPDATE];
const WRITTEN = "if (metadata !== undefined) {";

export const late7OtherOrderBugs: readonly OrderBug[] = [
  // The next update writes a payout as the older version read it, without the reason for its delay.
  orderBug(
    "order-late7-update-after-an-older-read-loses-the-reason-of-the-delay",
    "UPDATE-KEEPS-REST UPDATE-KEEPS",
    BOTH,
    async ({ readPayout, editPayout }) => {
      const { delayedReason } = (await readPayout({ version: OLDER })).result;
      return (await editPayout({ note: "late" })).result.delayedReason === delayedReason;
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params, headers: given }) => {
        const row = find(space, params.id);
        memory.set(row.id, given["service-version"]);
        return single(shown(row));
      }`,
    ],
    [
      "payouts",
      WRITTEN,
      `if (metadata && memory.get(id) === "${OLDER}")
        database.update("payouts", { delayed_reason: null }, "id = ?", [id]);
      ${WRITTEN}`,
    ],
  ),
  // A payout takes twelve names of metadata in its life, and names that were removed count, too.
  orderBug(
    "order-late7-removed-metadata-names-of-a-payout-count",
    "UPDATE-ACCEPTED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => {
      await editPayout({ a: "1", b: "2", c: "3", d: "4", e: "5", f: "6" });
      await editPayout(null);
      const { status } = await editPayout({ g: "1", h: "2", i: "3", j: "4", k: "5", l: "6" });
      return status === 200;
    },
    remembering("payouts"),
    [
      "payouts",
      WRITTEN,
      `const names = memory.get(id) ?? new Set(Object.keys(JSON.parse(row.metadata_json)));
      memory.set(id, names);
      for (const name of Object.keys(metadata ?? {})) names.add(name);
      if (names.size > 12) throw problem(422, "TOO_MANY_NAMES", "The metadata has too many names");
      ${WRITTEN}`,
    ],
  ),
  // A metadata name of a payout that had a text has texts only: another value is written as one.
  orderBug(
    "order-late7-payout-name-that-had-a-text-has-texts-only",
    "UPDATE-ECHO UPDATE-STORED",
    BOTH,
    async ({ editPayout }) => {
      await editPayout({ till: "1" });
      const { metadata } = (await editPayout({ till: { number: 2 } })).result;
      return same((metadata as { till?: unknown }).till, { number: 2 });
    },
    [
      "payouts",
      MERGED,
      `const older = JSON.parse(row.metadata_json);
      const asText = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
      const typed = metadata && Object.fromEntries(Object.entries(metadata).map(([name, value]) =>
        [name, typeof older[name] === "string" && value !== null ? asText(value) : value]));
      const metadata_json = JSON.stringify(merged(older, typed));`,
    ],
  ),
  // A metadata name of a payout that null removed cannot be set again.
  orderBug(
    "order-late7-payout-name-removed-with-null-is-not-set-again",
    "UPDATE-ECHO UPDATE-STORED",
    BOTH,
    async ({ editPayout }) => {
      await editPayout({ till: null });
      const { metadata } = (await editPayout({ till: "2" })).result;
      return (metadata as { till?: unknown }).till === "2";
    },
    remembering("payouts"),
    [
      "payouts",
      MERGED,
      `const removed = memory.get(id) ?? new Set();
      memory.set(id, removed);
      const sent = Object.entries(metadata ?? {}).filter(([name]) => !removed.has(name));
      for (const [name, value] of sent) if (value === null) removed.add(name);
      ${MERGED.replace("metadata)", "metadata && Object.fromEntries(sent))")}`,
    ],
  ),
  // A payout that was read with its space is found by later calls without a space.
  orderBug(
    "order-late7-payout-read-once-brings-its-space",
    "SPACE-MISSING",
    BOTH,
    async ({ readPayout }) => {
      await readPayout();
      return (await readPayout({ space: null })).status >= 400;
    },
    first(
      `const spaces = new Map();
      app.addHook("onRequest", async ({ headers, url }) => {
        headers["service-space-id"] ??= spaces.get(url);
      });
      app.addHook("onSend", async ({ method, headers, url }, reply) => {
        if (method === "GET" && url.startsWith("/payouts/") && reply.statusCode === 200)
          spaces.set(url, headers["service-space-id"]);
      });`,
    ),
  ),
  // A country that has no momos is noted as one without providers, and its banks are no longer listed.
  orderBug(
    "order-late7-country-without-momos-loses-its-banks",
    "READ-STABLE READ-MATCHES-LIST VERSION-MEMBERS FILTER-COMPLETE",
    "GET /banks",
    async ({ get }) => {
      const { ids } = await get("/banks?country=TN");
      await get("/momos?country=TN");
      return same((await get("/banks?country=TN")).ids, ids);
    },
    [
      "reference-data",
      PROVIDERS,
      `const without = (database.without ??= new Set());
      if (rows.length === 0) without.add(query.country);
      if (without.has(query.country)) rows.length = 0;
      ${PROVIDERS}`,
    ],
  ),
  // Lists of banks and momos of a country that are asked for at the same moment are answered with one list.
  orderBug(
    "order-late7-banks-and-momos-asked-at-once-are-one-list",
    "READ-STABLE READ-MATCHES-LIST VERSION-MEMBERS PROVIDER-CODES-UNIQUE",
    ["GET /banks", "GET /momos"],
    async ({ get }) => {
      const { ids } = await get("/momos?country=CM");
      const [, momos] = await Promise.all([get("/banks?country=CM"), get("/momos?country=CM")]);
      return same(momos.ids, ids);
    },
    [
      "reference-data",
      'const rows = database.all("SELECT * FROM providers',
      'const ask = () => database.all("SELECT * FROM providers',
    ],
    [
      "reference-data",
      PROVIDERS,
      `const flights = (database.flights ??= new Map());
      const later = async () => { ${PAUSE} flights.delete(query.country); return ask(); };
      if (!flights.has(query.country)) flights.set(query.country, later());
      const rows = await flights.get(query.country);
      ${PROVIDERS}`,
    ],
  ),
  // A provider that is read after one at which accounts are verified shows that they are verified there, too.
  orderBug(
    "order-late7-verification-leaks-to-the-provider-read-next",
    "READ-MATCHES-LIST READ-STABLE VERSION-VALUES",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      await get("/momos/ORANGE_CM");
      const { featureSet } = (await get("/momos/MTN_CM")).result;
      return same((featureSet as { kycVerification?: unknown }).kycVerification, {
        canVerifyAccount: false,
        metadata: {},
      });
    },
    [
      "reference-data",
      PROVIDER,
      `const answer = shownProvider(row);
      if (database.canVerify) answer.featureSet.kycVerification.canVerifyAccount = true;
      database.canVerify = flag(row.verify);
      return single(answer);`,
    ],
  ),
  // A provider that is refused for a payment code is not active from then on.
  orderBug(
    "order-late7-provider-refused-for-a-code-is-inactive",
    "UPDATE-NO-EFFECT READ-STABLE READ-MATCHES-LIST",
    [CODE_UPDATE, ...BANKS],
    async ({ editCode, get }) => {
      const { status } = await editCode({ allowedProviders: ["AFRILAND_CM"] });
      return status >= 400 && same((await get("/banks/AFRILAND_CM")).result.status, { active: true });
    },
    [
      "payment-codes",
      "if (!provider)",
      'if (!provider) database.update("providers", { active: 0 }, "code = ?", [given]); if (!provider)',
    ],
  ),
  // A read of a provider that is not active gives it a new time of its last change.
  orderBug(
    "order-late7-read-of-an-inactive-provider-changes-its-update-time",
    "READ-STABLE READ-MATCHES-LIST",
    MOMOS,
    async ({ get }) => {
      const { updateTime } = (await get("/momos/NEXTTEL_CM")).result;
      return (await get("/momos/NEXTTEL_CM")).result.updateTime === updateTime;
    },
    [
      "reference-data",
      PROVIDER,
      `if (!row.active) database.update("providers", { updated_at: Date.now() }, "id = ?", [row.id]);
      ${PROVIDER}`,
    ],
  ),
  // Metadata is loaded for as many sessions of a page as the first list had.
  orderBug(
    "order-late7-metadata-is-loaded-for-as-many-sessions-as-the-first-list-had",
    "READ-STABLE LIST-LIMIT-DEFAULT VERSION-VALUES CURSOR-REPEATABLE",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=2");
      const { items } = await get(`/v1/ussd-otps?limit=2&after=${next}`);
      return same((await get("/v1/ussd-otps?limit=4")).items.slice(2), items);
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const batch = (database.batch ||= rows.length);
      const loaded = (row, at) => (at < batch ? shown(row) : { ...shown(row), metadata: null });
      return list(rows.map(loaded), { next });`,
    ],
  ),
];
