/** An eleventh set of late bugs of the other routes, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, CODE, CODE_UPDATE, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import {
  inCodeUpdate,
  LISTED_CODES,
  MOMOS,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDERS,
  READ_OF_PAYOUT,
  remembering,
  SESSIONS,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";
import { MERGED } from "./order-payouts.ts";

const BOTH = [PAYOUT, PAYOUT_UPDATE];
const OF_SPACES = [CODES, CODE, CODE_UPDATE, OTPS, HOOKS, HOOK, HOOK_UPDATE, ACCOUNT, ...BOTH];
const UNKNOWN_PROVIDER = 'if (!row) throw problem(404, "NOT_FOUND", `There is no such $' + "{kind}`);";

export const late11OtherOrderBugs: readonly OrderBug[] = [
  // The metadata is also kept by its values, and a value has one name, that which it had first.
  orderBug(
    "order-late11-payout-value-that-another-name-has-is-not-stored",
    "UPDATE-ECHO UPDATE-STORED",
    BOTH,
    async ({ editPayout }) => {
      await editPayout({ till: "same" });
      const { metadata } = (await editPayout({ shop: "same" })).result;
      return (metadata as { shop?: unknown }).shop === "same";
    },
    [
      "payouts",
      MERGED,
      `const seen = new Set();
      const first = Object.entries(merged(json(row.metadata_json, {}), metadata)).filter(([, value]) => {
        const isNew = !seen.has(value);
        seen.add(value);
        return isNew;
      });
      const metadata_json = JSON.stringify(Object.fromEntries(first));`,
    ],
  ),
  // The object of the payout that was read last is used again, and a reason that it has stays in it.
  orderBug(
    "order-late11-reason-of-a-delay-is-shown-with-the-payout-read-next",
    "READ-STABLE UPDATE-KEEPS UPDATE-KEEPS-REST",
    BOTH,
    async ({ get, otherPayout, readPayout }) => {
      const before = (await get(`/payouts/${otherPayout}`)).result;
      await readPayout();
      return same((await get(`/payouts/${otherPayout}`)).result, before);
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        const payout = shown(find(space, params.id));
        const { delayedReason } = memory.get("payout") ?? {};
        memory.set("payout", payout);
        return single({ ...(delayedReason && { delayedReason }), ...payout });
      }`,
    ],
  ),
  // Counts of pages behind a cursor are kept by their limit for all lists of a space.
  orderBug(
    "order-late11-count-of-a-page-of-codes-is-that-of-a-page-of-sessions",
    "LIST-COUNT",
    [CODES, OTPS],
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=20");
      await get(`/v1/ussd-otps?limit=20&after=${next}`);
      const first = await get("/v1/payment-codes?limit=20");
      const { count, ids } = await get(`/v1/payment-codes?limit=20&after=${first.next}`);
      return count === ids.length;
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `if (query.after) (database.counts ??= new Map()).set(space + query.limit, rows.length);
      return list(rows.map(shown), { next });`,
    ],
    [
      "payment-codes",
      LISTED_CODES,
      `const answer = list(rows.map(listed), { next });
      if (query.after) answer.pagination.count = database.counts?.get(space + query.limit) ?? rows.length;
      return answer;`,
    ],
  ),
  // A list leaves the active momos in a cache for the next list of the country, which uses the cache up.
  orderBug(
    "order-late11-second-list-of-momos-leaves-out-the-inactive-ones",
    "READ-STABLE FILTER-COMPLETE READ-MATCHES-LIST VERSION-MEMBERS LIST-SHOWS-ALL",
    MOMOS,
    async ({ get }) => {
      const path = "/momos?country=CM";
      const { ids } = await get(path);
      return same((await get(path)).ids, ids);
    },
    [
      "reference-data",
      PROVIDERS,
      `const kept = (database.kept ??= new Map());
      const place = [kind, query.country.toUpperCase()].join(" ");
      const active = kept.get(place);
      if (kept.delete(place)) return list(active.map(shownProvider), { total: active.length, next: null });
      if (kind === "momo") kept.set(place, rows.filter((row) => row.active));
      ${PROVIDERS}`,
    ],
  ),
  // A request without a space is for the space that its token used last.
  orderBug(
    "order-late11-missing-space-is-the-one-that-the-token-used-last",
    "SPACE-MISSING",
    OF_SPACES,
    async ({ get }) => {
      await get("/v1/ussd-otps");
      return (await get("/v1/ussd-otps", { space: null })).status >= 400;
    },
    [
      "http",
      "request.tenant = text(known.tenant);",
      `request.tenant = text(known.tenant);
      const spaces = (database.spaces ??= new Map());
      const given = request.headers["service-space-id"];
      if (given) spaces.set(token, given);
      else if (spaces.has(token)) request.headers["service-space-id"] = spaces.get(token);`,
    ],
  ),
  // Updates of payouts and of codes put their metadata into one buffer while they wait.
  orderBug(
    "order-late11-payout-updated-beside-a-code-has-its-metadata",
    "UPDATE-ECHO UPDATE-STORED",
    [...BOTH, CODE_UPDATE, CODE],
    async ({ editPayout, editCode }) => {
      const [payout] = await Promise.all([editPayout({ till: "1" }), editCode({ metadata: { till: "2" } })]);
      return (payout.result.metadata as { till?: unknown }).till === "1";
    },
    [
      "payouts",
      "const row = find(space, id);",
      `const row = find(space, id);
      database.buffer = metadata;
      ${PAUSE}
      if (metadata && database.buffer) metadata = database.buffer;`,
    ],
    ...inCodeUpdate("if (sent.metadata) database.buffer = sent.metadata;"),
  ),
  // Payouts and codes have one table of attributes, in which each pair of name and value is once in a space.
  orderBug(
    "order-late11-metadata-that-a-code-has-is-not-stored-for-a-payout",
    "UPDATE-ECHO UPDATE-STORED",
    [...BOTH, CODE_UPDATE],
    async ({ editCode, editPayout }) => {
      await editCode({ metadata: { till: "1" } });
      const { metadata } = (await editPayout({ till: "1" })).result;
      return (metadata as { till?: unknown }).till === "1";
    },
    ...inCodeUpdate(
      `for (const pair of Object.entries(sent.metadata ?? {}))
        (database.pairs ??= new Set()).add(JSON.stringify([space, ...pair]));`,
    ),
    [
      "payouts",
      MERGED,
      `const isFree = (pair) => !database.pairs?.has(JSON.stringify([space, ...pair]));
      const free = metadata && Object.fromEntries(Object.entries(metadata).filter(isFree));
      ${MERGED.replace("), metadata)", "), free)")}`,
    ],
  ),
  // A cursor of sessions is a place in a log, in which each new account takes a place too.
  orderBug(
    "order-late11-account-made-between-two-pages-of-sessions-skips-a-session",
    "CURSOR-COMPLETE CURSOR-ONCE CURSOR-END",
    OTPS,
    async ({ get, account }) => {
      const { ids } = await get("/v1/ussd-otps?limit=6");
      const { next } = await get("/v1/ussd-otps?limit=3");
      await account();
      return same((await get(`/v1/ussd-otps?limit=3&after=${next}`)).ids, ids.slice(3));
    },
    [
      "otps",
      SESSIONS,
      `const made = () => Number(database.first("SELECT count(*) AS n FROM accounts").n);
      const all = database.all("SELECT * FROM otps WHERE space_id = ? ORDER BY created_at DESC, id DESC", [space]);
      const [place, then] = /^log-/.test(query.after ?? "") ? query.after.slice(4).split("-").map(Number) : [];
      if (query.after && place === undefined) page(database, "otps", { space_id: space }, query);
      const from = place === undefined ? 0 : place + made() - then;
      const rows = all.slice(from, from + query.limit);
      const next = from + query.limit < all.length ? ["log", from + query.limit, made()].join("-") : null;`,
    ],
  ),
  // A momo that the last code gives up is unloaded, and a single read does not load it again.
  orderBug(
    "order-late11-momo-that-a-code-gives-up-can-not-be-read",
    "READ-ACCEPTED READ-MATCHES-LIST",
    [...MOMOS, CODE_UPDATE],
    async ({ editCode, get }) => {
      await editCode({ allowedProviders: ["MTN_CM"] });
      await editCode({ allowedProviders: ["ORANGE_CM"] });
      return (await get("/momos/MTN_CM")).status === 200;
    },
    ...inCodeUpdate(
      "",
      `const unloaded = (database.unloaded ??= new Set());
      if (change.providers_json) {
        for (const code of json(row.providers_json, [])) unloaded.add(code);
        for (const code of json(change.providers_json, [])) unloaded.delete(code);
      }`,
    ),
    [
      "reference-data",
      UNKNOWN_PROVIDER,
      `if (!row || database.unloaded?.has(row.code)) throw problem(404, "NOT_FOUND", "There is no such " + kind);`,
    ],
  ),
  // The mark that nothing was found stays for the next list of the space, which counts nothing.
  orderBug(
    "order-late11-list-of-codes-after-an-empty-one-counts-nothing",
    "LIST-COUNT",
    CODES,
    async ({ get }) => {
      await get("/v1/payment-codes?ussd_code=nothing");
      const { count, ids } = await get("/v1/payment-codes");
      return count === ids.length;
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      LISTED_CODES,
      `const answer = list(rows.map(listed), { next });
      if (memory.delete(space)) answer.pagination.count = 0;
      if (rows.length === 0) memory.set(space);
      return answer;`,
    ],
  ),
];
