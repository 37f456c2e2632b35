/**
 * Bugs of accounts, keys, webhooks and payouts that only a sequence of calls shows. Their author did not know
 * the suite.
 */

import { ACCOUNT, type Edit, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  OLDER,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  remembering,
  same,
} from "./order.ts";

const PAUSE = "await new Promise((resolve) => setTimeout(resolve, 25));";
const OTHER_URL = "https://shop.example.com/hooks/Refunds?v=2";
const LAST_NUMBER =
  'const { last } = database.first("SELECT coalesce(max(number), 0) AS last FROM accounts") ?? {};';
const METADATA_SENT = "if (metadata !== undefined) {";
const PAYOUT_UPDATED = "return single(shown(find(space, id)));";

/** Inserts statements into the route of a create, after the space is known. They may use `request`. */
const beforeCreate = (file: string, body: string, statements: string): Edit => [
  file,
  `key: true }), ${body} }, preHandler`,
  `key: true }), ${body} }, preHandler: [preHandler, async (request) => { ${statements} }]`,
];

export const freshOrderBugs: readonly OrderBug[] = [
  orderBug(
    "account-numbers-taken-twice-at-the-same-moment",
    "ACCOUNT-NUMBER-UNIQUE",
    ACCOUNT,
    async ({ account }) => {
      const [one, other] = await Promise.all([account(), account()]);
      return one?.result.uvan !== other?.result.uvan;
    },
    ["tables", "uvan TEXT NOT NULL UNIQUE", "uvan TEXT NOT NULL"],
    ["accounts", LAST_NUMBER, "const last = database.numbers.get(sent);"],
    beforeCreate(
      "accounts",
      "body",
      `${LAST_NUMBER} (database.numbers ??= new WeakMap()).set(request.body, last); ${PAUSE}`,
    ),
  ),
  orderBug(
    "same-account-name-again-gets-a-number",
    "CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      await account({ name: "Savings" });
      return (await account({ name: "Savings" })).result.name === "Savings";
    },
    [
      "accounts",
      "const now = Date.now();",
      `const { times } = database.first("SELECT count(*) AS times FROM accounts WHERE space_id = ? AND name = ?", [space, sent.name.trim()]);
      const now = Date.now();`,
    ],
    [
      "accounts",
      "name: sent.name.trim(),",
      'name: sent.name.trim() + (times ? " (" + (times + 1) + ")" : ""),',
    ],
  ),
  orderBug(
    "key-overwritten-by-another-operation",
    "KEY-REPLAY",
    [ACCOUNT, HOOK],
    async ({ account, addHook }) => {
      const { result } = await account({ name: "One" }, { key: "k-1" });
      await addHook({}, { key: "k-1" });
      const again = await account({ name: "One" }, { key: "k-1" });
      return again.status >= 400 || again.result.id === result.id;
    },
    [
      "idempotency",
      "const answer = create();",
      `const answer = create();
      database.run("DELETE FROM idempotency_keys WHERE space_id = ? AND key = ?", [request.space, key]);`,
    ],
  ),
  orderBug(
    "call-refused-beside-its-twin-frees-the-key",
    "KEY-REPLAY KEY-PARALLEL",
    [ACCOUNT, HOOK],
    async ({ addHook }) => {
      const twin = () => addHook({ name: "Twin" }, { key: "k-1" });
      const made = (await Promise.all([twin(), twin()])).find(({ status }) => status === 200);
      const again = await twin();
      return again.status >= 400 || again.result.id === made?.result.id;
    },
    [
      "idempotency",
      "return database.transaction(() => {",
      `const running = (database.running ??= new Map()); const lock = JSON.stringify([request.space, operation, key]);
      if (running.has(lock)) { running.set(lock, "refused"); throw problem(409, "KEY_IN_USE", "A call with the key is running"); }
      running.set(lock, "alone");
      const free = () => { if (running.get(lock) === "refused") database.run("DELETE FROM idempotency_keys WHERE space_id = ? AND operation = ? AND key = ?", [request.space, operation, key]); running.delete(lock); };
      const later = async (work) => { try { ${PAUSE} return database.transaction(work); } finally { free(); } };
      return later(() => {`,
    ],
  ),
  orderBug(
    "equal-address-lists-are-one",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED READ-STABLE",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const alertEmails = ["ops@example.com"];
      const [one, other] = [await hook({ alertEmails }), await hook({ alertEmails })];
      await editHook(one, { alertEmails: ["desk@example.com"] });
      return same((await listedHook(other))?.alertEmails, alertEmails);
    },
    ...inWebhookUpdate(
      `if (change.emails_json && row.emails_json !== "[]")
        database.update("webhooks", { emails_json: change.emails_json }, "space_id = ? AND emails_json = ?", [space, row.emails_json]);`,
    ),
  ),
  orderBug(
    "webhook-at-the-url-of-a-moved-one-vanishes",
    "CREATE-LISTED UPDATE-STORED UPDATE-ACCEPTED READ-STABLE",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await editHook(await hook({ url: OTHER_URL }), {});
      return (await listedHook(id)) !== undefined;
    },
    ...inWebhookUpdate(
      `if (change.url !== row.url)
        database.run("DELETE FROM webhooks WHERE space_id = ? AND url = ? AND active = 0 AND id <> ?", [space, change.url, id]);`,
    ),
  ),
  orderBug(
    "same-update-of-another-webhook-taken-for-a-repeat",
    "UPDATE-ECHO UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const [one, other] = [await hook(), await hook()];
      await editHook(one, { name: "Renamed" });
      return (await editHook(other, { name: "Renamed" })).result.name === "Renamed";
    },
    ...inWebhookUpdate(
      `const like = JSON.stringify(body); const repeated = memory.get(space) === like; memory.set(space, like);
      if (repeated) return single(shown(row));`,
    ),
  ),
  orderBug(
    "webhook-back-at-its-first-url-is-made-anew",
    "UPDATE-IDENTITY",
    [HOOK_UPDATE, HOOKS],
    async ({ addHook, editHook }) => {
      const { id, createTime } = (await addHook()).result;
      await editHook(id, { url: OTHER_URL });
      return (await editHook(id, {})).result.createTime === createTime;
    },
    ...inWebhookUpdate(
      `if (!memory.has(id)) memory.set(id, row.url);
      if (change.url !== row.url && change.url === memory.get(id)) change.created_at = Math.max(Date.now(), Number(row.created_at) + 1);`,
    ),
  ),
  orderBug(
    "listing-writes-its-version-into-webhooks",
    "READ-STABLE UPDATE-KEEPS",
    [HOOKS, HOOK_UPDATE],
    async ({ hook, listedHook }) => {
      const id = await hook();
      const before = await listedHook(id);
      await listedHook(id, { version: OLDER });
      return same(await listedHook(id), before);
    },
    [
      "webhooks",
      "async ({ space, query }) => {",
      `async ({ space, query, headers: given }) => { const asked = given["service-version"];
      if (asked) database.update("webhooks", { api_version: asked }, "space_id = ? AND api_version IS NULL", [space]);`,
    ],
  ),
  orderBug(
    "webhooks-made-at-once-mix-their-spaces",
    "ISOLATION-WRITES ISOLATION-LISTS CREATE-LISTED",
    [HOOK, HOOKS],
    async ({ hook, listedHook, second: space }) => {
      const [id, other] = await Promise.all([hook(), hook({}, { space })]);
      return (
        (await listedHook(id)) !== undefined &&
        (await listedHook(id, { space })) === undefined &&
        (await listedHook(other, { space })) !== undefined
      );
    },
    beforeCreate("webhooks", "body: created", `database.current = request.space; ${PAUSE}`),
    ["webhooks", "space_id: request.space", "space_id: database.current"],
    ["webhooks", "find(request.space, id)", "find(database.current, id)"],
  ),
  orderBug(
    "earlier-payout-metadata-not-taken-again",
    "UPDATE-ECHO UPDATE-STORED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout }) => {
      for (const run of ["1", "2"]) await editPayout({ run });
      return same((await editPayout({ run: "1" })).result.metadata, { batch: "1", run: "1" });
    },
    remembering("payouts"),
    [
      "payouts",
      METADATA_SENT,
      `const taken = memory.get(id) ?? new Set(); memory.set(id, taken); const like = JSON.stringify(metadata);
      if (metadata !== undefined && !taken.has(like)) { taken.add(like);`,
    ],
  ),
  orderBug(
    "payout-stays-locked-after-two-updates-at-once",
    "UPDATE-ACCEPTED",
    PAYOUT_UPDATE,
    async ({ editPayout }) => {
      await Promise.all([editPayout({ one: "1" }), editPayout({ other: "1" })]);
      return (await editPayout({ run: "1" })).status === 200;
    },
    remembering("payouts"),
    [
      "payouts",
      "const row = find(space, id);",
      `find(space, id); const holders = memory.get(id) ?? 0;
      if (holders > 1) { memory.delete(id); throw problem(409, "LOCKED", "The payout is being updated"); }
      memory.set(id, holders + 1); ${PAUSE} const row = find(space, id);`,
    ],
    ["payouts", PAYOUT_UPDATED, `if (memory.get(id) === 1) memory.delete(id); ${PAYOUT_UPDATED}`],
  ),
  orderBug(
    "payout-updated-before-its-version-is-checked",
    "UPDATE-NO-EFFECT",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ readPayout, editPayout }) => {
      const { metadata } = (await readPayout()).result;
      const { status } = await editPayout({ run: "1" }, { version: "caph.2020-01-01" });
      return status >= 400 && same((await readPayout()).result.metadata, metadata);
    },
    [
      "payouts",
      "{ schema: { ...schema, body }, preHandler }",
      `{ schema: { ...schema, body, headers: { ...schema.headers, properties: { ...schema.headers.properties, "service-version": {} } } }, preHandler }`,
    ],
    ["payouts", "body: { metadata } }) => {", "body: { metadata }, headers: given }) => {"],
    [
      "payouts",
      PAYOUT_UPDATED,
      `if (!schema.headers.properties["service-version"].enum.includes(given["service-version"] ?? null))
        throw problem(400, "VERSION_UNKNOWN", "There is no such version"); ${PAYOUT_UPDATED}`,
    ],
  ),
];
