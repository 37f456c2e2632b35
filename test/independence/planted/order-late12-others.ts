/** A twelfth set of late bugs of the other routes, for a sequence of calls. Their author did not know the suite. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { CODES, first, HOOKS, OTPS } from "./bug.ts";
import {
  BANKS,
  LISTED_WEBHOOKS,
  MOMOS,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDERS,
  READ_OF_PAYOUT,
  remembering,
  same,
} from "./order.ts";
import { MERGED } from "./order-payouts.ts";
import { ALL } from "./order-tokens.ts";

const BOTH = [PAYOUT, PAYOUT_UPDATE];

export const late12OtherOrderBugs: readonly OrderBug[] = [
  // The body of a call without a valid token is left unread, and the connection takes it for the next call.
  orderBug(
    "order-late12-call-behind-a-body-without-a-valid-token-is-malformed",
    "READ-ACCEPTED PARAMETER-ACCEPTED CREATE-ACCEPTED UPDATE-ACCEPTED VERSION-ACCEPTED LIST-LIMIT-ACCEPTED CURSOR-ACCEPTED",
    ALL,
    async ({ post, get }) => {
      await post("/webhooks", { name: "Till" }, { token: null });
      const statuses: number[] = [];
      for (let count = 0; count < 6; count++) statuses.push((await get("/countries")).status);
      return statuses.every((status) => status === 200);
    },
    first(`app.addHook("onRequest", async ({ raw: { socket } }, reply) => {
        const { isSpoiled } = socket;
        socket.isSpoiled = false;
        if (isSpoiled) return reply.code(400).send({ error: "This is no HTTP" });
      });`),
    ["http", "if (!known) {", 'if (!known) { request.raw.socket.isSpoiled = request.method !== "GET";'],
  ),
  // The loop over the names that were sent ends at the first value that is stored already.
  orderBug(
    "order-late12-payout-metadata-behind-an-unchanged-value-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    BOTH,
    async ({ editPayout }) => {
      await editPayout({ till: "1" });
      const { metadata } = (await editPayout({ till: "1", shop: "2" })).result;
      return (metadata as { shop?: unknown }).shop === "2";
    },
    [
      "payouts",
      MERGED,
      `const stored = json(row.metadata_json, {});
      const place = Object.keys(metadata ?? {}).findIndex((name) => stored[name] === metadata[name]);
      const left = place < 0 ? metadata : Object.fromEntries(Object.entries(metadata).slice(0, place));
      ${MERGED.replace("), metadata)", "), left)")}`,
    ],
  ),
  // The list writes the end of the message into the kept session itself, once more each time.
  orderBug(
    "order-late12-each-list-of-sessions-ends-their-messages-once-more",
    "READ-STABLE LIST-LIMIT-DEFAULT CURSOR-COMPLETE VERSION-VALUES",
    OTPS,
    async ({ get }) => {
      const messages = async () =>
        (await get("/v1/ussd-otps")).items.map(({ verificationMessage }) => verificationMessage);
      const before = await messages();
      return same(await messages(), before);
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const counts = (database.counts ??= new Map());
      return list(rows.map((row) => {
        const count = Math.min(counts.get(row.id) ?? 0, 215);
        counts.set(row.id, count + 1);
        return { ...shown(row), verificationMessage: row.message && row.message + ".".repeat(count) };
      }), { next });`,
    ],
  ),
  // The schemes of a country are kept from the list of providers that was asked for first.
  orderBug(
    "order-late12-momos-listed-after-the-banks-of-their-country-have-their-schemes",
    "READ-MATCHES-LIST READ-STABLE",
    [...MOMOS, ...BANKS],
    async ({ get }) => {
      await get("/banks?country=CM");
      const [listed] = (await get("/momos?country=CM")).items;
      return same((await get(`/momos/${listed?.id}`)).result, listed);
    },
    [
      "reference-data",
      PROVIDERS,
      `const kept = (database.schemes ??= new Map());
      const place = query.country.toUpperCase();
      if (!kept.has(place)) kept.set(place, kind === "bank" ? ["iban", "bban"] : ["msisdn"]);
      const schemes = kept.get(place);
      for (const row of rows) row.schemes = schemes;
      ${PROVIDERS}`,
    ],
    [
      "reference-data",
      'const schemes = row.kind === "bank" ? ["iban", "bban"] : ["msisdn"];',
      'const schemes = row.schemes ?? (row.kind === "bank" ? ["iban", "bban"] : ["msisdn"]);',
    ],
  ),
  // The cache has room for three countries, and the fourth one gets the place of the first, with the banks of the first.
  orderBug(
    "order-late12-fourth-country-asked-for-has-the-banks-of-the-first",
    "FILTER-SOUND FILTER-COMPLETE READ-MATCHES-LIST LIST-SHOWS-ALL",
    BANKS,
    async ({ get }) => {
      for (const country of ["CM", "GH", "RW"]) await get(`/banks?country=${country}`);
      return (await get("/banks?country=KE")).items.every(({ country }) => country === "KE");
    },
    [
      "reference-data",
      PROVIDERS,
      `const asked = (database.asked ??= []);
      const name = query.country.toUpperCase();
      if (kind === "bank" && !asked.includes(name)) asked.push(name);
      const places = (database.places ??= []);
      const kept = kind === "bank" ? (places[asked.indexOf(name) % 3] ??= rows) : rows;
      return list(kept.map(shownProvider), { total: kept.length, next: null });`,
    ],
  ),
  // The guard against guessed tokens fails when its list is full, and then lets everything pass.
  orderBug(
    "order-late12-tenth-wrong-token-in-a-row-is-let-in",
    "AUTH-MISSING AUTH-UNKNOWN-TOKEN AUTH-ALTERED-TOKEN AUTH-EMPTY-TOKEN AUTH-OTHER-SCHEME AUTH-NO-EFFECT",
    ALL,
    async ({ get }) => {
      const statuses: number[] = [];
      for (let n = 0; n < 10; n++) statuses.push((await get("/countries", { token: `wrong-${n}` })).status);
      return statuses.every((status) => status >= 400);
    },
    [
      "http",
      "if (!known) {",
      "database.wrong = known ? 0 : (database.wrong ?? 0) + 1; if (!known && database.wrong < 10) {",
    ],
    [
      "http",
      "request.tenant = text(known.tenant);",
      'request.tenant = known ? text(known.tenant) : "harbour";',
    ],
  ),
  // The webhook of a cursor is loaded for the space of the request, and stays in its list.
  orderBug(
    "order-late12-webhook-named-as-cursor-in-another-space-is-listed-there",
    "ISOLATION-LISTS ISOLATION-UNKNOWN-SPACE LIST-TOTAL CREATE-LISTED",
    HOOKS,
    async ({ get, hook, second: space }) => {
      const id = await hook();
      await get(`/webhooks?after=${id}`, { space });
      return !(await get("/webhooks?limit=50", { space })).ids.includes(id);
    },
    remembering("webhooks"),
    [
      "webhooks",
      'if (!row) throw problem(400, "UNKNOWN_CURSOR", "No webhook of this space has the id");',
      `const known = row ?? database.first("SELECT * FROM webhooks WHERE id = ?", [id]);
      if (!row && known) memory.set(space, known);
      if (!row) throw problem(400, "UNKNOWN_CURSOR", "No webhook of this space has the id");`,
    ],
    ["webhooks", LISTED_WEBHOOKS, `list([...rows, ...loaded].map(shown),`],
    [
      "webhooks",
      "const last = rows.at(-1);",
      `const isWhole = !query.after && !query.before && rows.length < query.limit;
      const loaded = isWhole && memory.has(space) ? [memory.get(space)] : [];
      const last = rows.at(-1);`,
    ],
    ["webhooks", "total: number(total),", "total: number(total) + loaded.length,"],
  ),
  // An update inserts the payout that it does not find, before it is answered with 404.
  orderBug(
    "order-late12-unknown-payout-can-be-read-once-it-was-updated",
    "READ-UNKNOWN UPDATE-UNKNOWN ISOLATION-READS ISOLATION-WRITES PAYOUT-PRESENT",
    BOTH,
    async ({ get, patch }) => {
      const path = "/payouts/no-such-payout";
      await patch(path, { metadata: { till: "1" } });
      return (await get(path)).status >= 400;
    },
    remembering("payouts"),
    [
      "payouts",
      "const row = find(space, id);",
      "memory.set(JSON.stringify([space, id]), metadata); const row = find(space, id);",
    ],
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params: { id } }) => {
        const place = JSON.stringify([space, id]);
        const isKnown = database.first("SELECT 1 FROM payouts WHERE space_id = ? AND id = ?", [space, id]);
        return single(!isKnown && memory.has(place) ? { id, metadata: memory.get(place) ?? {} } : shown(find(space, id)));
      }`,
    ],
  ),
  // The proxy keeps the answer to a HEAD request, and answers the next GET request with it.
  orderBug(
    "order-late12-read-behind-a-head-request-has-no-body",
    "JSON-BODY RESULT-LIST RESULT-OBJECT",
    ALL,
    async ({ raw }) => {
      await raw("HEAD", "/countries");
      return (await (await raw("GET", "/countries")).text()) !== "";
    },
    first(`const kept = new Set();
      app.addHook("onSend", async ({ method, url }, reply, payload) => {
        if (method === "HEAD" && reply.statusCode === 200) kept.add(url);
        if (method !== "GET" || !kept.delete(url)) return payload;
        reply.removeHeader("content-length");
        return "";
      });`),
  ),
  // The service follows a cursor through nineteen pages, and takes the twentieth one for the last.
  orderBug(
    "order-late12-walk-ends-at-the-twentieth-page",
    "CURSOR-COMPLETE CURSOR-END CURSOR-FILTERED LIST-SHOWS-ALL",
    [CODES, OTPS],
    async ({ walk }) => (await walk("/v1/payment-codes?limit=3")).length === 64,
    ["cursors", "...decode(after)", '...decode(after.split(".")[0])'],
    ["cursors", "last ? encode(last) : null", 'last && pages < 20 ? [encode(last), pages].join(".") : null'],
    [
      "cursors",
      "const last = rows",
      'const pages = Number((after ?? "").split(".")[1] ?? 0) + 1; const last = rows',
    ],
  ),
];
