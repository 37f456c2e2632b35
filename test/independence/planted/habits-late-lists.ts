/** Services that conform, with unusual lists: totals, page sizes, orders that move, cursors that are lost. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit } from "./bug.ts";
import { TIME_IN_CURSORS } from "./habits-fresh-order.ts";
import { every } from "./habits-fresh-others.ts";

/** Lists a table in the order of `column` and not of creation: descending for `<`, ascending for `>`. */
const ordered = (table: string, column: string, sign: "<" | ">"): Edit[] => [
  [
    "cursors",
    "function encode(",
    `const by = (table) => (table === "${table}" ? "${column}" : "created_at"); function encode(`,
  ],
  [
    "cursors",
    "number(row.created_at)",
    `number(${table === "otps" ? "row.dial_code" : "row.ussd_code"} ? row.${column} : row.created_at)`,
  ],
  ["cursors", "(created_at, id) <", `(\${by(table)}, id) ${sign}`],
  ["cursors", `"(\${by(table)}, id) ${sign} (?, ?)"`, `\`(\${by(table)}, id) ${sign} (?, ?)\``],
  [
    "cursors",
    "ORDER BY created_at DESC, id DESC",
    sign === "<" ? "ORDER BY ${by(table)} DESC, id DESC" : "ORDER BY ${by(table)} ASC, id ASC",
  ],
];

const pageOfTwo = (shown: string): Edit => [
  "reference-data",
  `return list(rows.map(${shown}), { total: rows.length, next: null });`,
  `const from = Number(/^p(\\d+)$/.exec(query.after ?? "")?.[1] ?? 0);
      return list(rows.slice(from, from + 2).map(${shown}), { total: rows.length, next: from + 2 < rows.length ? "p" + (from + 2) : null });`,
];

