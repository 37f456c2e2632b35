/** Services that conform, with unusual cursors, pages, totals and lists. */

import { first } from "./bug.ts";
import { webhooksBy } from "./habits-fresh-lists.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { open } from "./habits-late3-shown.ts";
import { late4Habit, within } from "./habits-late4-shown.ts";

const CODES = "/v1/payment-codes";

export const listHabits: readonly ShownHabit[] = [
  // Cursors are encrypted, and differ each time: the cursor to a page may be spelled differently.
  late4Habit(
    "cursors-encrypted-anew",
    "",
    async ({ get }) => {
      const next = async () => (await get(`${CODES}?limit=5`)).next;
      const before = await next();
      return (await next()) !== before;
    },
    [
      "cursors",
      "function encode(",
      `const { createCipheriv, createDecipheriv, randomBytes } = process.getBuiltinModule("node:crypto");
      const key = randomBytes(32);
      const sealed = (plain) => {
        const iv = randomBytes(12);
        const cipher = createCipheriv("aes-256-gcm", key, iv);
        const body = Buffer.concat([cipher.update(plain), cipher.final()]);
        return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
      };
      const opened = (cursor) => {
        const bytes = Buffer.from(cursor, "base64url");
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
      };
      function encode(`,
    ],
    [
      "cursors",
      'Buffer.from(JSON.stringify([number(row.created_at), text(row.id)])).toString("base64url")',
      "sealed(JSON.stringify([number(row.created_at), text(row.id)]))",
    ],
    ["cursors", 'Buffer.from(cursor, "base64url").toString()', "opened(cursor)"],
  ),
  // A cursor is the number of items before its page: the specification leaves the content of cursors open.
  late4Habit(
    "cursors-are-offsets",
    "",
    async ({ get }) => (await get(`${CODES}?limit=5`)).next === "5",
    [
      "cursors",
      "const conditions",
      `if (after && !/^[0-9]{1,9}$/.test(after))
        throw problem(400, "BAD_CURSOR", "querystring/after is not a cursor of this list");
      const offset = Number(after || 0);
      const conditions`,
    ],
    ["cursors", "if (after) {", "if (after && offset < 0) {"],
    ["cursors", "LIMIT ?`", "LIMIT ? OFFSET ?`"],
    ["cursors", "[...values, limit + 1]", "[...values, limit + 1, offset]"],
    ["cursors", "encode(last)", "String(offset + limit)"],
  ),
  // The length of a page depends on its cursor, and a cursor always has the same page: full pages are a SHOULD.
  late4Habit(
    "pages-of-uneven-length",
    "LIST-FULL-PAGES",
    async ({ get }) => (await get(`${CODES}?limit=50`)).ids.length < 50,
    ["cursors", "{ limit, after }", "{ limit: given, after }"],
    [
      "cursors",
      "const conditions",
      `const limit = 1 + ([...(after ?? "")].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 1009, 7) % given);
      const conditions`,
    ],
  ),
  // A page of webhooks ends when it has 1,500 characters: full pages are a SHOULD.
  late4Habit(
    "pages-of-so-many-characters",
    "LIST-FULL-PAGES",
    async ({ get }) => {
      const { ids, next } = await get("/webhooks?limit=50");
      return ids.length < 10 && next !== null;
    },
    [
      "webhooks",
      "const last = rows.at(-1);",
      `let length = 0;
      const fit = rows.findIndex((row, n) => (length += JSON.stringify(shown(row)).length) > 1500 && n > 0);
      if (fit > 0) rows.splice(fit);
      const last = rows.at(-1);`,
    ],
  ),
  // The total is the number of webhooks on the page: it is not below count, and that it is exact is a SHOULD.
  late4Habit(
    "totals-of-the-page",
    "LIST-TOTAL-EXACT",
    async ({ get }) => (await get("/webhooks?limit=2")).total === 2,
    ["webhooks", "total: number(total),", "total: rows.length,"],
  ),
  // The list of webhooks turns around during the run: the order is not stated, and a list may change.
  late4Habit(
    "webhooks-turn-around-midway",
    "",
    async ({ get }) => {
      const start = async () => (await get("/webhooks?limit=1")).ids[0];
      const before = await start();
      return within(6500, async () => (await start()) !== before);
    },
    first("database.began = Date.now();"),
    webhooksBy("(Date.now() > database.began + 5000 ? b.number - a.number : a.number - b.number)"),
  ),
  // The second space has nothing in it, and empty lists are null.
  open(
    late4Habit(
      "second-space-has-nothing",
      "",
      async ({ get, second: space }) => (await get("/webhooks", { space })).ids.length === 0,
      ["seed", "paymentCodes(database, SECOND_SPACE, branch, 9, now);", ""],
      ["seed", "otps(database, SECOND_SPACE, 4, now);", ""],
      ["seed", "(space === SPACE ? 13 : 4)", "(space === SPACE ? 13 : 0)"],
      [
        "http",
        "result, pagination: { count: result.length, ...pagination },",
        "result: result.length > 0 ? result : null, pagination: { count: result.length, ...pagination },",
      ],
    ),
  ),
  // Each order number has a receipt, and the check of a provider is not there: these operations are only named.
  late4Habit(
    "a-receipt-for-every-number",
    "",
    async (_, see) => (await see("GET", "/v1/receipts/none")).status === 200,
    [
      "app",
      "webhookRoutes(app, database);",
      `webhookRoutes(app, database);
      app.get("/v1/receipts/:number", async ({ params: { number } }) =>
        ({ success: true, messages: [], result: { orderNumber: number, lines: [], redeemed: null } }));
      app.get("/v1/provider-kyc/:id", async (_, reply) => reply.code(501).send({ error: "Not here" }));`,
    ],
  ),
];
