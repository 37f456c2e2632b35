/** More bugs of the other routes that only a sequence of calls shows. Their author did not know the suite. */

import { CODES, HOOKS, OTPS } from "./bug.ts";
import {
  BANKS,
  inCodeUpdate,
  MOMOS,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDER,
  PROVIDERS,
  READ_OF_PAYOUT,
  remembering,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const FOUND = "const row = find(space, id);";
const IN_CM = "/momos?country=CM";

export const late4OtherOrderBugs: readonly OrderBug[] = [
  // If two payouts are read at the same moment, both answers show the later one.
  orderBug(
    "order-late4-payouts-read-at-once-are-one",
    "READ-ACCEPTED READ-STABLE",
    PAYOUT,
    async ({ get, payout, otherPayout }) => {
      const [one] = await Promise.all([get(`/payouts/${otherPayout}`), get(`/payouts/${payout}`)]);
      return one?.result.id === otherPayout;
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        memory.set(space, find(space, params.id)); ${PAUSE} return single(shown(memory.get(space))); }`,
    ],
  ),
  // An update of an unknown payout changes the payout that was updated last.
  orderBug(
    "order-late4-unknown-payout-stands-for-the-one-before",
    "UPDATE-UNKNOWN UPDATE-NO-EFFECT",
    PAYOUT_UPDATE,
    async ({ editPayout, patch }) => {
      await editPayout({ a: "1" });
      return (await patch("/payouts/unknown", { metadata: { a: "2" } })).status >= 400;
    },
    remembering("payouts"),
    [
      "payouts",
      FOUND,
      `let row;
      try { row = find(space, id); memory.set(space, id); } catch (error) {
        if (!memory.has(space)) throw error;
        id = memory.get(space); row = find(space, id); }`,
    ],
  ),
  // After a payout was read, longer ids that begin with its id find it, too.
  orderBug(
    "order-late4-payout-read-once-is-found-by-longer-ids",
    "READ-UNKNOWN",
    PAYOUT,
    async ({ get, payout }) => {
      await get(`/payouts/${payout}`);
      return (await get(`/payouts/${payout}0`)).status >= 400;
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        const place = space + params.id.slice(0, 16);
        if (!memory.has(place)) memory.set(place, find(space, params.id).id);
        return single(shown(find(space, memory.get(place)))); }`,
    ],
  ),
  // After another payout was read, a read of an updated payout lacks its last update.
  orderBug(
    "order-late4-payout-read-after-another-lacks-its-last-update",
    "UPDATE-STORED READ-STABLE",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ editPayout, readPayout, get, otherPayout }) => {
      const { metadata } = (await editPayout({ a: "1" })).result;
      await get(`/payouts/${otherPayout}`);
      return same((await readPayout()).result.metadata, metadata);
    },
    remembering("payouts"),
    ["payouts", FOUND, `${FOUND} memory.set(id, row); memory.set("", id);`],
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params: { id } }) => {
        const row = find(space, id);
        if (memory.get("") === id) return single(shown(row));
        memory.delete("");
        return single(shown(memory.get(id) ?? row)); }`,
    ],
  ),
  // The service caches the list of a country's banks and answers requests for its momos with it, or vice versa.
  orderBug(
    "order-late4-banks-and-momos-share-a-kept-list",
    "READ-MATCHES-LIST READ-ACCEPTED PROVIDER-CODES-UNIQUE READ-STABLE",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      const banks = await get("/banks?country=CM");
      const momos = await get(IN_CM);
      return !same(banks.ids, momos.ids);
    },
    [
      "reference-data",
      PROVIDERS,
      `const kept = (database.kept ??= new Map());
      if (!kept.has(query.country) && rows.length > 0) kept.set(query.country, rows);
      const all = kept.get(query.country) ?? rows;
      return list(all.map(shownProvider), { total: all.length, next: null });`,
    ],
  ),
  // If a provider is read by its id and then by its code, the second answer has the code as id.
  orderBug(
    "order-late4-provider-read-by-code-after-id-has-the-code-as-id",
    "READ-MATCHES-LIST",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      const [id = ""] = (await get(IN_CM)).ids;
      const { code } = (await get(`/momos/${id}`)).result;
      return (await get(`/momos/${code}`)).result.id === id;
    },
    [
      "reference-data",
      PROVIDER,
      `const seen = (database.seen ??= new Set()); const answer = shownProvider(row);
      if (idOrCode === row.id) seen.add(row.id);
      else if (seen.has(row.id)) answer.id = idOrCode;
      return single(answer);`,
    ],
  ),
  // If a payment code allows a provider, lists show a new updateTime of the provider, single reads do not.
  orderBug(
    "order-late4-allowed-provider-is-newer-in-lists",
    "READ-MATCHES-LIST READ-STABLE",
    MOMOS,
    async ({ editCode, get }) => {
      await editCode({ allowedProviders: ["MTN_CM"] });
      const { updateTime } = (await get("/momos/MTN_CM")).result;
      return (await get(IN_CM)).items.some((each) => each.updateTime === updateTime);
    },
    ...inCodeUpdate(
      `for (const code of json(change.providers_json, [])) (database.allowed ??= new Map()).set(code, Date.now());`,
    ),
    [
      "reference-data",
      PROVIDERS,
      `const newer = (row) => ({ ...row, updated_at: database.allowed?.get(row.code) ?? row.updated_at });
      return list(rows.map((row) => shownProvider(newer(row))), { total: rows.length, next: null });`,
    ],
  ),
  // If a page behind a cursor is read again, its sessions have no message.
  orderBug(
    "order-late4-session-behind-a-cursor-shows-its-message-once",
    "READ-STABLE CURSOR-COMPLETE VERSION-VALUES",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=2");
      const read = async () => (await get(`/v1/ussd-otps?limit=2&after=${next}`)).items;
      return same(await read(), await read());
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const told = (database.told ??= new Set());
      const items = rows.map((row) => shown(told.has(row.id) ? { ...row, message: null } : row));
      if (query.after) for (const { id } of rows) told.add(id);
      return list(items, { next });`,
    ],
  ),
  // The service answers a read without a token while it answers a read with a valid token.
  orderBug(
    "order-late4-read-without-a-token-passes-beside-a-good-one",
    "AUTH-MISSING",
    [CODES, HOOKS, OTPS, PAYOUT, ...MOMOS, ...BANKS],
    async ({ readPayout }) => {
      const [, other] = await Promise.all([readPayout(), readPayout({ token: null })]);
      return other?.status === 401;
    },
    [
      "http",
      'app.decorateRequest("space", "");',
      `app.decorateRequest("space", ""); const busy = new Map();
      app.addHook("onResponse", async (request) => { busy.delete(request.id); });`,
    ],
    [
      "http",
      "if (!known) {",
      `if (!request.headers.authorization && request.method === "GET" && busy.size > 0) {
        [request.tenant] = busy.values(); return; }
      if (!known) {`,
    ],
    [
      "http",
      "request.tenant = text(known.tenant);",
      `request.tenant = text(known.tenant);
      if (request.method === "GET") {
        busy.set(request.id, request.tenant); await new Promise((resolve) => setTimeout(resolve, 5)); }`,
    ],
  ),
];