export const listHabits: readonly Bug[] = [
  // The total of webhooks is up to 75 ms old, which the consistency timeout allows.
  habit(
    "totals-from-a-cache",
    "",
    [
      "webhooks",
      "const preHandler = inSpace(database);",
      "const preHandler = inSpace(database); const totals = new Map();",
    ],
    [
      "webhooks",
      "return list(rows.map(shown), { total: number(total),",
      `if (!(totals.get(space)?.at > Date.now() - 75)) totals.set(space, { at: Date.now(), total: number(total) });
      return list(rows.map(shown), { total: Math.max(rows.length, totals.get(space).total),`,
    ],
  ),
  // A page has at most seven items, even if its limit is higher.
  habit(
    "pages-of-at-most-seven",
    "LIST-FULL-PAGES",
    ["cursors", "{ limit, after }", "{ limit: wanted, after }"],
    ["cursors", "const conditions", "const limit = Math.min(7, wanted); const conditions"],
    ["webhooks", "const place = (id", "query.limit = Math.min(7, query.limit); const place = (id"],
  ),
  // Lists of providers and countries have pages of two items. The specification leaves this open.
  habit("reference-lists-in-pages", "", pageOfTwo("shownProvider"), pageOfTwo("shownCountry"), [
    "reference-data",
    "headers: headers() } }, async () => {",
    "headers: headers() } }, async ({ query }) => {",
  ]),
  // The session that was used last comes first, so that the list changes while it is read.
  habit(
    "sessions-by-last-activity",
    "",
    ...ordered("otps", "seen", "<"),
    [
      "tables",
      "phone TEXT NOT NULL, message TEXT,",
      "phone TEXT NOT NULL, seen INTEGER DEFAULT 0, message TEXT,",
    ],
    every(
      350,
      'database.run("UPDATE otps SET seen = ? WHERE id = (SELECT id FROM otps WHERE space_id = ? ORDER BY random() LIMIT 1)", [Date.now(), here]);',
    ),
  ),
  // The code that was changed last comes last, and another client changes codes while the list is read.
  habit(
    "codes-oldest-change-first",
    "",
    ...ordered("payment_codes", "updated_at", ">"),
    every(
      350,
      `database.run("UPDATE payment_codes SET updated_at = ?, name = name || '.' WHERE id = (SELECT id FROM payment_codes WHERE space_id = ? AND status = 'completed' ORDER BY random() LIMIT 1)", [Date.now(), here]);`,
    ),
  ),
  // Lists of codes and sessions have an undocumented total, which is only an estimate.
  habit(
    "estimated-totals-where-none-is-due",
    "",
    [
      "payment-codes",
      "return list(rows.map(listed), { next });",
      "return list(rows.map(listed), { next, total: 40 + (Math.floor(Date.now() / 3000) % 3) });",
    ],
    ["otps", "return list(rows.map(shown), { next });", "return list(rows.map(shown), { next, total: 3 });"],
  ),
  // The service restarts during the run: it answers 503 for 0.4 s, and then knows no earlier cursor.
  habit(
    "restarts-lose-cursors",
    "",
    [
      "cursors",
      "function encode(",
      "const places = new Map(), began = Date.now(); let isForgotten = false; function encode(",
    ],
    [
      "cursors",
      'Buffer.from(JSON.stringify([number(row.created_at), text(row.id)])).toString("base64url")',
      '((key) => (places.set(key, [number(row.created_at), text(row.id)]), key))("c" + Math.random())',
    ],
    ["cursors", 'JSON.parse(Buffer.from(cursor, "base64url").toString())', "places.get(cursor) ?? []"],
    [
      "cursors",
      "const conditions",
      "if (!isForgotten && Date.now() > began + 3000) { isForgotten = true; places.clear(); } const conditions",
    ],
    first(`const began = Date.now();
      app.addHook("onRequest", async (_, reply) => {
        if (Date.now() > began + 3000 && Date.now() < began + 3400)
          return reply.code(503).header("retry-after", "1").header("connection", "close").send();
      });`),
  ),
  // Reads of an unknown space find nothing but are not rejected, which breaks only a SHOULD.
  habit("unknown-spaces-look-empty", "SPACE-UNKNOWN", [
    "http",
    "if (!own)",
    'if (!own && request.method === "GET") { request.space = "none"; return; } if (!own)',
  ]),
  // A cursor is valid only in the space, and under the version, of the request that returned it.
  habit(
    "cursors-of-space-and-version",
    "",
    first(`const seal = ({ headers }) => Buffer.from(headers["service-space-id"] + (headers["service-version"] ?? "")).toString("hex");
      app.addHook("preHandler", async (request) => {
        const { query, routeOptions } = request;
        if (routeOptions.url === "/webhooks" || !query.after) return;
        const [given, ...rest] = query.after.split(".");
        if (given !== seal(request)) throw Object.assign(new Error("Cursor of another space"), { statusCode: 409 });
        query.after = rest.join(".");
      });
      app.addHook("preSerialization", async (request, _, payload) =>
        !payload?.pagination?.next || request.routeOptions.url === "/webhooks" ? payload
          : { ...payload, pagination: { ...payload.pagination, next: seal(request) + "." + payload.pagination.next } });`),
  ),
  // The list of accounts leaves out accounts without money. The specification does not document this list.
  habit("empty-accounts-unlisted", "", [
    "accounts",
    "return list(rows.map(shown), { next });",
    "return list(rows.filter((row) => row.available > 0).map(shown), { next });",
  ]),
  // Later pages show payment codes with the values that they had when the first page was read.
  habit(
    "later-pages-of-a-snapshot",
    "",
    ...TIME_IN_CURSORS,
    ["cursors", "return { rows:", "return { until, rows:"],
    ["payment-codes", "const { rows, next } =", "const { rows, next, until } ="],
    [
      "payment-codes",
      "rows.map(listed)",
      "rows.map((row) => listed(past.get(row.id)?.find(({ at }) => at >= until)?.row ?? row))",
    ],
    [
      "payment-codes",
      "const preHandler = inSpace(database);",
      "const preHandler = inSpace(database); const past = new Map();",
    ],
    [
      "payment-codes",
      'database.update("payment_codes", change,',
      'past.set(id, [...(past.get(id) ?? []), { at: Date.now(), row: find(space, id) }]); database.update("payment_codes", change,',
    ],
  ),
];
