/** Bugs of webhooks that only a sequence of calls shows. Their author did not know the suite. */

import { type Edit, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LISTED_WEBHOOKS,
  type OrderBug,
  orderBug,
  remembering,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const PAGE_READ = "const last = rows.at(-1);";
const STORED_ONLY_IN_THE_ANSWER = "return single(shown({ ...row, ...change }));";
const [ONE, OTHER] = ["ops@example.com", "desk@example.com"];
const OTHER_URL = "https://shop.example.com/hooks/Refunds?v=2";
const SHOP = { "x-shop": "1" };
const RUN = { run: "1" };

/** Replaces the option `preHandler` of the route that creates webhooks with the options in `steps`. */
const creating = (steps: string): Edit => [
  "webhooks",
  "key: true }), body: created }, preHandler }",
  `key: true }), body: created }, ${steps} }`,
];

export const late3WebhookOrderBugs: readonly OrderBug[] = [
  orderBug(
    "update-against-the-revision-listed-last-is-lost",
    "UPDATE-STORED UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await listedHook(id);
      for (const name of ["Second", "Third"]) await editHook(id, { name });
      return (await listedHook(id))?.name === "Third";
    },
    ...inWebhookUpdate(
      `const at = memory.get(id) ?? { revision: 0 }; memory.set(id, at);
      if (at.loaded !== undefined && at.loaded !== at.revision) ${STORED_ONLY_IN_THE_ANSWER}
      at.revision++;`,
    ),
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map((row) => {
        const at = memory.get(row.id) ?? { revision: 0 }; memory.set(row.id, { ...at, loaded: at.revision });
        return shown(row); }),`,
    ],
  ),
  orderBug(
    "deactivated-webhook-of-all-events-is-archived",
    "UPDATE-STORED CREATE-LISTED UPDATE-ACCEPTED READ-STABLE",
    [HOOK_UPDATE, HOOKS, HOOK],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook({ events: ["payout.failed"], isActive: true });
      await editHook(id, { isActive: false });
      await editHook(id, { events: null });
      return (await listedHook(id)) !== undefined;
    },
    ...inWebhookUpdate(
      "if (change.active === 0 && row.active === 1) memory.set(id, true); else if (change.active === 1) memory.delete(id);",
      `const answer = single(shown(find(space, id)));
      if (body.events === null && memory.has(id)) {
        database.update("webhooks", { space_id: "archive of " + space }, "id = ?", [id]);
        return answer;
      }`,
    ),
  ),
  orderBug(
    "new-url-takes-the-addresses-of-the-url-before",
    "UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: [ONE] });
      await editHook(id, { alertEmails: [OTHER] });
      return same((await editHook(id, { url: OTHER_URL })).result.alertEmails, [OTHER]);
    },
    ...inWebhookUpdate(
      `if (!memory.has(id)) memory.set(id, row.emails_json);
      if (change.url !== row.url) { change.emails_json ??= memory.get(id); memory.set(id, change.emails_json); }`,
    ),
  ),
  orderBug(
    "refused-create-activates-the-next-webhook",
    "CREATE-DEFAULT CREATE-NO-EFFECT CREATE-ECHO",
    HOOK,
    async ({ addHook }) => {
      await addHook({ isActive: true, name: "" });
      return (await addHook()).result.isActive === false;
    },
    remembering("webhooks"),
    creating(
      `preValidation: async (request) => { request.leavesOut = request.body?.isActive === undefined; },
      onError: async ({ body, headers: given }, _, error) => {
        if (error.validation && body?.isActive === true) memory.set(given["service-space-id"], true); },
      preHandler`,
    ),
    [
      "webhooks",
      WEBHOOK_ADDED,
      `if (request.leavesOut && memory.has(request.space)) row.active = 1;
      memory.delete(request.space); ${WEBHOOK_ADDED}`,
    ],
  ),
  orderBug(
    "count-of-a-page-kept-over-creates",
    "LIST-COUNT",
    HOOKS,
    async ({ get, hook }) => {
      await get("/webhooks?limit=50");
      await hook();
      const { count, ids } = await get("/webhooks?limit=50");
      return count === ids.length;
    },
    ...inWebhookUpdate("", "memory.clear();"),
    [
      "webhooks",
      PAGE_READ,
      `const asked = JSON.stringify([space, query]); if (!memory.has(asked)) memory.set(asked, rows.length); ${PAGE_READ}`,
    ],
    ["webhooks", "{ total: number(total),", "{ count: memory.get(asked), total: number(total),"],
  ),
  orderBug(
    "total-loses-one-of-two-creates-at-once",
    "LIST-TOTAL LIST-TOTAL-EXACT",
    HOOKS,
    async ({ get, hook }) => {
      await Promise.all([hook(), hook()]);
      const { total, ids } = await get("/webhooks?limit=50");
      return total === ids.length;
    },
    remembering("webhooks"),
    creating(
      `preHandler: [preHandler, async (request) => {
        const { made } = database.first("SELECT count(*) AS made FROM webhooks WHERE space_id = ?", [request.space]);
        request.counted = memory.get(request.space) ?? made; ${PAUSE} }]`,
    ),
    ["webhooks", WEBHOOK_ADDED, `${WEBHOOK_ADDED} memory.set(request.space, request.counted + 1);`],
    ["webhooks", "total: number(total)", "total: memory.get(space) ?? number(total)"],
  ),
  orderBug(
    "updates-of-two-webhooks-at-once-store-the-later",
    "UPDATE-STORED UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const ids = [await hook(), await hook()];
      await Promise.all(ids.map((id) => editHook(id, { name: "Renamed" })));
      const names = [];
      for (const id of ids) names.push((await listedHook(id))?.name);
      return names.every((name) => name === "Renamed");
    },
    ...inWebhookUpdate(
      `memory.set(space, id); ${PAUSE} if (memory.get(space) !== id) ${STORED_ONLY_IN_THE_ANSWER}`,
    ),
  ),
  orderBug(
    "prepared-update-binds-in-the-order-of-its-first-use",
    "UPDATE-ECHO UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { customHeaders: SHOP, metadata: RUN });
      const { customHeaders, metadata } = (await editHook(id, { metadata: RUN, customHeaders: SHOP })).result;
      return same(customHeaders, SHOP) && same(metadata, RUN);
    },
    ...inWebhookUpdate(
      `const named = { customHeaders: "headers_json", metadata: "metadata_json" };
      const given = Object.keys(body).map((name) => named[name]).filter((column) => column in change);
      if (given.length === 2) {
        const prepared = memory.get("update") ?? given; memory.set("update", prepared);
        Object.assign(change, Object.fromEntries(prepared.map((column, n) => [column, change[given[n]]])));
      }`,
    ),
  ),
];
