/** Bugs of webhooks that only a sequence of calls shows. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Edit, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import { inWebhookUpdate, type OrderBug, orderBug, remembering, same } from "./order.ts";

/** Inserts a step before the handler of a webhook's update. */
const beforeHandler = (step: string): Edit => [
  "webhooks",
  "body: updated }, preHandler",
  `body: updated }, ${step}, preHandler`,
];
const REPLAYED = 'reply.header("idempotent-replayed", "true");';

export const webhookOrderBugs: readonly OrderBug[] = [
  orderBug(
    "webhook-row-kept-from-the-first-update",
    "UPDATE-KEEPS UPDATE-STORED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { name: "Renamed" });
      return (await editHook(id, { isActive: true })).result.name === "Renamed";
    },
    ...inWebhookUpdate(
      "const kept = memory.get(id) ?? row; memory.set(id, kept); Object.assign(change, { ...kept, ...change });",
    ),
  ),
  orderBug(
    "only-changed-webhook-metadata-is-written",
    "UPDATE-ECHO UPDATE-STORED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { metadata: { shop: "1" } });
      return same((await editHook(id, { metadata: { shop: "1" } })).result.metadata, { shop: "1" });
    },
    ...inWebhookUpdate(
      `if (change.metadata_json) { const old = json(row.metadata_json, {});
        change.metadata_json = JSON.stringify(Object.fromEntries(Object.entries(body.metadata).filter(([name, value]) => old[name] !== value))); }`,
    ),
  ),
  orderBug(
    "reactivating-subscribes-to-everything",
    "UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ events: ["payout.failed"], isActive: true });
      await editHook(id, { isActive: false });
      return same((await editHook(id, { isActive: true })).result.events, ["payout.failed"]);
    },
    ...inWebhookUpdate(
      `if (change.active === 0 && row.active === 1) memory.set(id, true);
      if (change.active === 1 && memory.delete(id) && !change.events_json) change.events_json = JSON.stringify(EVENTS);`,
    ),
  ),
  orderBug(
    "name-after-null-not-taken",
    "UPDATE-ECHO UPDATE-STORED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { name: null });
      return (await editHook(id, { name: "Renamed" })).result.name === "Renamed";
    },
    ...inWebhookUpdate(
      "if (body.name === null) memory.set(id, true); else if (memory.has(id)) delete change.name;",
    ),
  ),
  orderBug(
    "refused-webhook-update-joins-the-next",
    "UPDATE-NO-EFFECT UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ name: "First" });
      await editHook(id, { name: "Second", alertEmails: ["a@example.com", "b", "c", "d"] });
      return (await editHook(id, { isActive: true })).result.name === "First";
    },
    beforeHandler(
      `preValidation: async (request) => { const { id } = request.params; const sent = request.body;
        if (sent && typeof sent === "object") memory.set(id, { ...memory.get(id), ...sent }); }`,
    ),
    ...inWebhookUpdate(
      `const joined = memory.get(id) ?? {}; memory.delete(id);
      if (typeof joined.name === "string" && joined.name.trim()) change.name ??= joined.name.trim();
      if (joined.metadata && typeof joined.metadata === "object") change.metadata_json ??= JSON.stringify(joined.metadata);`,
    ),
  ),
  orderBug(
    "deactivating-twice-drops-the-addresses",
    "UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: ["ops@example.com"], isActive: true });
      await editHook(id, { isActive: false });
      return same((await editHook(id, { isActive: false })).result.alertEmails, ["ops@example.com"]);
    },
    ...inWebhookUpdate(
      `if (change.active === 0) { if (memory.has(id)) change.emails_json ??= "[]"; memory.set(id, true); }
      else if (change.active === 1) memory.delete(id);`,
    ),
  ),
  orderBug(
    "updated-webhooks-move-to-the-end",
    "CURSOR-ONCE CURSOR-COMPLETE CURSOR-END LIST-ORDER LIST-IDS-UNIQUE ITEM-CURSOR-AFTER",
    HOOKS,
    async ({ hook, editHook, walk }) => {
      const id = await hook();
      await hook();
      await editHook(id, { name: "Renamed" });
      const ids = await walk("/webhooks?limit=50");
      return new Set(ids).size === ids.length;
    },
    ["tables", "secret TEXT, headers_json", "touched INTEGER NOT NULL DEFAULT 0, secret TEXT, headers_json"],
    ["webhooks", "ORDER BY number ASC", "ORDER BY touched ASC, number ASC"],
    ...inWebhookUpdate("change.touched = 1;"),
  ),
  orderBug(
    "replays-are-counted",
    "LIST-TOTAL-EXACT",
    HOOKS,
    async ({ get, addHook }) => {
      const fields = { name: "Replayed" };
      await addHook(fields, { key: "twice" });
      await addHook(fields, { key: "twice" });
      const { total, ids } = await get("/webhooks?limit=50");
      return total === ids.length;
    },
    [
      "idempotency",
      REPLAYED,
      `${REPLAYED} if (operation === "POST /webhooks") database.replays = { ...database.replays, [request.space]: (database.replays?.[request.space] ?? 0) + 1 };`,
    ],
    ["webhooks", "total: number(total)", "total: number(total) + (database.replays?.[space] ?? 0)"],
  ),
  orderBug(
    "webhook-pages-kept-until-a-create",
    "UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await listedHook(id);
      await editHook(id, { name: "Renamed" });
      return (await listedHook(id))?.name === "Renamed";
    },
    remembering("webhooks"),
    ["webhooks", 'database.insert("webhooks", row);', 'database.insert("webhooks", row); memory.clear();'],
    [
      "webhooks",
      "const place = (id",
      "const page = space + JSON.stringify(query); if (memory.has(page)) return memory.get(page); const place = (id",
    ],
    [
      "webhooks",
      "return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });",
      `const answer = list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });
      memory.set(page, answer); return answer;`,
    ],
  ),
  orderBug(
    "key-forgotten-when-its-webhook-is-updated",
    "KEY-REPLAY",
    HOOK,
    async ({ addHook, editHook }) => {
      const fields = { name: "Replayed" };
      const { result } = await addHook(fields, { key: "twice" });
      await editHook(result.id, { isActive: true });
      const again = await addHook(fields, { key: "twice" });
      return again.status !== 200 || again.result.id === result.id;
    },
    ...inWebhookUpdate(
      "",
      'database.run("DELETE FROM idempotency_keys WHERE space_id = ? AND response_json LIKE ?", [space, "%" + id + "%"]);',
    ),
  ),
  orderBug(
    "replay-restores-the-webhook",
    "KEY-REPLAY UPDATE-STORED",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ addHook, editHook, listedHook }) => {
      const fields = { name: "Replayed" };
      const { id } = (await addHook(fields, { key: "twice" })).result;
      await editHook(id, { name: "Renamed", isActive: true });
      await addHook(fields, { key: "twice" });
      return (await listedHook(id))?.name === "Renamed";
    },
    [
      "idempotency",
      REPLAYED,
      `${REPLAYED} const first = JSON.parse(text(used.response_json)).result;
      if (first.url) database.update("webhooks", { url: first.url, name: first.name, active: Number(first.isActive) }, "id = ?", [first.id]);`,
    ],
  ),
  orderBug(
    "two-webhook-updates-answer-the-later",
    "UPDATE-ECHO",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook();
      const names = ["One", "Other"];
      const answers = await Promise.all(names.map((name) => editHook(id, { name })));
      return answers.every(({ result }, n) => result.name === names[n]);
    },
    ...inWebhookUpdate("", "await new Promise((resolve) => setTimeout(resolve, 20));"),
  ),
  orderBug(
    "two-webhook-updates-lose-one",
    "UPDATE-STORED UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await Promise.all([editHook(id, { name: "Renamed" }), editHook(id, { isActive: true })]);
      const shown = await listedHook(id);
      return shown?.name === "Renamed" && shown.isActive === true;
    },
    ...inWebhookUpdate(
      "Object.assign(change, { ...row, ...change }); await new Promise((resolve) => setTimeout(resolve, 20));",
    ),
  ),
  orderBug(
    "refused-update-leaves-a-lock",
    "UPDATE-ACCEPTED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { name: "" });
      return (await editHook(id, { name: "Renamed" })).status === 200;
    },
    beforeHandler(
      "onError: async (request, _, error) => { if (error.validation) memory.set(request.params.id, true); }",
    ),
    ...inWebhookUpdate(
      'if (memory.delete(id)) throw problem(409, "LOCKED", "The webhook is being updated");',
    ),
  ),
  orderBug(
    "all-events-leak-into-the-next-webhook",
    "CREATE-ECHO",
    HOOK,
    async ({ hook, addHook }) => {
      await hook({ events: null });
      return same((await addHook({ events: ["payout.failed"] })).result.events, ["payout.failed"]);
    },
    remembering("webhooks"),
    [
      "webhooks",
      'database.insert("webhooks", row);',
      `if (request.body.events && memory.get(request.space)) row.events_json = JSON.stringify([...new Set([...request.body.events, ...EVENTS])]);
      memory.set(request.space, request.body.events === null); database.insert("webhooks", row);`,
    ],
  ),
  orderBug(
    "metadata-spills-to-the-webhook-updated-before",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const [one, other] = [await hook(), await hook()];
      await editHook(one, { metadata: { shop: "1" } });
      await editHook(other, { metadata: { shop: "2" } });
      return same((await listedHook(one))?.metadata, { shop: "1" });
    },
    ...inWebhookUpdate(
      "",
      `const before = memory.get(space); memory.set(space, id);
      if (change.metadata_json && before && before !== id) database.update("webhooks", { metadata_json: change.metadata_json }, "id = ?", [before]);`,
    ),
  ),
  orderBug(
    "activation-after-null-undone",
    "UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await editHook(id, { isActive: null });
      await editHook(id, { isActive: true });
      return (await listedHook(id))?.isActive === true;
    },
    ...inWebhookUpdate(
      `if (body.isActive === null) memory.set(id, true);
      else if (change.active === 1 && memory.delete(id)) setImmediate(() => database.update("webhooks", { active: 0 }, "id = ?", [id]));`,
    ),
  ),
  orderBug(
    "created-while-paging-repeats-one",
    "ITEM-CURSOR-AFTER CURSOR-ONCE CURSOR-REPEATABLE",
    HOOKS,
    async ({ get, hook }) => {
      const { ids, next } = await get("/webhooks?limit=2");
      await hook();
      const page = await get(`/webhooks?limit=2&after=${next}`);
      return !page.ids.some((id) => ids.includes(id));
    },
    remembering("webhooks"),
    [
      "webhooks",
      "return number(row.number);",
      "return number(row.number) - Number(memory.get(space + id) < number(total));",
    ],
    [
      "webhooks",
      "return list(rows.map(shown), {",
      "if (more) memory.set(space + text(last.id), number(total)); return list(rows.map(shown), {",
    ],
  ),
];
