/** Services that conform, with unusual lists: orders, cursors, totals, replicas. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit } from "./bug.ts";

/**
 * Orders the list of webhooks by `order`, which compares two rows, `a` and `b`. `seen` replaces a row or leaves
 * it out, and `next` makes a cursor of the last row.
 */
export function webhooksBy(order: string, { seen = "row", next = "text(row.id)" } = {}): Edit {
  return [
    "webhooks",
    "const place = (id",
    `{
      const all = database.all("SELECT * FROM webhooks WHERE space_id = ?", [space]).map((row) => ${seen})
        .filter(Boolean).sort((a, b) => ${order});
      const at = (cursor) => {
        const found = all.findIndex((row) => row.id === cursor || ${next} === cursor);
        if (found < 0) throw problem(400, "UNKNOWN_CURSOR", "No webhook of this space has the id");
        return found;
      };
      const end = query.after || !query.before ? all.length : at(query.before);
      const from = query.after ? at(query.after) + 1 : query.before ? Math.max(0, end - query.limit) : 0;
      const page = all.slice(from, Math.min(end, from + query.limit));
      const row = page.at(-1);
      return list(page.map(shown), { total: all.length, next: row && row !== all.at(-1) ? ${next} : null });
    }
    const place = (id`,
  ];
}

const compare = (a: string, b: string) => `(${a} < ${b} ? -1 : Number(${a} > ${b}))`;

/** Defines `seen`, which returns the earlier state of a row that changed less than `lag` milliseconds ago. */
const replica = (file: string, lag: string): Edit => [
  file,
  "const preHandler = inSpace(database);",
  `const preHandler = inSpace(database);
    const past = new Map();
    let reads = 0;
    const seen = (row, lag = ${lag}) => row && past.get(row.id)?.at > Date.now() - lag ? past.get(row.id).row : row;`,
];
const webhookWrites: Edit[] = [
  [
    "webhooks",
    'database.insert("webhooks", row);',
    'database.insert("webhooks", row); past.set(id, { at: Date.now(), row: undefined });',
  ],
  [
    "webhooks",
    'database.update("webhooks", columns(body),',
    'past.set(id, { at: Date.now(), row: find(space, id) }); database.update("webhooks", columns(body),',
  ],
];
const otherWrites = (file: string, find: string): Edit[] => [
  [file, find, `past.set(id, { at: Date.now(), row: find(space, id) }); ${find}`],
  [file, "find(space, params.id)", "seen(find(space, params.id))"],
];
const codeWrites = otherWrites("payment-codes", 'database.update("payment_codes", change,');
const payoutWrites = otherWrites("payouts", 'database.update("payouts", { metadata_json },');

