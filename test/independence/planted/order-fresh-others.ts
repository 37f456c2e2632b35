/**
 * Bugs of payment codes, sessions, reference data and tokens that only a sequence of calls shows. Their
 * author did not know the suite.
 */

import { CODE, CODE_UPDATE, CODES, OTPS } from "./bug.ts";
import {
  BANKS,
  COUNTRIES,
  inCodeUpdate,
  MOMOS,
  OLDER,
  type OrderBug,
  orderBug,
  PROVIDERS,
  SESSIONS,
  same,
} from "./order.ts";

const PAUSE = "await new Promise((resolve) => setTimeout(resolve, 25));";
const LISTED_PAGE = 'const { rows, next } = page(database, "payment_codes", filters, query);';
const COUNTRY =
  'const row = database.first("SELECT * FROM countries WHERE id = ? OR code = ?", [idOrCode, idOrCode]);';

/** The list of pending payment codes, whose first page has the code that the run may update. */
const PENDING = "/v1/payment-codes?limit=50&status=pending";

export const freshOtherOrderBugs: readonly OrderBug[] = [
  orderBug(
    "providers-fit-only-in-the-country-listed-last",
    "UPDATE-ACCEPTED UPDATE-EDGES",
    CODE_UPDATE,
    async ({ get, editCode }) => {
      const update = async () => (await editCode({ allowedProviders: ["MTN_CM"] })).status;
      const before = await update();
      await get("/momos?country=GH");
      return before === 200 && (await update()) === 200;
    },
    ["reference-data", PROVIDERS, `if (rows[0]) database.country = rows[0].country; ${PROVIDERS}`],
    ["payment-codes", "SELECT code FROM providers", "SELECT code, country FROM providers"],
    [
      "payment-codes",
      "if (!provider) throw",
      "if (!provider || (database.country && provider.country !== database.country)) throw",
    ],
  ),
  orderBug(
    "refused-code-update-shows-in-the-list",
    "UPDATE-NO-EFFECT SHAPES-AGREE",
    [CODES, CODE, CODE_UPDATE],
    async ({ get, readCode, editCode, mutable }) => {
      const { name } = (await readCode()).result;
      await editCode({ name: "Left over", allowedProviders: [] });
      return (await get(PENDING)).items.find(({ id }) => id === mutable)?.name === name;
    },
    [
      "payment-codes",
      "params: byId, body }, preHandler",
      `params: byId, body }, preValidation: async ({ body: sent, params: { id }, headers: given }) => {
        if (typeof sent?.name === "string") memory.set(given["service-space-id"] + id, sent.name); }, preHandler`,
    ],
    [
      "payment-codes",
      "rows.map(listed)",
      "rows.map((row) => ({ ...listed(row), ...(memory.has(space + row.id) && { name: memory.get(space + row.id) }) }))",
    ],
    ...inCodeUpdate("", "memory.delete(space + id);"),
  ),
  orderBug(
    "updated-code-shown-under-every-filter",
    "FILTER-SOUND",
    CODES,
    async ({ get, editCode }) => {
      await editCode({ name: "Renamed" });
      const { items } = await get("/v1/payment-codes?limit=50&status=completed");
      return items.every(({ status }) => status === "completed");
    },
    [
      "payment-codes",
      LISTED_PAGE,
      `${LISTED_PAGE} const latest = memory.get(space); const filtered = status || ussd_code;
      if (latest && filtered && !query.after && rows.length < query.limit && !rows.some(({ id }) => id === latest)) rows.unshift(find(space, latest));`,
    ],
    ...inCodeUpdate("", "memory.set(space, id);"),
  ),
  orderBug(
    "older-update-switches-only-the-single-shape",
    "SHAPES-AGREE UPDATE-STORED",
    [CODES, CODE, CODE_UPDATE],
    async ({ get, readCode, editCode, mutable }) => {
      await editCode({ isActive: true });
      await editCode({ isActive: false }, { version: OLDER });
      const { isActive } = (await readCode()).result;
      return (await get(PENDING)).items.find(({ id }) => id === mutable)?.enable === isActive;
    },
    [
      "payment-codes",
      "async ({ space, params: { id }, body: sent }) => {",
      "async ({ space, params: { id }, body: sent, headers: given }) => {",
    ],
    [
      "payment-codes",
      "rows.map(listed)",
      "rows.map((row) => listed({ ...row, enabled: memory.get(row.id) ?? row.enabled }))",
    ],
    ...inCodeUpdate(
      `if (given["service-version"] !== "${OLDER}") memory.delete(id);
      else if (!memory.has(id)) memory.set(id, row.enabled);`,
    ),
  ),
  orderBug(
    "read-during-an-update-keeps-the-older-code",
    "UPDATE-STORED",
    [CODE, CODE_UPDATE],
    async ({ readCode, editCode }) => {
      await editCode({ metadata: { run: "1" } });
      const reading = readCode();
      await new Promise((resolve) => setTimeout(resolve, 8));
      await editCode({ name: "Renamed" });
      await reading;
      return (await readCode()).result.name === "Renamed";
    },
    [
      "payment-codes",
      "single(detailed(find(space, params.id)))",
      `{ const name = space + params.id; if (memory.has(name)) return single(detailed(memory.get(name)));
        const row = find(space, params.id); ${PAUSE} memory.set(name, row); return single(detailed(row)); }`,
    ],
    ...inCodeUpdate("", "memory.delete(space + id);"),
  ),
  orderBug(
    "cursor-of-another-filter-crashes",
    "NO-SERVER-ERROR",
    CODES,
    async ({ get }) => {
      const { next } = await get("/v1/payment-codes?limit=5&status=pending");
      return (await get(`/v1/payment-codes?limit=5&status=completed&after=${next}`)).status < 500;
    },
    [
      "cursors",
      "if (after) {",
      `const issued = (database.issued ??= new Map()); const { mode, status, ussd_code } = filters;
      const asked = [table, mode, status, ussd_code].join();
      if (after && issued.has(after) && !issued.get(after).has(asked)) throw new Error("no such scan");
      if (after) {`,
    ],
    [
      "cursors",
      "return { rows: rows.slice(0, limit),",
      `if (rows.length > limit && last) issued.set(encode(last), (issued.get(encode(last)) ?? new Set()).add(asked));
      return { rows: rows.slice(0, limit),`,
    ],
  ),
  orderBug(
    "limits-mixed-up-at-the-same-moment",
    "LIST-LIMIT-RESPECTED LIST-FULL-PAGES",
    OTPS,
    async ({ get }) => {
      const limits = [1, 5];
      const pages = await Promise.all(limits.map((limit) => get(`/v1/ussd-otps?limit=${limit}`)));
      return pages.every(({ ids }, n) => ids.length === limits[n]);
    },
    [
      "otps",
      SESSIONS,
      `database.limit = query.limit; ${PAUSE} const { limit } = database; ${SESSIONS.replace("query", "{ ...query, limit }")}`,
    ],
  ),
  orderBug(
    "session-without-metadata-has-that-read-before",
    "READ-STABLE CURSOR-REPEATABLE",
    OTPS,
    async ({ get }) => {
      const { items } = await get("/v1/ussd-otps?limit=3");
      return same((await get("/v1/ussd-otps?limit=3")).items, items);
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const rest = (database.rest ??= new Map()); const items = rows.map(shown);
      if (items[0] && items[0].metadata === null) items[0].metadata = rest.get(space) ?? null;
      rest.set(space, items.at(-1)?.metadata); return list(items, { next });`,
    ],
  ),
  orderBug(
    "country-listed-last-kept-for-banks-and-momos",
    "PROVIDER-CODES-UNIQUE READ-MATCHES-LIST READ-ACCEPTED READ-STABLE",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      const { ids } = await get("/banks?country=CM");
      return !(await get("/momos?country=CM")).ids.some((id) => ids.includes(id));
    },
    [
      "reference-data",
      PROVIDERS,
      `if (database.kept?.country !== query.country) database.kept = { country: query.country, rows };
      else rows.splice(0, rows.length, ...database.kept.rows); ${PROVIDERS}`,
    ],
  ),
  orderBug(
    "unknown-country-answers-the-one-before",
    "READ-UNKNOWN",
    "GET /countries/{idOrCode}",
    async ({ get }) => {
      await get("/countries/CM");
      return (await get("/countries/none-such")).status >= 400;
    },
    [
      "reference-data",
      COUNTRY,
      `${COUNTRY.replace("row", "found")} const row = found ?? database.before; database.before = found;`,
    ],
  ),
  orderBug(
    "refused-call-leaves-its-tenant-behind",
    "AUTH-MISSING AUTH-NO-EFFECT",
    [CODES, OTPS, CODE, CODE_UPDATE, ...BANKS, ...MOMOS, ...COUNTRIES],
    async ({ get }) => {
      await get("/countries/none-such");
      return (await get("/countries", { token: null })).status >= 400;
    },
    [
      "http",
      "if (!known) {",
      `if (!request.headers.authorization && database.tenant) { request.tenant = database.tenant; return; } if (!known) {`,
    ],
    [
      "http",
      'app.addHook("onSend", async (request, reply) => {',
      `app.addHook("onError", async (request) => { if (request.tenant) database.tenant = request.tenant; });
      app.addHook("onSend", async (request, reply) => { if (reply.statusCode === 200) database.tenant = undefined;`,
    ],
  ),
];
