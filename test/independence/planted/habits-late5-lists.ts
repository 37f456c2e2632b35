/** Services that conform, with unusual orders, pages, cursors and totals. */

import { webhooksBy } from "./habits-fresh-lists.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { late5Habit } from "./habits-late5-shown.ts";
import { PAGE_OF_CODES, same } from "./order.ts";

const CODES = "/v1/payment-codes";

export const listHabits: readonly ShownHabit[] = [
  // Webhooks are counted to twenty, or as far as the page has them: that a total is exact is a SHOULD.
  late5Habit(
    "totals-end-at-twenty",
    "LIST-TOTAL-EXACT",
    async ({ hook, get }) => {
      for (let count = 0; count < 10; count++) await hook();
      return (await get("/webhooks?limit=2")).total === 20;
    },
    ["webhooks", "total: number(total),", "total: Math.max(rows.length, Math.min(20, number(total))),"],
  ),
  // A cursor is a piece of a query with blanks, quotes and signs: the specification leaves open how a cursor looks.
  late5Habit(
    "cursors-are-conditions",
    "",
    async ({ get }) => (await get(`${CODES}?limit=5`)).next?.startsWith("created_at<") ?? false,
    [
      "cursors",
      'Buffer.from(JSON.stringify([number(row.created_at), text(row.id)])).toString("base64url")',
      `"created_at<=" + number(row.created_at) + " AND id<'" + text(row.id) + "' -- 100% & more?"`,
    ],
    [
      "cursors",
      'JSON.parse(Buffer.from(cursor, "base64url").toString())',
      `((found) => [Number(found[1]), found[2]])(/^created_at<=(\\d+) AND id<'(.+)' -- 100% & more\\?$/.exec(cursor))`,
    ],
  ),
  // Lists are in the order of the ids, so that new items come anywhere: the order is not stated.
  late5Habit(
    "lists-in-the-order-of-ids",
    "",
    async ({ get }) => {
      const { ids } = await get("/v1/ussd-otps?limit=50");
      return same(ids, ids.toSorted());
    },
    ["cursors", "(created_at, id) < (?, ?)", "id > ?"],
    ["cursors", "values.push(...decode(after))", "values.push(decode(after)[1])"],
    ["cursors", "ORDER BY created_at DESC, id DESC", "ORDER BY id"],
  ),
  // The newest webhooks come first, and next is a token that is no id: the list accepts both as cursors.
  late5Habit(
    "newest-webhooks-first-with-tokens",
    "",
    async ({ get }) => (await get("/webhooks?limit=2")).next?.startsWith("next_") ?? false,
    webhooksBy("b.number - a.number", { next: '("next_" + Buffer.from(text(row.id)).toString("hex"))' }),
  ),
  // A page behind a cursor has one item less than the limit allows: full pages are a SHOULD.
  late5Habit(
    "later-pages-have-one-less",
    "LIST-FULL-PAGES",
    async ({ get }) => {
      const { next } = await get(`${CODES}?limit=5`);
      return (await get(`${CODES}?limit=5&after=${next}`)).ids.length === 4;
    },
    ["cursors", "{ limit, after }", "{ limit: given, after }"],
    ["cursors", "const conditions", "const limit = after ? Math.max(1, given - 1) : given; const conditions"],
  ),
  // Codes are in the order of their names, so that a renamed code moves: a list may change while it is read.
  late5Habit(
    "codes-by-name",
    "",
    async ({ get }) => {
      const names = (await get(`${CODES}?limit=50`)).items.map(({ name }) => String(name));
      return same(names, names.toSorted());
    },
    [
      "payment-codes",
      PAGE_OF_CODES,
      `let place;
      try {
        if (query.after) {
          place = JSON.parse(Buffer.from(query.after, "base64url").toString());
          if (place.length !== 2) throw new RangeError("There is no place");
        }
      } catch {
        throw problem(400, "BAD_CURSOR", "querystring/after is not a cursor of this list");
      }
      const wanted = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null);
      const keyOf = ({ name, id }) => name + "\\u0000" + id;
      const left = database.all("SELECT * FROM payment_codes WHERE space_id = ?", [space])
        .filter((row) => wanted.every(([column, value]) => row[column] === value))
        .filter((row) => !place || keyOf(row) > keyOf({ name: place[0], id: place[1] }))
        .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      const rows = left.slice(0, query.limit);
      const last = rows.at(-1);
      const next = left.length > rows.length ? Buffer.from(JSON.stringify([last.name, last.id])).toString("base64url") : null;`,
    ],
  ),
];
