/** Bugs of spaces that only a sequence of calls shows. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { ACCOUNT, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import { inWebhookUpdate, type OrderBug, orderBug, PAYOUT, PAYOUT_UPDATE, remembering } from "./order.ts";

const HOOK_FOUND = 'database.first("SELECT * FROM webhooks WHERE space_id = ? AND id = ?", [space, id]);';

export const spaceOrderBugs: readonly OrderBug[] = [
  orderBug(
    "sessions-read-twice-are-kept-for-all-spaces",
    "ISOLATION-LISTS",
    OTPS,
    async ({ get, second: space }) => {
      const { ids } = await get("/v1/ussd-otps");
      await get("/v1/ussd-otps");
      return !(await get("/v1/ussd-otps", { space })).ids.some((id) => ids.includes(id));
    },
    [
      "otps",
      "return list(rows.map(shown), { next });",
      `const pages = (database.pages ??= new Map()); const name = JSON.stringify(query); const kept = pages.get(name);
      if (kept?.times > 1) return kept.answer; const answer = list(rows.map(shown), { next });
      pages.set(name, { times: kept?.space === space ? kept.times + 1 : 1, space, answer }); return answer;`,
    ],
  ),
  orderBug(
    "updated-webhooks-found-in-any-space",
    "ISOLATION-WRITES ISOLATION-READS",
    HOOK_UPDATE,
    async ({ hook, editHook, second: space }) => {
      const id = await hook();
      await editHook(id, { name: "Renamed" });
      return (await editHook(id, { name: "Taken" }, { space })).status >= 400;
    },
    [
      "webhooks",
      HOOK_FOUND,
      `${HOOK_FOUND.slice(0, -1)} ?? (memory.has(id) ? database.first("SELECT * FROM webhooks WHERE id = ?", [id]) : undefined);`,
    ],
    ...inWebhookUpdate("", 'database.update("webhooks", change, "id = ?", [id]); memory.set(id, true);'),
  ),
  orderBug(
    "updated-payouts-read-in-any-space",
    "ISOLATION-READS",
    PAYOUT,
    async ({ editPayout, readPayout, second: space }) => {
      await editPayout({ run: "1" });
      return (await readPayout({ space })).status >= 400;
    },
    remembering("payouts"),
    [
      "payouts",
      "single(shown(find(space, params.id)))",
      'single(shown((memory.has(params.id) && database.first("SELECT * FROM payouts WHERE id = ?", [params.id])) || find(space, params.id)))',
    ],
    ["payouts", "const row = find(space, id);", "const row = find(space, id); memory.set(id, true);"],
  ),
  orderBug(
    "refused-space-is-known-the-second-time",
    "SPACE-UNKNOWN",
    [CODES, OTPS, HOOKS, ACCOUNT, HOOK],
    async ({ get }) => {
      await get("/webhooks", { space: "spc-nowhere" });
      return (await get("/webhooks", { space: "spc-nowhere" })).status >= 400;
    },
    [
      "http",
      "if (!own) throw",
      `const asked = (database.asked ??= new Set()); const before = asked.has(space); asked.add(space);
      if (!own && (!before || database.first("SELECT 1 FROM spaces WHERE id = ?", [space]))) throw`,
    ],
  ),
  orderBug(
    "cursor-brings-its-space",
    "ISOLATION-LISTS",
    [CODES, OTPS],
    async ({ get, second: space }) => {
      const { next } = await get("/v1/payment-codes?limit=3");
      const mine = await get(`/v1/payment-codes?limit=3&after=${next}`);
      const theirs = await get(`/v1/payment-codes?limit=3&after=${next}`, { space });
      return !theirs.ids.some((id) => mine.ids.includes(id));
    },
    [
      "cursors",
      "const conditions",
      `const origins = (database.origins ??= new Map()); if (after && origins.has(table + after)) filters = { ...filters, space_id: origins.get(table + after) };
      const conditions`,
    ],
    [
      "cursors",
      "return { rows: rows.slice(0, limit),",
      "if (rows.length > limit && last) origins.set(table + encode(last), filters.space_id); return { rows: rows.slice(0, limit),",
    ],
  ),
  orderBug(
    "replayed-keys-answer-in-all-spaces",
    "ISOLATION-KEYS ISOLATION-WRITES KEY-DISTINCT",
    [ACCOUNT, HOOK],
    async ({ account, second: space }) => {
      const { result } = await account({ name: "One" }, { key: "k-1" });
      await account({ name: "One" }, { key: "k-1" });
      return (await account({ name: "One" }, { key: "k-1", space })).result.id !== result.id;
    },
    [
      "idempotency",
      "const used = database.first(",
      "const hot = (database.hot ??= new Map()); const used = hot.get(operation + key) ?? database.first(",
    ],
    ["idempotency", "if (used) {", "if (used) { hot.set(operation + key, used);"],
  ),
  orderBug(
    "webhooks-made-in-the-space-listed-last",
    "CREATE-LISTED ISOLATION-WRITES ISOLATION-LISTS",
    [HOOK, HOOKS],
    async ({ get, hook, listedHook, second: space }) => {
      await get("/webhooks?limit=1", { space });
      const id = await hook();
      return (await listedHook(id)) !== undefined;
    },
    remembering("webhooks"),
    [
      "webhooks",
      "space_id: request.space, created_at",
      'space_id: memory.get("space") ?? request.space, created_at',
    ],
    ["webhooks", "find(request.space, id) ?? {}", "find(row.space_id, id) ?? {}"],
    ["webhooks", "const place = (id", 'memory.set("space", space); const place = (id'],
  ),
  orderBug(
    "reference-moves-to-the-space-that-used-it-last",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account, second: space }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1" }, { space });
      return (await account({ reference: "R-1" })).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      "const now = Date.now();",
      `const owners = (database.owners ??= new Map());
      if (sent.reference != null && owners.get(sent.reference) === space) throw problem(409, "REFERENCE_TAKEN", "Another account has the reference");
      owners.set(sent.reference, space); const now = Date.now();`,
    ],
  ),
  orderBug(
    "total-grows-with-other-spaces",
    "LIST-TOTAL LIST-TOTAL-EXACT",
    HOOKS,
    async ({ get, hook, second: space }) => {
      await get("/webhooks?limit=50");
      await hook({}, { space });
      const { ids, total } = await get("/webhooks?limit=50");
      return total === ids.length;
    },
    remembering("webhooks"),
    [
      "webhooks",
      'database.insert("webhooks", row);',
      'database.insert("webhooks", row); database.made = (database.made ?? 0) + 1;',
    ],
    [
      "webhooks",
      "return list(rows.map(shown), { total: number(total),",
      `const made = database.made ?? 0; if (!memory.has(space)) memory.set(space, number(total) - made);
      return list(rows.map(shown), { total: memory.get(space) + made,`,
    ],
  ),
  orderBug(
    "payout-update-for-an-unknown-space-joins-the-next",
    "ISOLATION-UNKNOWN-SPACE ISOLATION-WRITES UPDATE-NO-EFFECT",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout }) => {
      await editPayout({ stray: "1" }, { space: "spc-nowhere" });
      const { metadata } = (await editPayout({ run: "1" })).result;
      return !("stray" in (metadata as object));
    },
    [
      "payouts",
      "const preHandler = inSpace(database);",
      `const memory = new Map(); const known = inSpace(database); const preHandler = async (request) => {
        try { await known(request); } catch (error) { if (request.body?.metadata) memory.set(request.params.id, request.body.metadata); throw error; } };`,
    ],
    [
      "payouts",
      "merged(json(row.metadata_json, {}), metadata)",
      "merged(json(row.metadata_json, {}), metadata && { ...memory.get(id), ...metadata })",
    ],
  ),
];