export const freshListHabits: readonly Bug[] = [
  // Webhooks are in the order of their names, so an update of the name moves a webhook.
  habit("webhooks-by-name", "", webhooksBy(`${compare("a.name", "b.name")} || a.number - b.number`)),
  // The webhooks that were updated last come first.
  habit(
    "webhooks-by-last-change",
    "",
    webhooksBy("(changed.get(b.id) ?? 0) - (changed.get(a.id) ?? 0) || b.number - a.number"),
    [
      "webhooks",
      "const preHandler = inSpace(database);",
      "const preHandler = inSpace(database); const changed = new Map(); let changes = 0;",
    ],
    [
      "webhooks",
      'database.insert("webhooks", row);',
      'changed.set(id, ++changes); database.insert("webhooks", row);',
    ],
    [
      "webhooks",
      'database.update("webhooks", columns(body),',
      'changed.set(id, ++changes); database.update("webhooks", columns(body),',
    ],
  ),
  // Active webhooks come first. The others follow, and both groups are ordered by id.
  habit("active-webhooks-first", "", webhooksBy(`b.active - a.active || ${compare("a.id", "b.id")}`)),
  // Webhooks are ordered by the second of creation, then by id. Cursors are opaque, but ids work, too.
  habit(
    "newest-seconds-first",
    "",
    webhooksBy(
      `Math.floor(b.created_at / 1000) - Math.floor(a.created_at / 1000) || ${compare("a.id.slice(-9)", "b.id.slice(-9)")}`,
      { next: 'Buffer.from("page after " + row.id).toString("base64url")' },
    ),
    ["database", ".toISOString()", '.toISOString().replace(/\\.\\d+Z$/, ".0z").replace("T", "t")'],
  ),
  // Ids are as long as a cursor may be, and a URL must escape some of their characters.
  habit("identifiers-of-a-hundred-signs", "", [
    "webhooks",
    '`whk${randomBytes(9).toString("hex")}`',
    '("whk:é+=&%?#" + randomBytes(60).toString("base64")).replaceAll("/", "~").slice(0, 100)',
  ]),
  // Ids contain slashes, blanks and other special characters.
  habit(
    "identifiers-with-slashes",
    "",
    ["seed", '`PC${space === SPACE ? "M" : "B"}${String(10_000 + 37 * n)}`', "`PC/${space} é?#%2F:${n}`"],
    ["seed", "`${space.slice(-4)}-payout-${8100 + n}`", "`${space.slice(-4)}//payout/../${8100 + n}+;=`"],
    ["seed", "{ id: randomUUID(), code, kind", '{ id: `${kind}/${code}`, code: code.replace("_", "/"), kind'],
    ["seed", '["MTN_CM", "ORANGE_CM"]', '["MTN/CM", "ORANGE/CM"]'],
  ),
  // Ids are numbers, so an id may be the beginning of another id, as 2 of 23.
  habit(
    "identifiers-are-numbers",
    "",
    [
      "seed",
      '`PC${space === SPACE ? "M" : "B"}${String(10_000 + 37 * n)}`',
      "String((space === SPACE ? 0 : 100) + n + 1)",
    ],
    [
      "seed",
      "`${space.slice(-4)}-payout-${8100 + n}`",
      "String((space === SPACE ? 0 : 100) + ([23, 34][n] ?? n))",
    ],
    ["seed", "`whk${digest(`${space}${n}`).slice(0, 18)}`", "String((space === SPACE ? 0 : 100) + n + 1)"],
    ["webhooks", '`whk${randomBytes(9).toString("hex")}`', "String(made++)"],
    ["webhooks", "export const EVENTS", "let made = 200; export const EVENTS"],
    ["accounts", "id: randomUUID(),", "id: String(number(last) + 1),"],
    ["seed", '"NEXTTEL_CM"', '"MTN_C"'],
    ["seed", '"TELECEL_GH"', '"MTN_CM1"'],
    ["seed", '"SGC_CM"', '"AFRILAND_C"'],
  ),
  // A cursor is signed, and valid only for the same limit and filters.
  habit(
    "cursors-sealed-for-a-query",
    "",
    [
      "cursors",
      "function encode(",
      'let query = "", turn = 0; const salted = (text, salt) => digest(salt + text).slice(0, 12); function encode(',
    ],
    [
      "cursors",
      "JSON.stringify([number(row.created_at), text(row.id)])",
      "JSON.stringify([number(row.created_at), text(row.id), salted(query, String(++turn)), String(turn)])",
    ],
    ["cursors", "const [at, id] =", "const [at, id, seal, salt] ="],
    ["cursors", 'if (typeof at === "number"', 'if (seal === salted(query, salt) && typeof at === "number"'],
    ["cursors", "const conditions", "query = JSON.stringify([table, filters, limit]); const conditions"],
    ["cursors", "import { problem }", "import { digest, problem }"],
  ),
  // A cursor is valid only under the version of the request that returned it.
  habit(
    "cursors-of-a-version",
    "",
    first(`app.addHook("preHandler", async ({ query, headers }) => {
        const version = headers["service-version"] ?? "";
        if (query.after?.startsWith("v")) {
          if (!query.after.startsWith("v" + version + ".")) throw Object.assign(new Error("Cursor of another version"), { statusCode: 400 });
          query.after = query.after.slice(version.length + 2);
        }
      });
      app.addHook("preSerialization", async ({ headers, routeOptions }, _, payload) =>
        !payload?.pagination?.next || routeOptions.url === "/webhooks" ? payload
          : { ...payload, pagination: { ...payload.pagination, next: "v" + (headers["service-version"] ?? "") + "." + payload.pagination.next } });`),
  ),
  // Cursors are random, and valid for twelve seconds.
  habit(
    "cursors-remembered",
    "",
    ["cursors", "function encode(", "const places = new Map(); function encode("],
    [
      "cursors",
      'Buffer.from(JSON.stringify([number(row.created_at), text(row.id)])).toString("base64url")',
      '((key) => (places.set(key, [number(row.created_at), text(row.id), Date.now()]), key))("crs " + Math.random() + "+/é")',
    ],
    [
      "cursors",
      'JSON.parse(Buffer.from(cursor, "base64url").toString())',
      "(places.get(cursor)?.[2] > Date.now() - 12_000 ? places.get(cursor) : [])",
    ],
  ),
  // A cursor can be used only once, which breaks only a SHOULD.
  habit(
    "cursors-used-once",
    "CURSOR-REPEATABLE",
    ["cursors", "function encode(", "const places = new Map(); function encode("],
    [
      "cursors",
      'Buffer.from(JSON.stringify([number(row.created_at), text(row.id)])).toString("base64url")',
      '((key) => (places.set(key, [number(row.created_at), text(row.id)]), key))("once-" + Math.random())',
    ],
    [
      "cursors",
      'JSON.parse(Buffer.from(cursor, "base64url").toString())',
      "((place) => (places.delete(cursor), place))(places.get(cursor) ?? [])",
    ],
  ),
  // An empty list is `result: null`, the last page may be empty, and the oldest payment codes come first.
  habit(
    "null-pages-at-the-end",
    "",
    ["cursors", "rows.length > limit && last", "rows.length >= limit && last"],
    ["cursors", "(created_at, id) <", "(created_at, id) >"],
    ["cursors", "ORDER BY created_at DESC, id DESC", "ORDER BY created_at ASC, id ASC"],
    ["webhooks", "next: more ?", "next: rows.length === query.limit ?"],
    ["http", "result, pagination:", "result: result.length > 0 ? result : null, pagination:"],
  ),
  // `total` counts the webhooks from the page on, and a page before a cursor has no `next`.
  habit(
    "totals-of-the-rest",
    "",
    ["webhooks", "ORDER BY number DESC LIMIT ?", "ORDER BY number ASC LIMIT ?"],
    ["webhooks", ".reverse()", ".slice()"],
    [
      "webhooks",
      "return list(rows.map(shown), { total: number(total),",
      `const rest = all.filter((row) => !rows[0] || row.number >= rows[0].number).length;
      if (!query.after && query.before) return list(rows.map(shown), { total: rows.length, next: null });
      return list(rows.map(shown), { total: rest,`,
    ],
    [
      "webhooks",
      "const last = rows.at(-1);",
      'const all = database.all("SELECT number FROM webhooks WHERE space_id = ?", [space]); const last = rows.at(-1);',
    ],
  ),
  // Payment codes are in the order of their expiry, so an update moves a code.
  habit(
    "codes-by-expiry",
    "",
    [
      "cursors",
      "function encode(",
      'const by = (table) => (table === "payment_codes" ? "expires_at" : "created_at"); function encode(',
    ],
    ["cursors", "number(row.created_at)", "number(row.ussd_code ? row.expires_at : row.created_at)"],
    ["cursors", "(created_at, id) <", "(${by(table)}, id) >"],
    ["cursors", '"(${by(table)}, id) > (?, ?)"', "`(${by(table)}, id) > (?, ?)`"],
    ["cursors", "ORDER BY created_at DESC, id DESC", "ORDER BY ${by(table)} ASC, id ASC"],
  ),
  // Lists of webhooks come from three replicas by turns, which show writes after 0, 30 and 75 ms.
  habit(
    "webhooks-from-three-replicas",
    "",
    replica("webhooks", "[0, 30, 75][reads++ % 3]"),
    ...webhookWrites,
    webhooksBy("a.number - b.number", { seen: "seen(row, lag)" }),
    [
      "webhooks",
      "const all = database.all(",
      "const lag = [0, 30, 75][reads++ % 3]; const all = database.all(",
    ],
  ),
  // Single reads of payment codes and payouts show writes up to 80 ms late. Lists show them at once.
  habit(
    "single-reads-from-replicas",
    "",
    replica("payment-codes", "reads++ % 2 ? 80 : 40"),
    ...codeWrites,
    replica("payouts", "reads++ % 2 ? 80 : 0"),
    ...payoutWrites,
  ),
  // Filtered lists of payment codes show writes 75 ms late, as if their index was updated later.
  habit("filters-lag-behind", "", replica("payment-codes", "75"), codeWrites[0] as Edit, [
    "payment-codes",
    "const { ussd_code, mode, status } = query;",
    `const { ussd_code, mode, status } = query;
      if (ussd_code || mode || status) {
        const found = database.all("SELECT * FROM payment_codes WHERE space_id = ? ORDER BY created_at DESC, id DESC", [space])
          .map((row) => seen(row))
          .filter((row) => (!ussd_code || row.ussd_code === ussd_code) && (!mode || row.mode === mode) && (!status || row.status === status));
        const from = query.after ? found.findIndex(({ id }) => "f-" + id === query.after) + 1 : 0;
        if (query.after && from === 0) throw problem(400, "BAD_CURSOR", "No such page");
        const rows = found.slice(from, from + query.limit);
        return list(rows.map(listed), { next: from + query.limit < found.length ? "f-" + rows.at(-1).id : null });
      }`,
  ]),
  // A cursor is valid only with exactly the same parameters.
  habit(
    "cursors-of-the-raw-query",
    "",
    first(`const raw = ({ url }) => [...new URL(url, "http://x").searchParams].filter(([name]) => name !== "after").map(String).sort().join("&");
      const seal = (request) => Buffer.from(raw(request)).toString("hex").slice(-60);
      app.addHook("preHandler", async (request) => {
        const { query, routeOptions } = request;
        if (routeOptions.url === "/webhooks" || !query.after) return;
        const [given, ...rest] = query.after.split(".");
        if (given !== seal(request)) throw Object.assign(new Error("Cursor of another query"), { statusCode: 400 });
        query.after = rest.join(".");
      });
      app.addHook("preSerialization", async (request, _, payload) =>
        !payload?.pagination?.next || request.routeOptions.url === "/webhooks" ? payload
          : { ...payload, pagination: { ...payload.pagination, next: seal(request) + "." + payload.pagination.next } });`),
  ),
];
