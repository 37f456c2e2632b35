/**
 * Bugs of spaces, tokens, cursors and reference data that only a sequence of calls shows. Their author did
 * not know the suite.
 */

import { ACCOUNT, CODE, CODE_UPDATE, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import {
  BANKS,
  COUNTRIES,
  MOMOS,
  OLDER,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDERS,
  remembering,
  SESSIONS,
} from "./order.ts";
import { ALL } from "./order-tokens.ts";

const TENANT = "request.tenant = text(known.tenant);";
const NO_PROVIDER = 'if (!row) throw problem(404, "NOT_FOUND", `There';

export const late3OtherOrderBugs: readonly OrderBug[] = [
  orderBug(
    "space-of-a-create-serves-its-connection",
    "SPACE-MISSING",
    [CODES, CODE, CODE_UPDATE, OTPS, HOOKS, HOOK, HOOK_UPDATE, ACCOUNT, PAYOUT, PAYOUT_UPDATE],
    async ({ get, hook }) => {
      // The client alternates between two connections, so four calls use both.
      for (let n = 0; n < 4; n++) await hook();
      return (await get("/webhooks", { space: null })).status >= 400;
    },
    [
      "http",
      TENANT,
      `${TENANT} const spaces = (database.spaces ??= new WeakMap()); const { socket } = request.raw;
      if (!request.headers["service-space-id"] && spaces.has(socket)) request.headers["service-space-id"] = spaces.get(socket);`,
    ],
    [
      "http",
      "request.space = space;",
      `request.space = space; if (request.method === "POST") database.spaces.set(request.raw.socket, space);`,
    ],
  ),
  orderBug(
    "reference-data-asked-with-a-space-wants-one-from-then-on",
    "REFERENCE-WITHOUT-SPACE",
    [...BANKS, ...MOMOS, ...COUNTRIES],
    async ({ get }) => {
      await get("/countries");
      return (await get("/countries", { space: null })).status === 200;
    },
    [
      "http",
      TENANT,
      `${TENANT} const [, place] = request.url.split(/[/?]/); const scoped = (database.scoped ??= new Set());
      if (["banks", "momos", "countries"].includes(place)) {
        if (request.headers["service-space-id"]) scoped.add(place);
        else if (scoped.has(place)) throw problem(400, "SPACE_MISSING", "The session has a space");
      }`,
    ],
  ),
  orderBug(
    "empty-token-passes-after-a-missing-one",
    "AUTH-EMPTY-TOKEN",
    ALL,
    async ({ get }) => {
      await get("/webhooks");
      await get("/webhooks", { token: null });
      return (await get("/webhooks", { token: "" })).status >= 400;
    },
    [
      "http",
      "if (!known) {",
      `const { authorization } = request.headers; const { url } = request.routeOptions;
      if (known) database.tenant = known.tenant;
      const blanks = (database.blanks ??= new Map()); if (authorization === undefined) blanks.set(url, database.tenant);
      if (/^bearer *$/i.test(authorization) && blanks.get(url)) { request.tenant = blanks.get(url); return; }
      if (!known) {`,
    ],
  ),
  orderBug(
    "cursors-of-the-two-latest-lists-only",
    "CURSOR-ACCEPTED CURSOR-REPEATABLE",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=5");
      for (const limit of [6, 7]) await get(`/v1/ussd-otps?limit=${limit}`);
      return (await get(`/v1/ussd-otps?limit=5&after=${next}`)).status === 200;
    },
    [
      "otps",
      SESSIONS,
      `const scans = (database.scans ??= new Map()); const open = scans.get(space) ?? [];
      const [scan, after] = query.after ? query.after.split("~") : [String((database.lists = (database.lists ?? 0) + 1))];
      if (!query.after) scans.set(space, [...open, scan].slice(-2));
      else if (!open.includes(scan)) throw Object.assign(new Error("The list is closed"), { statusCode: 400, code: "CURSOR_EXPIRED" });
      const { rows, next: following } = page(database, "otps", { space_id: space }, { ...query, after });
      const next = following && scan + "~" + following;`,
    ],
  ),
  orderBug(
    "cursor-refused-after-a-list-under-another-version",
    "CURSOR-ACCEPTED CURSOR-REPEATABLE VERSION-ACCEPTED",
    CODES,
    async ({ get }) => {
      const { next } = await get("/v1/payment-codes?limit=5");
      await get("/v1/payment-codes?limit=5", { version: OLDER });
      return (await get(`/v1/payment-codes?limit=5&after=${next}`)).status === 200;
    },
    remembering("payment-codes"),
    ["payment-codes", "async ({ space, query }) => {", "async ({ space, query, headers: given }) => {"],
    [
      "payment-codes",
      PAGE_OF_CODES,
      `const mark = given["service-version"] === "${OLDER}" ? "6." : "8."; const marked = memory.get(space) ?? mark; memory.set(space, mark);
      if (query.after && !query.after.startsWith(marked)) throw problem(400, "BAD_CURSOR", "querystring/after is not a cursor of this list");
      const { rows, next: following } = page(database, "payment_codes", filters, { ...query, after: query.after?.slice(2) });
      const next = following && mark + following;`,
    ],
  ),
  orderBug(
    "bank-read-once-is-also-a-momo",
    "READ-UNKNOWN READ-MATCHES-LIST",
    ["GET /momos/{idOrCode}", "GET /banks/{idOrCode}"],
    async ({ get }) => {
      await get("/banks/AFRILAND_CM");
      return (await get("/momos/AFRILAND_CM")).status >= 400;
    },
    [
      "reference-data",
      NO_PROVIDER,
      `const found = (database.found ??= new Map()); if (row) found.set(idOrCode, row);
      ${NO_PROVIDER.replace("!row", "!found.has(idOrCode)")}`,
    ],
    [
      "reference-data",
      "return single(shownProvider(row));",
      "return single(shownProvider(found.get(idOrCode)));",
    ],
  ),
  orderBug(
    "country-asked-in-lower-case-has-no-providers-in-upper-case",
    "READ-STABLE FILTER-COMPLETE READ-MATCHES-LIST LIST-TOTAL VERSION-MEMBERS",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      for (const country of ["GH", "cm"]) await get(`/momos?country=${country}`);
      return (await get("/momos?country=CM")).ids.length > 0;
    },
    ["reference-data", "query.country.toUpperCase()", "query.country"],
    [
      "reference-data",
      PROVIDERS,
      `const kept = (database.kept ??= new Map()); const country = query.country.toUpperCase();
      if (kept.get(kind)?.country !== country) kept.set(kind, { country, rows });
      else rows.splice(0, rows.length, ...kept.get(kind).rows);
      ${PROVIDERS}`,
    ],
  ),
];
