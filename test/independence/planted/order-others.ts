/**
 * Variations of bugs of other files, at other operations or fields. Only a sequence of requests shows them.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { ACCOUNT, CODE, CODE_UPDATE, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import { inCodeUpdate, inWebhookUpdate, OLDER, type OrderBug, orderBug, remembering, same } from "./order.ts";

const inHours = (hours: number) =>
  new Date(Math.ceil(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString();

export const otherOrderBugs: readonly OrderBug[] = [
  orderBug(
    "headers-after-null-name-are-kept",
    "UPDATE-ECHO UPDATE-STORED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ customHeaders: { "X-Shop": "1" } });
      await editHook(id, { name: null });
      const { customHeaders } = (await editHook(id, { customHeaders: { "X-Shop": "2" } })).result;
      return same(customHeaders, { "X-Shop": "2" });
    },
    ...inWebhookUpdate(
      `if (body.name === null) memory.set(id, true);
      else if (body.customHeaders && memory.delete(id)) delete change.headers_json;`,
    ),
  ),
  orderBug(
    "deactivation-after-null-undone",
    "UPDATE-STORED",
    [CODE_UPDATE, CODE],
    async ({ editCode, readCode }) => {
      await editCode({ isActive: true });
      await editCode({ isActive: null });
      await editCode({ isActive: false });
      return (await readCode()).result.isActive === false;
    },
    ...inCodeUpdate(
      `if (sent.isActive === null) memory.set(id, true);
      else if (sent.isActive === false && memory.delete(id)) setImmediate(() => database.update("payment_codes", { enabled: 1 }, "id = ?", [id]));`,
    ),
  ),
  orderBug(
    "update-after-an-older-one-moves-the-expiry",
    "UPDATE-KEEPS",
    CODE_UPDATE,
    async ({ editCode }) => {
      const expireTime = inHours(3);
      await editCode({ expireTime });
      await editCode({ name: "Renamed" }, { version: OLDER });
      return (await editCode({ metadata: { run: "1" } })).result.expireTime === expireTime;
    },
    [
      "payment-codes",
      "async ({ space, params: { id }, body: sent }) => {",
      "async ({ space, params: { id }, body: sent, headers: given }) => {",
    ],
    ...inCodeUpdate(
      `if (given["service-version"] === "${OLDER}") memory.set(id, true);
      else if (memory.delete(id)) change.expires_at ??= Number(row.expires_at) + 3_600_000;`,
    ),
  ),
  orderBug(
    "cancelling-restores-the-first-metadata",
    "UPDATE-KEEPS CANCEL-TOGETHER",
    CODE_UPDATE,
    async ({ patch, cancel, cancellable }) => {
      await patch(`/payment-codes/${cancellable}`, { metadata: { run: "1" } });
      await patch(`/payment-codes/${cancellable}`, { metadata: { run: "2" } });
      return same((await cancel()).result.metadata, { run: "2" });
    },
    ...inCodeUpdate(
      `const [first] = memory.get(id) ?? []; if (change.metadata_json) memory.set(id, [first ?? change.metadata_json]);
      if (change.status && first) change.metadata_json ??= first;`,
    ),
  ),
  orderBug(
    "two-code-updates-answer-the-later",
    "UPDATE-ECHO",
    CODE_UPDATE,
    async ({ editCode }) => {
      const names = ["One", "Other"];
      const answers = await Promise.all(names.map((name) => editCode({ name })));
      return answers.every(({ result }, n) => result.name === names[n]);
    },
    ...inCodeUpdate("", "await new Promise((resolve) => setTimeout(resolve, 20));"),
  ),
  orderBug(
    "third-webhook-update-drops-headers",
    "UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ customHeaders: { "X-Shop": "1" } });
      for (const name of ["One", "Two"]) await editHook(id, { name });
      return same((await editHook(id, { name: "Three" })).result.customHeaders, { "X-Shop": "1" });
    },
    ...inWebhookUpdate(
      `const times = body.customHeaders ? 0 : (memory.get(id) ?? 0) + 1; memory.set(id, times);
      if (times === 3) change.headers_json = "{}";`,
    ),
  ),
  orderBug(
    "reactivating-brings-the-older-name-back",
    "UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true, name: "First" });
      await editHook(id, { isActive: false });
      await editHook(id, { name: "Second" });
      return (await editHook(id, { isActive: true })).result.name === "Second";
    },
    ...inWebhookUpdate(
      `if (change.active === 0 && row.active === 1) memory.set(id, row.name);
      if (change.active === 1 && memory.has(id)) { change.name ??= memory.get(id); memory.delete(id); }`,
    ),
  ),
  orderBug(
    "refused-small-limit-empties-the-next-list",
    "LIST-LIMIT-DEFAULT READ-STABLE",
    OTPS,
    async ({ get }) => {
      await get("/v1/ussd-otps?limit=0");
      return (await get("/v1/ussd-otps")).ids.length > 0;
    },
    [
      "otps",
      "querystring },",
      `querystring }, onError: async ({ query }, _, error) => { if (error.validation && Number(query.limit) < 1) database.small = true; },`,
    ],
    [
      "otps",
      "return list(rows.map(shown), { next });",
      "if (database.small) { database.small = false; return list([], { next: null }); } return list(rows.map(shown), { next });",
    ],
  ),
  orderBug(
    "country-unknown-once-asked-as-a-bank",
    "READ-ACCEPTED READ-STABLE READ-MATCHES-LIST",
    ["GET /countries/{idOrCode}"],
    async ({ get }) => {
      const [{ id } = { id: "" }] = (await get("/countries")).items;
      await get(`/banks/${id}`);
      return (await get(`/countries/${id}`)).status === 200;
    },
    [
      "reference-data",
      'if (!row) throw problem(404, "NOT_FOUND", `There is no such ${kind}`);',
      `if (!row) { (database.unknown ??= new Set()).add(idOrCode); throw problem(404, "NOT_FOUND", "There is no such provider"); }`,
    ],
    [
      "reference-data",
      'if (!row) throw problem(404, "NOT_FOUND", "There is no such country");',
      'if (!row || database.unknown?.has(idOrCode)) throw problem(404, "NOT_FOUND", "There is no such country");',
    ],
  ),
  orderBug(
    "code-read-in-the-second-space-is-hidden",
    "READ-ACCEPTED READ-STABLE",
    CODE,
    async ({ readCode, second: space }) => {
      await readCode({ space });
      return (await readCode()).status === 200;
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      "async ({ space, params }) => single(detailed(find(space, params.id)))",
      `async ({ space, params }) => { const own = database.first("SELECT space_id FROM payment_codes WHERE id = ?", [params.id]);
        if (own && own.space_id !== space) memory.set(params.id, true);
        else if (memory.delete(params.id)) throw problem(404, "NOT_FOUND", "There is no such payment code");
        return single(detailed(find(space, params.id))); }`,
    ],
  ),
  orderBug(
    "key-forgotten-after-a-refused-create",
    "KEY-REPLAY",
    [ACCOUNT, HOOK],
    async ({ account }) => {
      const { result } = await account({ name: "One", reference: "R-1" }, { key: "k-1" });
      await account({ name: "Two" }, { key: "k-1" });
      const again = await account({ name: "One", reference: "R-1" }, { key: "k-1" });
      return again.status >= 400 ? again.status !== 409 : again.result.id === result.id;
    },
    [
      "idempotency",
      "if (used.request_digest !== sent)",
      `if (used.request_digest !== sent) setImmediate(() => database.run("DELETE FROM idempotency_keys WHERE key = ?", [key]));
      if (used.request_digest !== sent)`,
    ],
  ),
  orderBug(
    "pages-of-one-webhook-kept",
    "UPDATE-STORED UPDATE-KEEPS READ-STABLE",
    [HOOK_UPDATE, HOOKS],
    async ({ get, hook, editHook }) => {
      const before = (await hook()) || "";
      const id = await hook();
      const page = () => get(`/webhooks?limit=1&after=${before}`);
      await page();
      await editHook(id, { name: "Renamed" });
      return (await page()).items[0]?.name === "Renamed";
    },
    remembering("webhooks"),
    [
      "webhooks",
      "return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });",
      `const answer = list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });
      const name = space + JSON.stringify(query); if (query.limit !== 1 || !rows[0]) return answer;
      if (!memory.has(name)) memory.set(name, answer); return memory.get(name);`,
    ],
  ),
  orderBug(
    "status-of-the-first-page-kept-behind-cursors",
    "CURSOR-FILTERED FILTER-SOUND CURSOR-COMPLETE CURSOR-ONCE READ-STABLE",
    CODES,
    async ({ get }) => {
      const { next } = await get("/v1/payment-codes?limit=5");
      const { ids } = await get(`/v1/payment-codes?limit=5&after=${next}`);
      await get("/v1/payment-codes?limit=5&status=completed");
      return same((await get(`/v1/payment-codes?limit=5&after=${next}`)).ids, ids);
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      "const { ussd_code, mode, status } = query;",
      `const { ussd_code, mode } = query; if (!query.after) memory.set(space, query.status);
      const status = query.after ? memory.get(space) : query.status;`,
    ],
  ),
  orderBug(
    "name-sent-without-a-token-comes-with-the-next-deactivation",
    "AUTH-NO-EFFECT UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ name: "First", isActive: true });
      await editHook(id, { name: "Stray" }, { token: "sk_wrong" });
      return (await editHook(id, { isActive: false })).result.name === "First";
    },
    ["http", 'app.addHook("onRequest"', 'app.addHook("preValidation"'],
    [
      "http",
      "if (!known) {",
      'if (!known && request.method === "PATCH" && request.body?.name) (database.strays ??= new Map()).set(request.params.id, request.body.name); if (!known) {',
    ],
    ...inWebhookUpdate(
      `const stray = database.strays?.get(id);
      if (typeof stray === "string" && change.active === 0) { change.name ??= stray; database.strays.delete(id); }`,
    ),
  ),
];
