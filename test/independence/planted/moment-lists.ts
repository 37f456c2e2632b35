/** Bugs of lists that one moment shows. Their author did not know the suite. */

import { CODES, HOOKS, OTPS } from "./bug.ts";
import { LISTED_CODES, OLDER, type OrderBug, orderBug, PAGE_OF_CODES } from "./order.ts";

const LIST_OF_CODES = "async ({ space, query }) => {";
const BEFORE_NEXT = "const last = rows.at(-1);";

export const momentListBugs: readonly OrderBug[] = [
  // A filter that finds no payment code is answered with an empty body.
  orderBug(
    "moment-nothing-found-is-an-empty-body",
    "JSON-BODY RESULT-LIST",
    CODES,
    async ({ raw }) => {
      const answer = await raw("GET", "/v1/payment-codes?ussd_code=none");
      return (await answer.text()) !== "";
    },
    ["payment-codes", LIST_OF_CODES, "async ({ space, query }, reply) => {"],
    [
      "payment-codes",
      LISTED_CODES,
      `if (rows.length === 0) { reply.type("application/json"); return ""; } ${LISTED_CODES}`,
    ],
  ),
  // A page of webhooks before another has no pagination.
  orderBug(
    "moment-page-before-has-no-pagination",
    "PAGINATION-PRESENT",
    HOOKS,
    async ({ get, raw }) => {
      const { ids } = await get("/webhooks?limit=3");
      const answer = await raw("GET", `/webhooks?before=${ids[2]}`);
      return Object.hasOwn((await answer.json()) as object, "pagination");
    },
    [
      "webhooks",
      BEFORE_NEXT,
      `if (query.before && !query.after) return single(rows.map(shown)); ${BEFORE_NEXT}`,
    ],
  ),
  // A page of webhooks before another has up to fifty items, whatever the limit.
  orderBug(
    "moment-page-before-ignores-the-limit",
    "LIST-LIMIT-RESPECTED",
    HOOKS,
    async ({ get }) => {
      const { ids } = await get("/webhooks?limit=5");
      return (await get(`/webhooks?before=${ids[4]}&limit=2`)).items.length <= 2;
    },
    ["webhooks", "place(query.before), query.limit", "place(query.before), 50"],
  ),
  // A limit of zero gives all payment codes.
  orderBug(
    "moment-limit-of-zero-gives-everything",
    "LIST-PAGE-MAXIMUM LIST-LIMIT-REJECTED",
    CODES,
    async ({ get }) => (await get("/v1/payment-codes?limit=0")).items.length <= 50,
    ["payment-codes", "limit, after: {", "limit: { ...limit, minimum: 0 }, after: {"],
    [
      "payment-codes",
      PAGE_OF_CODES,
      PAGE_OF_CODES.replace("query)", "{ ...query, limit: query.limit || 1000 })"),
    ],
  ),
  // A page of sessions has 25 items by default under the older version.
  orderBug(
    "moment-older-version-has-pages-of-25-sessions",
    "LIST-LIMIT-DEFAULT VERSION-MEMBERS",
    OTPS,
    async ({ get }) => (await get("/v1/ussd-otps", { version: OLDER })).items.length === 10,
    [
      "otps",
      "async ({ space, query }) => {",
      `async ({ space, query, url, headers: sent }) => {
        if (sent["service-version"] === "caph.2025-06-20" && !url.includes("limit=")) query.limit = 25;`,
    ],
  ),
  // The cursor of sessions is the path and query of the next page.
  orderBug(
    "moment-cursor-of-sessions-is-a-link",
    "CURSOR-ACCEPTED CURSOR-END CURSOR-COMPLETE",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=5");
      return (await get(`/v1/ussd-otps?limit=5&after=${encodeURIComponent(next ?? "")}`)).status === 200;
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      'return list(rows.map(shown), { next: next && "/v1/ussd-otps?limit=" + query.limit + "&after=" + next });',
    ],
  ),
  // A cursor holds the minute of creation, so codes of that minute are lost behind it.
  orderBug(
    "moment-cursor-holds-the-minute",
    "CURSOR-COMPLETE CURSOR-FILTERED LIST-SHOWS-ALL",
    CODES,
    async ({ get }) => {
      const { ids } = await get("/v1/payment-codes?limit=3");
      const { next } = await get("/v1/payment-codes?limit=2");
      return (await get(`/v1/payment-codes?limit=2&after=${next}`)).ids[0] === ids[2];
    },
    [
      "cursors",
      "[number(row.created_at), text(row.id)]",
      "[Math.floor(number(row.created_at) / 60_000) * 60_000, text(row.id)]",
    ],
  ),
  // Behind a cursor, a code need only have the mode or the status.
  orderBug(
    "moment-mode-or-status-is-enough-behind-a-cursor",
    "CURSOR-FILTERED FILTER-SOUND",
    CODES,
    async ({ get }) => {
      const path = "/v1/payment-codes?mode=recurrent&status=pending&limit=4";
      const { items } = await get(`${path}&after=${(await get(path)).next}`);
      return items.every(({ mode, status }) => mode === "recurrent" && status === "pending");
    },
    [
      "cursors",
      "if (after) {",
      `if (after && filters.mode && filters.status) conditions.splice(-2, 2, "(mode = ? OR status = ?)");
      if (after) {`,
    ],
  ),
  // A page before another is filled with items behind it if too few precede it.
  orderBug(
    "moment-page-before-is-filled-from-behind",
    "ITEM-CURSOR-BEFORE",
    HOOKS,
    async ({ get }) => {
      const { ids } = await get("/webhooks?limit=3");
      return (await get(`/webhooks?before=${ids[1]}&limit=3`)).ids.every((id) => id === ids[0]);
    },
    [
      "webhooks",
      BEFORE_NEXT,
      `if (query.before && !query.after)
        rows.push(...database.all(
          "SELECT * FROM webhooks WHERE space_id = ? AND number > ? LIMIT ?",
          [space, place(query.before), query.limit - rows.length]));
      ${BEFORE_NEXT}`,
    ],
  ),
  // With both after and before, the list shows the items between them.
  orderBug(
    "moment-after-and-before-give-those-between",
    "ITEM-CURSOR-PRECEDENCE ITEM-CURSOR-AFTER",
    HOOKS,
    async ({ get }) => {
      const { ids } = await get("/webhooks?limit=3");
      const between = await get(`/webhooks?after=${ids[0]}&before=${ids[2]}&limit=3`);
      return between.ids.length === 3;
    },
    [
      "webhooks",
      BEFORE_NEXT,
      `if (query.after && query.before) {
        const end = place(query.before);
        rows.splice(0, rows.length, ...rows.filter((row) => row.number < end));
      }
      ${BEFORE_NEXT}`,
    ],
  ),
  // The filter by processing looks for another name of that status.
  orderBug(
    "moment-codes-in-use-are-not-found-by-status",
    "FILTER-COMPLETE",
    CODES,
    async ({ get }) => (await get("/v1/payment-codes?status=processing")).items.length > 0,
    ["payment-codes", "mode, status };", 'mode, status: status === "processing" ? "in_progress" : status };'],
  ),
  // The filter by USSD code finds the codes of all spaces.
  orderBug(
    "moment-dial-code-is-found-in-any-space",
    "ISOLATION-LISTS",
    CODES,
    async ({ get, second: space }) => {
      const [code] = (await get("/v1/payment-codes?limit=1", { space })).items;
      const path = `/v1/payment-codes?ussd_code=${encodeURIComponent(String(code?.ussdCode))}`;
      return (await get(path)).items.length === 0;
    },
    ["payment-codes", "space_id: space, ussd_code:", "space_id: ussd_code ? null : space, ussd_code:"],
  ),
];
