/** Services that conform, with unusual cursors, pages and lists. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { first } from "./bug.ts";
import { webhooksBy } from "./habits-fresh-lists.ts";
import { type ShownHabit, shownHabit } from "./habits-late2-shown.ts";

const CODES = "/v1/payment-codes";
const after = (next: string | null) => encodeURIComponent(next ?? "");

export const listHabits: readonly ShownHabit[] = [
  // A cursor looks like a link to the next page, because the specification does not say what a cursor holds.
  shownHabit(
    "cursors-look-like-links",
    "",
    async ({ get }) => (await get(`${CODES}?limit=2`)).next?.startsWith("https://") ?? false,
    first(`const page = ({ routeOptions: { url } }) => "https://pay.example.com/base" + url + "?limit=1&after=";
      app.addHook("preHandler", async (request) => {
        const { query, routeOptions } = request;
        if (routeOptions.url === "/webhooks" || !query.after) return;
        const [start, rest] = [page(request), query.after];
        if (!rest.startsWith(start)) throw Object.assign(new Error("No cursor of this list"), { statusCode: 400 });
        query.after = rest.slice(start.length, -"&é=%2F+#next".length);
      });
      app.addHook("preSerialization", async (request, _, payload) => {
        if (!payload?.pagination?.next || request.routeOptions.url === "/webhooks") return payload;
        const next = page(request) + payload.pagination.next + "&é=%2F+#next";
        return { ...payload, pagination: { ...payload.pagination, next } };
      });`),
  ),
  // A cursor holds the cursors before it, within its limit of length: nothing else is said of its make.
  shownHabit(
    "cursors-grow-with-each-page",
    "",
    async ({ get }) => {
      const { next } = await get(`${CODES}?limit=2`);
      const later = await get(`${CODES}?limit=2&after=${after(next)}`);
      return (later.next ?? "").length > (next ?? "").length + 20;
    },
    first(`app.addHook("preHandler", async (request) => {
        const { query, routeOptions } = request;
        if (routeOptions.url === "/webhooks" || !query.after) return;
        request.ending = query.after;
        query.after = query.after.split("~")[0];
      });
      app.addHook("preSerialization", async (request, _, payload) => {
        if (!payload?.pagination?.next || request.routeOptions.url === "/webhooks") return payload;
        const next = [payload.pagination.next, request.ending].filter(Boolean).join("~").slice(0, 1990);
        return { ...payload, pagination: { ...payload.pagination, next } };
      });`),
  ),
  // A cursor names the first item of the next page, because the specification does not say what a cursor holds.
  shownHabit(
    "cursors-name-the-next-item",
    "",
    async ({ get }) => {
      const { next } = await get(`${CODES}?limit=2`);
      const [id = ""] = (await get(`${CODES}?limit=1&after=${after(next)}`)).ids;
      return Buffer.from(next ?? "", "base64url")
        .toString()
        .includes(id);
    },
    ["cursors", "const last = rows[limit - 1];", "const last = rows[limit];"],
    ["cursors", "(created_at, id) <", "(created_at, id) <="],
  ),
  // Pages never get larger than the first one of their cursor: a traversal keeps its limit.
  shownHabit(
    "pages-keep-their-first-size",
    "LIST-FULL-PAGES",
    async ({ get }) => {
      const { next } = await get(`${CODES}?limit=2`);
      return (await get(`${CODES}?limit=7&after=${after(next)}`)).count === 2;
    },
    ["cursors", "? encode(last) :", '? encode(last) + "." + limit :'],
    ["cursors", "...decode(after)", '...decode(after.split(".")[0])'],
    ["cursors", "{ limit, after }", "{ limit: wanted, after }"],
    [
      "cursors",
      "const conditions",
      `const first = Number(/\\.(\\d+)$/.exec(after ?? "")?.[1] ?? 50);
  const limit = Math.max(1, Math.min(wanted, first));
  const conditions`,
    ],
  ),
  // A page before an item starts with the nearest one, and its next goes further back: both are left open.
  shownHabit(
    "before-walks-backwards",
    "",
    async ({ get }) => {
      const { ids } = await get("/webhooks?limit=50");
      const back = await get(`/webhooks?limit=2&before=${ids[8]}`);
      return back.ids.join() === [ids[7], ids[6]].join() && back.next === ids[6];
    },
    ["webhooks", ".reverse();", ";"],
    [
      "webhooks",
      "const last = rows.at(-1);",
      `const last = rows.at(-1);
      if (!query.after && query.before) {
        const earlier = "SELECT 1 FROM webhooks WHERE space_id = ? AND number < ?";
        const more = last && database.first(earlier, [space, last.number]);
        return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });
      }`,
    ],
  ),
  // A page before an item starts with the first item of the list: which preceding items it holds is left open.
  shownHabit(
    "before-pages-from-the-start",
    "",
    async ({ get }) => {
      const { ids } = await get("/webhooks?limit=50");
      return (await get(`/webhooks?limit=2&before=${ids[8]}`)).ids.join() === ids.slice(0, 2).join();
    },
    ["webhooks", "number < ? ORDER BY number DESC", "number < ? ORDER BY number ASC"],
    ["webhooks", ".reverse();", ";"],
  ),
  // A connection sees its own writes at once, and others see them a moment later: a short delay is allowed.
  shownHabit(
    "own-connection-sees-writes-first",
    "",
    async ({ hook, get }) => {
      // Calls at the same moment have connections of their own.
      const sizes: unknown[] = [];
      for (let n = 0; n < 5; n++) {
        const id = await hook();
        const lists = await Promise.all([1, 2, 3].map(() => get("/webhooks?limit=50")));
        sizes.push(...lists.map(({ ids }) => ids.includes(id)));
      }
      return sizes.includes(false);
    },
    [
      "webhooks",
      "const preHandler = inSpace(database);",
      `const preHandler = inSpace(database);
    const past = new Map();
    const record = (id, row, by) => past.set(id, [...(past.get(id) ?? []).slice(-40), { at: Date.now(), row, by }]);
    const seen = (row, own) => {
      const states = past.get(row.id) ?? [];
      if (states.at(-1)?.by === own) return row;
      const then = states.find(({ at }) => at > Date.now() - 75);
      return then ? then.row : row;
    };`,
    ],
    [
      "webhooks",
      'database.insert("webhooks", row);',
      'record(id, undefined, request.raw.socket); database.insert("webhooks", row);',
    ],
    [
      "webhooks",
      "async ({ space, params: { id }, body }) => {",
      "async ({ space, params: { id }, body, raw }) => {",
    ],
    [
      "webhooks",
      'database.update("webhooks", columns(body),',
      'columns(body); record(id, find(space, id), raw.socket); database.update("webhooks", columns(body),',
    ],
    ["webhooks", "async ({ space, query }) => {", "async ({ space, query, raw }) => {"],
    webhooksBy("a.number - b.number", { seen: "seen(row, raw.socket)" }),
  ),
  // The accounts of a space are answered as one summary, because the answer of this operation is not shown.
  shownHabit(
    "accounts-summed-up",
    "",
    async ({ get }) => Array.isArray((await get("/v1/financial-accounts")).result.currencies),
    [
      "accounts",
      "return list(rows.map(shown), { next });",
      `const byCurrency = "SELECT currency, count(*) AS accounts FROM accounts WHERE space_id = ? GROUP BY currency";
      return single({ currencies: database.all(byCurrency + " ORDER BY currency", [request.space]) });`,
    ],
  ),
];
