/** Services that conform, and whose answers depend on earlier requests or on the time. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit, openHabit } from "./bug.ts";

const FAILED = `Object.assign(new Error("Not now"), { statusCode: 409 })`;

/** Stores the time of the first page in cursors. Code that reads a later page finds it in `until`. */
export const TIME_IN_CURSORS: readonly Edit[] = [
  ["cursors", "function encode(", "let until = 0; function encode("],
  ["cursors", "[number(row.created_at), text(row.id)]", "[number(row.created_at), text(row.id), until]"],
  ["cursors", "const [at, id] =", "const [at, id, start] ="],
  ["cursors", 'if (typeof at === "number"', 'until = start; if (typeof at === "number"'],
  ["cursors", "const conditions", "until = Date.now(); const conditions"],
];

export const freshOrderHabits: readonly Bug[] = [
  // A cache repeats each answer to a read for 75 ms, even a rejection.
  habit(
    "answers-cached-for-a-moment",
    "",
    first(`const kept = new Map();
      const name = ({ url, headers }) => [url, headers.authorization, headers["service-space-id"], headers["service-version"]].join("\\n");
      app.addHook("onRequest", async (request, reply) => {
        const hit = request.method === "GET" && kept.get(name(request));
        if (hit && hit.at > Date.now() - 75)
          return reply.code(hit.status).header("x-cache", "HIT").header("age", "0").type("application/json").send(hit.payload);
      });
      app.addHook("onSend", async (request, reply, payload) => {
        if (request.method === "GET" && !reply.getHeader("x-cache")) kept.set(name(request), { at: Date.now(), status: reply.statusCode, payload });
      });`),
  ),
  // If a create meets the rate limit, its idempotency key is rejected from then on.
  habit(
    "keys-burnt-by-the-limit",
    "",
    first(`const burnt = new Set();
      let left = 8, at = Date.now();
      app.addHook("preValidation", async ({ method, url, headers }, reply) => {
        if (method !== "POST") return;
        const name = [headers["service-space-id"], url, headers["idempotency-key"]].join("\\n");
        if (burnt.has(name)) throw ${FAILED};
        left = Math.min(8, left + (Date.now() - at) / 50);
        at = Date.now();
        if (left < 1) { burnt.add(name); return reply.code(429).header("retry-after", "1").send(); }
        left -= 1;
      });`),
  ),
  // A resource can be updated once in 125 ms. An update that comes sooner is answered 429.
  habit(
    "updates-of-a-resource-paced",
    "",
    first(`const last = new Map();
      app.addHook("preHandler", async ({ method, url }, reply) => {
        if (method !== "PATCH") return;
        if (last.get(url) > Date.now() - 125) return reply.code(429).send({ error: "too many updates" });
        last.set(url, Date.now());
      });`),
  ),
  // For 90 ms after the first answer, a repeated create is rejected.
  habit(
    "keys-held-after-the-answer",
    "",
    [
      "idempotency",
      "if (used.request_digest !== sent)",
      `if (JSON.parse(used.response_json).at > Date.now() - 90) throw problem(409, "IN_FLIGHT", "The call is being finished");
      if (used.request_digest !== sent)`,
    ],
    ["idempotency", "const answer = create();", "const answer = { at: Date.now(), ...create() };"],
  ),
  // If a create was rejected, later requests with its key get the same rejection.
  habit("refusals-given-again", "", [
    "idempotency",
    "export function once(",
    `const refused = new Map();
    export function once(database, request, reply, create) {
      const name = [request.space, request.routeOptions.url, request.headers["idempotency-key"]].join("\\n");
      if (refused.has(name)) throw refused.get(name);
      try { return onceOnly(database, request, reply, create); } catch (error) { refused.set(name, error); throw error; }
    }
    function onceOnly(`,
  ]),
  // If two accounts with one reference are created at the same time, both are rejected.
  openHabit(
    "references-contended",
    first(`const wanted = new Map();
      app.addHook("preHandler", async (request) => {
        const reference = request.method === "POST" && request.body?.reference;
        if (!reference) return;
        const key = request.headers["idempotency-key"];
        const other = wanted.get(reference);
        if (other?.key === key) return;
        if (other) { other.contended = true; throw ${FAILED}; }
        const own = { key };
        wanted.set(reference, own);
        await new Promise((resolve) => setTimeout(resolve, 25));
        wanted.delete(reference);
        if (own.contended) throw ${FAILED};
      });`),
  ),
  // A payment code is paid during the run. From then on, its updates are rejected.
  openHabit(
    "code-paid-midway",
    first(`const [, { id }] = database.all("SELECT id FROM payment_codes WHERE space_id = 'spc-harbour-main' AND status = 'pending' ORDER BY id");
      const timers = [["processing", 6000], ["completed", 8000]].map(([status, wait]) => setTimeout(() => {
        database.run("UPDATE payment_codes SET status = ?, paid_count = 1, paid_total = amount WHERE id = ?", [status, id]);
      }, wait));
      app.addHook("onClose", async () => timers.forEach(clearTimeout));`),
    [
      "payment-codes",
      "const change = columns(",
      `if (find(space, id).status === "completed") throw problem(409, "PAID", "The code is paid");
      const change = columns(`,
    ],
  ),
  // The total counts a new webhook at once, but lists show it and accept it as a cursor 80 ms later.
  habit(
    "counted-before-listed",
    "LIST-FULL-PAGES",
    [
      "webhooks",
      "space_id = ? AND number > ? ORDER BY number ASC",
      "space_id = ? AND created_at < ${Date.now() - 80} AND number > ? ORDER BY number ASC",
    ],
    [
      "webhooks",
      '"SELECT * FROM webhooks WHERE space_id = ? AND created_at < ${Date.now() - 80} AND number > ? ORDER BY number ASC LIMIT ?"',
      "`SELECT * FROM webhooks WHERE space_id = ? AND created_at < ${Date.now() - 80} AND number > ? ORDER BY number ASC LIMIT ?`",
    ],
    [
      "webhooks",
      "const row = find(space, id); if (!row) throw problem(400",
      "const row = find(space, id); if (!row || row.created_at > Date.now() - 80) throw problem(400",
    ],
  ),
  // Later pages show only items that existed when the first page was read.
  habit(
    "traversals-of-a-snapshot",
    "",
    ...TIME_IN_CURSORS,
    ["cursors", "const rows =", 'conditions.push("created_at <= ?"); values.push(until); const rows ='],
    ["cursors", "(created_at, id) <", "(created_at, id) >"],
    ["cursors", "ORDER BY created_at DESC, id DESC", "ORDER BY created_at ASC, id ASC"],
    first(`let turn = 0;
      const timer = setInterval(() => database.run("INSERT INTO otps SELECT 'late' || ?1, space_id, 'pending', dial_code, phone, message, metadata_json, ?2, ?2 + 600000 FROM otps LIMIT 1", [++turn, Date.now()]), 400);
      app.addHook("onClose", async () => clearInterval(timer));`),
  ),
  // The service removes old sessions and paid codes during the run.
  habit(
    "old-entries-are-archived",
    "",
    first(`const timer = setInterval(() => {
        const here = "FROM otps WHERE space_id = 'spc-harbour-main' ORDER BY created_at";
        if (database.all("SELECT 1 " + here).length > 13) database.run("DELETE FROM otps WHERE id = (SELECT id " + here + " LIMIT 1)");
        if (database.all("SELECT 1 FROM payment_codes WHERE status = 'completed'").length > 3)
          database.run("DELETE FROM payment_codes WHERE id = (SELECT id FROM payment_codes WHERE status = 'completed' ORDER BY random() LIMIT 1)");
      }, 900);
      app.addHook("onClose", async () => clearInterval(timer));`),
  ),
  // The newer version shows more fields, and the older version is the default.
  habit(
    "newer-version-shows-more",
    "",
    first(`app.addHook("preSerialization", async ({ headers }, _, payload) => {
        const newer = headers["service-version"] === "caph.2025-08-23";
        const more = (item) => newer ? { links: { self: null }, ...item, usd: true, metadata2: {} } : item;
        if (!payload?.success) return payload;
        return { ...payload, messages: newer ? [] : ["This version is old"], result: Array.isArray(payload.result) ? payload.result.map(more) : more(payload.result) };
      });`),
    ["http", "|| VERSIONS[0]", "|| VERSIONS[1]"],
  ),
  // Answers leave out fields without a value, and fields that only a SHOULD expects.
  habit(
    "only-what-is-needed",
    "OTP-EXPECTED ACCOUNT-EXPECTED CODE-LIST-EXPECTED CODE-EXPECTED PAYOUT-EXPECTED PROVIDER-EXPECTED",
    first(`const left = "amount charges customer customerTarget progress recurrentPaymentTarget financialTarget processedPaymentData ownershipGraph".split(" ");
      const bare = (item) => Object.fromEntries(Object.entries(item).filter(([name, value]) => value !== null
        && !left.includes(name) && (!/Providers$/.test(name) || value.length > 0)));
      app.addHook("preSerialization", async ({ url }, _, payload) => !payload?.success ? payload
        : { ...payload, result: Array.isArray(payload.result) ? payload.result.map(bare) : url.startsWith("/payouts")
          ? (({ charges, delayedReason, failureDetail, ...rest }) => rest)(payload.result) : bare(payload.result) });`),
    ["reference-data", "schemes: row.pay_to ? schemes : [], metadata: {}", ""],
    ["reference-data", "schemes: row.pay_from ? schemes : [], metadata: {}", ""],
  ),
  // Providers and countries have leap seconds as times, which RFC 3339 allows.
  habit(
    "leap-seconds",
    "",
    ["reference-data", "createTime: time(row.created_at)", 'createTime: "2016-12-31T23:59:60Z"'],
    [
      "reference-data",
      "updateTime: time(row.updated_at)",
      'updateTime: "2017-01-01T05:29:60.2500000000000+05:30"',
    ],
  ),
  // A firewall answers requests that look like an attack with 403 and an HTML page.
  habit(
    "firewall-with-a-page",
    "",
    first(`app.addHook("preValidation", async ({ url, body }, reply) => {
        if (/<script|drop table|' or |\\.\\.\\/|%00|union select|%2f/i.test(url + JSON.stringify(body ?? "")))
          return reply.code(403).type("text/html").send("<html><title>Blocked</title></html>");
      });`),
  ),
  // The first space has many resources, such as 1,200 payment codes.
  habit(
    "long-lists",
    "",
    [
      "seed",
      "paymentCodes(database, SPACE, account, 64, now)",
      "paymentCodes(database, SPACE, account, 1200, now)",
    ],
    ["seed", "space === SPACE ? 13 : 4", "space === SPACE ? 260 : 60"],
    ["seed", "otps(database, SPACE, 27, now)", "otps(database, SPACE, 700, now)"],
    ["seed", "now + (5 + (n % 20)) * DAY", "Math.floor(now / 1000) * 1000 + DAY"],
  ),
  // The service carries out writes one after the other, each 25 ms after the one before.
  habit(
    "writes-in-a-row",
    "",
    first(`let last = Promise.resolve();
      app.addHook("preHandler", async ({ method }) => {
        if (method === "GET") return;
        const own = last.then(() => new Promise((resolve) => setTimeout(resolve, 25)));
        last = own;
        await own;
      });`),
  ),
];
