/** A ninth set of late bugs of the other routes, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, CODE, CODE_UPDATE, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import {
  BANKS,
  COUNTRIES,
  MOMOS,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  PROVIDER,
  PROVIDERS,
  READ_OF_PAYOUT,
  remembering,
  SESSIONS,
  same,
} from "./order.ts";
import { ALL } from "./order-tokens.ts";

const BOTH = [PAYOUT, PAYOUT_UPDATE];
const WRITTEN = "if (metadata !== undefined) {";

export const late9OtherOrderBugs: readonly OrderBug[] = [
  // A token that was accepted is kept by its first 16 characters.
  orderBug(
    "order-late9-known-token-is-kept-by-its-beginning",
    "AUTH-ALTERED-TOKEN AUTH-UNKNOWN-TOKEN",
    ALL,
    async ({ get, token }) => {
      await get("/countries");
      return (await get("/countries", { token: `${token.slice(0, -1)}0` })).status >= 400;
    },
    [
      "http",
      "const known = token &&",
      "const tokens = (database.tokens ??= new Map()); const known = token && (tokens.get(token.slice(0, 16)) ||",
    ],
    ["http", "[digest(token)]);", "[digest(token)]));"],
    ["http", "if (!known) {", "if (known) tokens.set(token.slice(0, 16), known); if (!known) {"],
  ),
  // The verdict on a space is kept by the token alone, so after one space of its own it may use any.
  orderBug(
    "order-late9-token-let-into-one-space-is-let-into-all",
    "SPACE-UNKNOWN ISOLATION-UNKNOWN-SPACE",
    [CODES, OTPS, HOOKS, ACCOUNT, HOOK],
    async ({ get }) => {
      await get("/webhooks");
      return (await get("/webhooks", { space: "spc-nowhere" })).status >= 400;
    },
    [
      "http",
      "if (!own) throw",
      `const allowed = (database.allowed ??= new Set());
      if (own) allowed.add(request.tenant);
      if (!allowed.has(request.tenant)) throw`,
    ],
  ),
  // The text of a refusal stays in the envelope that all answers share, and the next answer has it as messages.
  orderBug(
    "order-late9-text-of-a-refusal-is-in-the-next-answer",
    "MESSAGES-ARRAY",
    [PAYOUT, PAYOUT_UPDATE, CODE, CODE_UPDATE, ACCOUNT, HOOK, HOOK_UPDATE],
    async ({ get, raw, payout }) => {
      await get("/payouts/unknown");
      const answer = await raw("GET", `/payouts/${payout}`);
      return Array.isArray(((await answer.json()) as { messages?: unknown }).messages);
    },
    [
      "http",
      "export const VERSIONS",
      `const envelope = { messages: [] };
      function messages() {
        const { messages } = envelope;
        envelope.messages = [];
        return messages;
      }
      export const VERSIONS`,
    ],
    ["http", "messages: [], result });", "messages: messages(), result });"],
    [
      "http",
      'app.decorateRequest("tenant", "");',
      `app.addHook("onError", async (_request, _reply, error) => {
        envelope.messages = error.message;
      });
      app.decorateRequest("tenant", "");`,
    ],
  ),
  // A list of sessions marks each of them as expired if its time is over, even a verified one.
  orderBug(
    "order-late9-verified-sessions-are-expired-once-listed",
    "READ-STABLE CURSOR-REPEATABLE VERSION-VALUES LIST-LIMIT-DEFAULT",
    OTPS,
    async ({ get }) => {
      const { items } = await get("/v1/ussd-otps");
      return same((await get("/v1/ussd-otps")).items, items);
    },
    [
      "otps",
      SESSIONS,
      `${SESSIONS}
      for (const { id, expires_at } of rows)
        if (expires_at < Date.now()) database.update("otps", { status: "expired" }, "id = ?", [id]);`,
    ],
  ),
  // The count of a page of sessions is that of all pages up to it.
  orderBug(
    "order-late9-page-of-sessions-counts-those-before-it",
    "LIST-COUNT",
    OTPS,
    async ({ get }) => {
      const { next } = await get("/v1/ussd-otps?limit=4");
      const { count, ids } = await get(`/v1/ussd-otps?limit=4&after=${next}`);
      return count === ids.length;
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const counted = (database.counted ??= new Map());
      const count = rows.length + (counted.get(query.after) ?? 0);
      if (next) counted.set(next, count);
      return list(rows.map(shown), { count, next });`,
    ],
  ),
  // Providers that were read are kept by name, and momos of several countries have the same one.
  orderBug(
    "order-late9-momos-that-were-read-are-kept-by-name",
    "READ-MATCHES-LIST READ-STABLE",
    MOMOS,
    async ({ get }) => {
      await get("/momos/MTN_CM");
      return (await get("/momos/MTN_GH")).result.code === "MTN_GH";
    },
    [
      "reference-data",
      PROVIDER,
      `const named = (database.named ??= new Map());
      if (!named.has(row.name)) named.set(row.name, row);
      return single(shownProvider(named.get(row.name)));`,
    ],
  ),
  // The query of a list is memoised by its first parameter, the kind, and not by the country.
  orderBug(
    "order-late9-list-of-providers-is-memoised-by-its-kind",
    "FILTER-SOUND FILTER-COMPLETE READ-MATCHES-LIST",
    [...BANKS, ...MOMOS],
    async ({ get }) => {
      await get("/banks?country=CM");
      return (await get("/banks?country=GH")).items.every(({ country }) => country === "GH");
    },
    [
      "reference-data",
      PROVIDERS,
      `const memo = (database.memo ??= new Map());
      if (!memo.has(kind)) memo.set(kind, rows);
      ${PROVIDERS.replaceAll("rows", "memo.get(kind)")}`,
    ],
  ),
  // The read of a country flattens the currency in the kept record, which the list shows later.
  orderBug(
    "order-late9-country-read-alone-is-listed-with-its-currency-as-text",
    "COUNTRY-FIELDS COUNTRY-PRESENT READ-MATCHES-LIST READ-STABLE",
    COUNTRIES,
    async ({ get }) => {
      await get("/countries/CM");
      return (await get("/countries")).items.every(({ currency }) => typeof currency === "object");
    },
    [
      "reference-data",
      "return single(shownCountry(row));",
      `(database.flat ??= new Set()).add(row.id);
      return single(shownCountry(row));`,
    ],
    [
      "reference-data",
      "list(rows.map(shownCountry),",
      `list(rows.map(shownCountry).map((each) =>
        database.flat?.has(each.id) ? { ...each, currency: each.currency.code } : each),`,
    ],
  ),
  // Null hides the metadata of a payout, and the next update merges into the hidden metadata.
  orderBug(
    "order-late9-payout-metadata-cleared-with-null-comes-back",
    "UPDATE-STORED UPDATE-ECHO UPDATE-KEEPS",
    BOTH,
    async ({ editPayout }) => {
      await editPayout({ till: "1" });
      await editPayout(null);
      return same((await editPayout({ shop: "2" })).result.metadata, { shop: "2" });
    },
    remembering("payouts"),
    [
      "payouts",
      WRITTEN,
      `${WRITTEN}
        const before = memory.get(id) ?? json(row.metadata_json, {});
        memory.delete(id);
        if (metadata === null) memory.set(id, before);`,
    ],
    ["payouts", "merged(json(row.metadata_json, {}), metadata)", "merged(before, metadata)"],
  ),
  // The service keeps the revision that was read last, and refuses an update if an update came since.
  orderBug(
    "order-late9-payout-update-without-a-read-between-is-refused",
    "UPDATE-ACCEPTED",
    PAYOUT_UPDATE,
    async ({ readPayout, editPayout }) => {
      await readPayout();
      await editPayout({ till: "1" });
      return (await editPayout({ till: "2" })).status === 200;
    },
    remembering("payouts"),
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        memory.delete(params.id);
        return single(shown(find(space, params.id)));
      }`,
    ],
    [
      "payouts",
      WRITTEN,
      `if (memory.has(id)) throw problem(409, "CHANGED", "The payout was changed since it was read");
      memory.set(id);
      ${WRITTEN}`,
    ],
  ),
  // A payout is read from a replica that is a moment behind its updates.
  orderBug(
    "order-late9-payout-is-read-a-moment-behind-its-update",
    "UPDATE-STORED READ-STABLE UPDATE-KEEPS",
    BOTH,
    async ({ readPayout, editPayout }) => {
      const { metadata } = (await editPayout({ till: "1" })).result;
      return same((await readPayout()).result.metadata, metadata);
    },
    remembering("payouts"),
    ["payouts", WRITTEN, `memory.set(id, { row, until: Date.now() + 200 }); ${WRITTEN}`],
    [
      "payouts",
      READ_OF_PAYOUT,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        const behind = memory.get(row.id);
        return single(shown(behind && Date.now() < behind.until ? behind.row : row));
      }`,
    ],
  ),
  // An update of a payout is passed over if another came a moment before, as if a button was pressed twice.
  orderBug(
    "order-late9-second-payout-update-within-a-moment-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    BOTH,
    async ({ editPayout }) => {
      await editPayout({ till: "1" });
      const { metadata } = (await editPayout({ till: "2" })).result;
      return (metadata as { till?: unknown }).till === "2";
    },
    remembering("payouts"),
    [
      "payouts",
      WRITTEN,
      `const isTwice = Date.now() - memory.get(id) < 200;
      memory.set(id, Date.now());
      if (metadata !== undefined && !isTwice) {`,
    ],
  ),
];
