/** Bugs of lists that only a sequence of calls shows: of filters, of cursors and of state between pages. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { CODE, CODE_UPDATE, CODES, type Edit, HOOKS, OTPS } from "./bug.ts";
import {
  type Api,
  inCodeUpdate,
  LISTED_CODES,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  remembering,
  same,
} from "./order.ts";

const FILTERS = "const filters = { space_id: space, ussd_code: ussd_code || null, mode, status };";

/** Inserts statements before a page is read. They may use `asked`, the requested limit, and must set `limit`. */
const beforePage = (statements: string): Edit[] => [
  ["cursors", "{ limit, after }", "{ limit: asked, after }"],
  ["cursors", "const conditions", `${statements} const conditions`],
];

const codes = (query = "") => `/v1/payment-codes?limit=50${query}`;
const pagesAgree = async ({ walk }: Api, path: string) => {
  const wide = await walk(`${path}?limit=9`);
  return same(await walk(`${path}?limit=3`), wide);
};

export const listOrderBugs: readonly OrderBug[] = [
  orderBug(
    "status-pages-kept",
    "FILTER-SOUND FILTER-COMPLETE",
    CODES,
    async ({ get, cancel }) => {
      await get(codes("&status=pending"));
      await cancel();
      return (await get(codes("&status=pending"))).items.every(({ status }) => status === "pending");
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `${PAGE_OF_CODES} if (status) { const name = space + JSON.stringify(query); const ids = memory.get(name) ?? rows.map(({ id }) => id);
        memory.set(name, ids); rows.splice(0, rows.length, ...ids.map((id) => find(space, id))); }`,
    ],
  ),
  orderBug(
    "status-kept-for-the-next-list",
    "LIST-SHOWS-ALL FILTER-COMPLETE READ-STABLE LIST-LIMIT-DEFAULT CURSOR-COMPLETE LIST-ORDER",
    CODES,
    async ({ get }) => {
      const { ids } = await get(codes());
      await get(codes("&status=completed"));
      return same((await get(codes())).ids, ids);
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      "const { ussd_code, mode, status } = query;",
      `const { ussd_code, mode } = query; const status = query.status ?? (query.after ? null : memory.get(space));
      memory.set(space, query.status ?? null);`,
    ],
  ),
  orderBug(
    "nothing-found-is-remembered",
    "FILTER-COMPLETE",
    CODES,
    async ({ get, cancel, cancellable }) => {
      const { ussdCode } = (await get(`/payment-codes/${cancellable}`)).result;
      const path = codes(`&status=cancelled&ussd_code=${encodeURIComponent(String(ussdCode))}`);
      await get(path);
      await cancel();
      return (await get(path)).ids.includes(cancellable);
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `${PAGE_OF_CODES} const name = JSON.stringify(filters); if (rows.length === 0 && !query.after) memory.set(name, true);
      if (memory.has(name)) return list([], { next: null });`,
    ],
  ),
  orderBug(
    "kept-pages-of-a-mode-ignore-status",
    "FILTER-SOUND FILTER-COMPLETE CURSOR-FILTERED",
    CODES,
    async ({ get }) => {
      await get(codes("&mode=recurrent"));
      const { items } = await get(codes("&mode=recurrent&status=completed"));
      return items.every(({ status }) => status === "completed");
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      LISTED_CODES,
      `const name = [space, mode, query.limit, query.after].join(); const kept = memory.get(name) ?? { ids: rows.map(({ id }) => id), next };
      if (!mode) return list(rows.map(listed), { next }); memory.set(name, kept);
      return list(kept.ids.map((id) => listed(find(space, id))), { next: kept.next });`,
    ],
  ),
  orderBug(
    "one-traversal-a-space",
    "CURSOR-FILTERED FILTER-SOUND CURSOR-COMPLETE CURSOR-ONCE READ-STABLE",
    CODES,
    async ({ get }) => {
      const { next } = await get("/v1/payment-codes?limit=5&status=pending");
      await get("/v1/payment-codes?limit=5&status=completed");
      const { items } = await get(`/v1/payment-codes?limit=5&status=pending&after=${next}`);
      return items.length > 0 && items.every(({ status }) => status === "pending");
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      FILTERS,
      `${FILTERS.replace("filters", "own")} if (!query.after) memory.set(space, own); const filters = memory.get(space) ?? own;`,
    ],
  ),
  orderBug(
    "reactivated-codes-have-no-mode",
    "FILTER-COMPLETE",
    CODES,
    async ({ editCode, walk, mutable, readCode }) => {
      await editCode({ isActive: false });
      await editCode({ isActive: true });
      const { mode } = (await readCode()).result;
      return (await walk(codes(`&mode=${mode === "oneTime" ? "one_time" : "recurrent"}`))).includes(mutable);
    },
    [
      "payment-codes",
      "rows.map(listed)",
      "rows.filter((row) => !mode || memory.get(row.id) !== 2).map(listed)",
    ],
    ...inCodeUpdate(
      "if (change.enabled === 0) memory.set(id, 1); if (change.enabled === 1 && memory.has(id)) memory.set(id, 2);",
    ),
  ),
  orderBug(
    "shorter-page-cut-from-a-longer-one",
    "CURSOR-COMPLETE CURSOR-FILTERED LIST-ORDER",
    [CODES, OTPS],
    (api) => pagesAgree(api, "/v1/ussd-otps"),
    ...beforePage(
      `const widths = (database.widths ??= new Map()); const name = table + JSON.stringify([filters, after]);
      const limit = Math.max(asked, widths.get(name) ?? 0); widths.set(name, limit);`,
    ),
    ["cursors", "rows: rows.slice(0, limit)", "rows: rows.slice(0, asked)"],
  ),
  orderBug(
    "pages-behind-a-cursor-keep-their-length",
    "LIST-LIMIT-RESPECTED LIST-FULL-PAGES",
    [CODES, OTPS],
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=5");
      await get(`/v1/ussd-otps?limit=9&after=${next}`);
      return (await get(`/v1/ussd-otps?limit=5&after=${next}`)).ids.length === 5;
    },
    ...beforePage(
      `const widths = (database.widths ??= new Map()); const name = table + after; const limit = (after && widths.get(name)) || asked;
      if (after) widths.set(name, limit);`,
    ),
  ),
  orderBug(
    "pages-behind-a-cursor-kept",
    "SHAPES-AGREE UPDATE-STORED",
    [CODES, CODE, CODE_UPDATE],
    async ({ get, editCode, mutable }) => {
      const { next } = await get(codes());
      await get(codes(`&after=${next}`));
      await editCode({ name: "Renamed" });
      const { items } = await get(codes(`&after=${next}`));
      return items.find(({ id }) => id === mutable)?.name === "Renamed";
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      LISTED_CODES,
      `const name = space + JSON.stringify(query); const answer = memory.get(name) ?? list(rows.map(listed), { next });
      if (query.after) memory.set(name, answer); return answer;`,
    ],
  ),
  orderBug(
    "cursor-used-up",
    "CURSOR-REPEATABLE CURSOR-ACCEPTED",
    [CODES, OTPS],
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=5");
      await get(`/v1/ussd-otps?limit=5&after=${next}`);
      return (await get(`/v1/ussd-otps?limit=5&after=${next}`)).status === 200;
    },
    [
      "cursors",
      "const conditions",
      `const used = (database.used ??= new Set()); const name = table + after;
      if (after && used.has(name)) throw problem(400, "BAD_CURSOR", "The cursor was used"); used.add(name); const conditions`,
    ],
  ),
  orderBug(
    "limit-of-the-list-before-is-the-default",
    "LIST-LIMIT-DEFAULT",
    OTPS,
    async ({ get }) => {
      await get("/v1/ussd-otps?limit=3");
      return (await get("/v1/ussd-otps")).ids.length === 10;
    },
    [
      "otps",
      "async ({ space, query }) => {",
      `async ({ space, query, url }) => { const limits = (database.limits ??= new Map());
      if (/[?&]limit=/.test(url)) limits.set(space, query.limit); else query.limit = limits.get(space) ?? query.limit;`,
    ],
  ),
  orderBug(
    "refused-limit-becomes-the-default",
    "LIST-LIMIT-DEFAULT",
    HOOKS,
    async ({ get }) => {
      await get("/webhooks?limit=51");
      return (await get("/webhooks")).ids.length === 10;
    },
    remembering("webhooks"),
    [
      "webhooks",
      "querystring }, preHandler",
      `querystring }, preValidation: async ({ query }) => { if (Number(query.limit) > 50) memory.set("limit", 50);
        else if (query.limit === undefined && memory.has("limit")) { query.limit = "50"; memory.delete("limit"); } }, preHandler`,
    ],
  ),
  orderBug(
    "direction-kept-from-the-list-before",
    "ITEM-CURSOR-PRECEDENCE READ-STABLE",
    HOOKS,
    async ({ get }) => {
      const { ids } = await get("/webhooks?limit=10");
      const [a, b, c, , , , d] = ids;
      await get(`/webhooks?before=${d}&limit=2`);
      return same((await get(`/webhooks?after=${a}&before=${d}&limit=2`)).ids, [b, c]);
    },
    remembering("webhooks"),
    [
      "webhooks",
      "query.after || !query.before",
      "(query.after && !(query.before && memory.get(space))) || !query.before",
    ],
    [
      "webhooks",
      "const last = rows.at(-1);",
      "if (!(query.after && query.before)) memory.set(space, Boolean(query.before)); const last = rows.at(-1);",
    ],
  ),
  orderBug(
    "list-read-to-its-end-has-no-next",
    "CURSOR-COMPLETE CURSOR-END",
    [CODES, OTPS],
    (api) => pagesAgree(api, "/v1/ussd-otps"),
    [
      "cursors",
      "const last = rows[limit - 1];",
      `const ends = (database.ends ??= new Set()); const name = table + JSON.stringify(filters); const ended = ends.has(name);
      if (after && rows.length <= limit) ends.add(name); const last = rows[limit - 1];`,
    ],
    ["cursors", "next: rows.length > limit && last", "next: !ended && rows.length > limit && last"],
  ),
  orderBug(
    "provider-unknown-for-all-kinds",
    "READ-ACCEPTED READ-STABLE READ-MATCHES-LIST",
    ["GET /banks/{idOrCode}", "GET /momos/{idOrCode}"],
    async ({ get }) => {
      await get("/banks/MTN_CM");
      return (await get("/momos/MTN_CM")).status === 200;
    },
    [
      "reference-data",
      'if (!row) throw problem(404, "NOT_FOUND", `There is no such ${kind}`);',
      `const unknown = (database.unknown ??= new Set()); if (!row) unknown.add(idOrCode);
      if (unknown.has(idOrCode)) throw problem(404, "NOT_FOUND", "There is no such provider");`,
    ],
  ),
  orderBug(
    "third-listing-without-messages-of-sessions",
    "READ-STABLE OTP-EXPECTED",
    OTPS,
    async ({ get }) => {
      const { items } = await get("/v1/ussd-otps?limit=10");
      await get("/v1/ussd-otps?limit=10");
      return same((await get("/v1/ussd-otps?limit=10")).items, items);
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const reads = (database.reads ??= new Map()); const name = space + JSON.stringify(query); reads.set(name, (reads.get(name) ?? 0) + 1);
      return list(rows.map((row) => ({ ...shown(row), ...(reads.get(name) > 2 && { verificationMessage: null }) })), { next });`,
    ],
  ),
  orderBug(
    "wrong-country-empties-the-next-list",
    "FILTER-COMPLETE READ-STABLE READ-MATCHES-LIST LIST-TOTAL",
    ["GET /banks", "GET /momos", "GET /banks/{idOrCode}", "GET /momos/{idOrCode}"],
    async ({ get }) => {
      await get("/banks?country=CMR");
      return (await get("/banks?country=CM")).ids.length > 0;
    },
    [
      "reference-data",
      "{ schema: { headers: headers(), querystring } }",
      "{ schema: { headers: headers(), querystring }, onError: async (_, __, error) => { if (error.validation) database.wrong = kind; } }",
    ],
    [
      "reference-data",
      "return list(rows.map(shownProvider), { total: rows.length, next: null });",
      `if (database.wrong === kind) { database.wrong = ""; return list([], { total: 0, next: null }); }
      return list(rows.map(shownProvider), { total: rows.length, next: null });`,
    ],
  ),
];
