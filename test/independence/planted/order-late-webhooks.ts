/** Later bugs of webhooks that only a sequence of calls shows. */

import { type Edit, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  LISTED_WEBHOOKS,
  NEWER,
  OLDER,
  type OrderBug,
  orderBug,
  remembering,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const OF_ALL = "list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });";
const [ONE, OTHER] = ["ops@example.com", "desk@example.com"];

/** Inserts statements before webhooks are listed. They may use `given`, the request headers. */
const whenListing = (statements: string): Edit => [
  "webhooks",
  LIST_OF_WEBHOOKS,
  `async ({ space, query, headers: given }) => { ${statements}`,
];

export const lateWebhookOrderBugs: readonly OrderBug[] = [
  orderBug(
    "address-removed-once-not-added-again",
    "UPDATE-ECHO UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: [ONE, OTHER] });
      await editHook(id, { alertEmails: [ONE] });
      return same((await editHook(id, { alertEmails: [ONE, OTHER] })).result.alertEmails, [ONE, OTHER]);
    },
    ...inWebhookUpdate(
      `const gone = memory.get(id) ?? new Set(); memory.set(id, gone);
      if (change.emails_json) {
        const now = JSON.parse(change.emails_json);
        change.emails_json = JSON.stringify(now.filter((each) => !gone.has(each)));
        for (const each of JSON.parse(row.emails_json)) if (!now.includes(each)) gone.add(each);
      }`,
    ),
  ),
  orderBug(
    "update-without-metadata-takes-the-one-before-the-last",
    "UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook({ metadata: { n: "0" } });
      for (const n of ["1", "2"]) await editHook(id, { metadata: { n } });
      return same((await editHook(id, {})).result.metadata, { n: "2" });
    },
    ...inWebhookUpdate(
      `const older = memory.get(id) ?? []; memory.set(id, older);
      if (change.metadata_json) older.push(row.metadata_json);
      else if (older.length > 1) change.metadata_json = older.at(-1);`,
    ),
  ),
  orderBug(
    "total-kept-for-each-limit",
    "LIST-TOTAL LIST-TOTAL-EXACT",
    HOOKS,
    async ({ hook, get }) => {
      const { total } = await get("/webhooks?limit=7");
      await hook();
      return (await get("/webhooks?limit=7")).total === Number(total) + 1;
    },
    remembering("webhooks"),
    [
      "webhooks",
      "const last = rows.at(-1);",
      `const size = space + query.limit; if (!memory.has(size)) memory.set(size, number(total));
      const last = rows.at(-1);`,
    ],
    ["webhooks", "total: number(total)", "total: memory.get(size)"],
  ),
  orderBug(
    "pages-before-a-webhook-kept",
    "UPDATE-STORED UPDATE-KEEPS READ-STABLE ITEM-CURSOR-BEFORE",
    [HOOKS, HOOK_UPDATE],
    async ({ hook, editHook, get }) => {
      const [one, other] = [await hook(), await hook()];
      const before = () => get(`/webhooks?limit=1&before=${other}`);
      await before();
      await editHook(one, { name: "Renamed" });
      return (await before()).items[0]?.name === "Renamed";
    },
    remembering("webhooks"),
    whenListing(
      `const asked = query.before && !query.after && JSON.stringify([space, query]);
      const kept = (page) => { if (!asked) return page; if (!memory.has(asked)) memory.set(asked, page); return memory.get(asked); };`,
    ),
    ["webhooks", LISTED_WEBHOOKS, "list(kept(rows.map(shown)),"],
  ),
  orderBug(
    "webhook-moved-to-the-older-version-hidden-from-the-newer",
    "VERSION-MEMBERS UPDATE-STORED READ-STABLE CREATE-LISTED",
    [HOOKS, HOOK_UPDATE, HOOK],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await editHook(id, { apiVersion: OLDER });
      return (await listedHook(id, { version: NEWER })) !== undefined;
    },
    ...inWebhookUpdate("if (change.api_version) memory.set(id, change.api_version);"),
    whenListing(
      `const hidden = ({ id }) => memory.get(id) === VERSIONS[1] && given["service-version"] === VERSIONS[0];`,
    ),
    ["webhooks", LISTED_WEBHOOKS, "list(rows.filter((row) => !hidden(row)).map(shown),"],
  ),
  orderBug(
    "each-fifth-update-of-a-webhook-deactivates",
    "UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook({ isActive: true });
      for (let n = 0; n < 5; n++) await editHook(id, {});
      return (await listedHook(id))?.isActive === true;
    },
    ...inWebhookUpdate(
      `const times = (memory.get(id) ?? 0) + 1; memory.set(id, times);
      if (times % 5 === 0 && change.active === undefined) change.active = 0;`,
    ),
  ),
  orderBug(
    "update-beside-a-create-takes-its-values",
    "UPDATE-ECHO UPDATE-STORED UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, addHook }) => {
      const id = await hook();
      const [, update] = await Promise.all([addHook({ name: "Made" }), editHook(id, { name: "Renamed" })]);
      return update?.result.name === "Renamed";
    },
    ...inWebhookUpdate(`${PAUSE} Object.assign(change, memory.get("draft") ?? {});`),
    [
      "webhooks",
      "key: true }), body: created }, preHandler }",
      `key: true }), body: created }, preHandler: [preHandler, async (request) => {
        memory.set("draft", columns(request.body)); ${PAUSE} ${PAUSE} memory.delete("draft"); }] }`,
    ],
  ),
  orderBug(
    "list-during-a-create-keeps-the-shorter-list",
    "CREATE-LISTED",
    [HOOK, HOOKS],
    async ({ addHook, listedHook }) => {
      const [made] = await Promise.all([addHook(), listedHook("")]);
      return (await listedHook(made?.result.id ?? "")) !== undefined;
    },
    ...inWebhookUpdate(`memory.clear(); database.updates = (database.updates ?? 0) + 1;`),
    [
      "webhooks",
      "key: true }), body: created }, preHandler }",
      `key: true }), body: created }, preHandler: [preHandler, async () => { ${PAUSE} }] }`,
    ],
    ["webhooks", 'database.insert("webhooks", row);', 'database.insert("webhooks", row); memory.clear();'],
    whenListing(
      `const asked = JSON.stringify([space, query]); const updates = database.updates;
      if (memory.has(asked)) return memory.get(asked);`,
    ),
    [
      "webhooks",
      `return ${OF_ALL}`,
      `const answer = ${OF_ALL} ${PAUSE} ${PAUSE} if (updates === database.updates) memory.set(asked, answer); return answer;`,
    ],
  ),
  orderBug(
    "same-url-again-is-lower-cased",
    "UPDATE-ECHO UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      const url = (await listedHook(id))?.url;
      return (await editHook(id, {})).result.url === url;
    },
    ...inWebhookUpdate("if (change.url === row.url) change.url = change.url.toLowerCase();"),
  ),
  orderBug(
    "metadata-name-once-a-number-takes-no-text",
    "UPDATE-ACCEPTED CREATE-ACCEPTED",
    [HOOK_UPDATE, HOOK],
    async ({ hook, editHook }) => {
      await hook({ metadata: { size: "12" } });
      return (await editHook(await hook(), { metadata: { size: "large" } })).status === 200;
    },
    [
      "webhooks",
      'const url = { type: "string", format: "uri"',
      'const kinds = new Map(); const url = { type: "string", format: "uri"',
    ],
    [
      "webhooks",
      'if (change.name === "") throw',
      `for (const [name, value] of Object.entries(sent.metadata ?? {})) {
        const kind = /^[0-9]+$/.test(value) ? "long" : "text";
        if (!kinds.has(name)) kinds.set(name, kind);
        if (kinds.get(name) === "long" && kind === "text") throw problem(400, "MAPPING", name + " must be a long");
      }
      if (change.name === "") throw`,
    ],
  ),
  orderBug(
    "header-values-written-once",
    "UPDATE-ECHO UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook({ customHeaders: { "x-shop": "1" } });
      const { customHeaders } = (await editHook(id, { customHeaders: { "x-shop": "2" } })).result;
      return same(customHeaders, { "x-shop": "2" });
    },
    ...inWebhookUpdate(
      `if (change.headers_json) {
        const [old, now] = [JSON.parse(row.headers_json), JSON.parse(change.headers_json)];
        for (const name of Object.keys(now)) now[name] = old[name] ?? now[name];
        change.headers_json = JSON.stringify(now);
      }`,
    ),
  ),
  orderBug(
    "unknown-webhook-updated-is-listed",
    "UPDATE-UNKNOWN UPDATE-NO-EFFECT READ-STABLE",
    [HOOK_UPDATE, HOOKS],
    async ({ editHook, listedHook }) => {
      await editHook("whk-unknown", { name: "Nothing" });
      return (await listedHook("whk-unknown")) === undefined;
    },
    [
      "webhooks",
      "if (!find(space, id)) throw",
      `if (!database.first("SELECT 1 FROM webhooks WHERE id = ?", [id])) {
        const row = { name: "Webhook", events_json: "[]", active: 0, ...columns(body) };
        database.insert("webhooks", { ...row, id, space_id: space, created_at: Date.now() });
        throw problem(404, "NOT_FOUND", "There is no such webhook");
      }
      if (!find(space, id)) throw`,
    ],
  ),
];
