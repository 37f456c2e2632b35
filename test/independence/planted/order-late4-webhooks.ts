/** More bugs of webhooks that only a sequence of calls shows. Their author did not know the suite. */

import { first, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LISTED_WEBHOOKS,
  type OrderBug,
  orderBug,
  remembering,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";

const UPDATES = [HOOK_UPDATE, HOOKS];
const NEW_ROW =
  "const row = { ...columns(request.body), id, space_id: request.space, created_at: Date.now() };";
const REPLAYED = 'reply.header("idempotent-replayed", "true");';
const AFTER = "query.after ? place(query.after) : 0";
const UNKNOWN = 'if (!row) throw problem(400, "UNKNOWN_CURSOR"';
const DEACTIVATED = "row.active === 1 && change.active === 0";

export const late4WebhookOrderBugs: readonly OrderBug[] = [
  // A webhook that was activated twice stays active after one deactivation.
  orderBug(
    "order-late4-activations-are-counted",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATES,
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true });
      await editHook(id, { isActive: true });
      return (await editHook(id, { isActive: false })).result.isActive === false;
    },
    ...inWebhookUpdate(
      `if (change.active !== undefined) {
        const count = Math.max(0, (memory.get(id) ?? row.active) + (change.active ? 1 : -1));
        memory.set(id, count);
        change.active = Number(count > 0);
      }`,
    ),
  ),
  // After `events: null`, a webhook keeps all events, even if an update names some.
  orderBug(
    "order-late4-webhook-of-all-events-stays-so",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATES,
    async ({ hook, editHook }) => {
      const events = ["payout.failed"];
      return same((await editHook(await hook(), { events })).result.events, events);
    },
    ["webhooks", WEBHOOK_ADDED, `if (request.body.events === null) memory.set(id, true); ${WEBHOOK_ADDED}`],
    ...inWebhookUpdate(
      "if (memory.has(id)) delete change.events_json; if (body.events === null) memory.set(id, true);",
    ),
  ),
  // 60 ms after a create, the service writes its values again, over an update that came meanwhile.
  orderBug(
    "order-late4-create-is-written-late-over-an-update",
    "UPDATE-STORED READ-STABLE",
    UPDATES,
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await editHook(id, { name: "Other" });
      await new Promise((resolve) => setTimeout(resolve, 150));
      return (await listedHook(id))?.name === "Other";
    },
    [
      "webhooks",
      WEBHOOK_ADDED,
      `${WEBHOOK_ADDED}
      setTimeout(() => {
        try { database.update("webhooks", { active: 0, ...columns(request.body) }, "id = ?", [id]); } catch {}
      }, 60);`,
    ],
  ),
  // Each deactivation lowers the total by one, although the list still shows the webhook.
  orderBug(
    "order-late4-deactivating-lowers-the-total",
    "LIST-TOTAL",
    HOOKS,
    async ({ hook, editHook, get }) => {
      const id = await hook({ isActive: true });
      await editHook(id, { isActive: false });
      const { ids, total } = await get("/webhooks?limit=50");
      return Number(total) >= ids.length;
    },
    ...inWebhookUpdate(`if (${DEACTIVATED}) memory.set(space, (memory.get(space) ?? 0) + 1);`),
    ["webhooks", "total: number(total),", "total: number(total) - (memory.get(space) ?? 0),"],
  ),
  // A URL that differs from an earlier URL only in letter case is stored as the earlier one.
  orderBug(
    "order-late4-addresses-parsed-before-are-known-without-case",
    "CREATE-ECHO UPDATE-ECHO UPDATE-STORED",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ addHook }) => {
      await addHook({ url: "https://shop.example.com/hooks/Orders" });
      const url = "https://shop.example.com/hooks/orders";
      return (await addHook({ url })).result.url === url;
    },
    [
      "webhooks",
      "export function webhookRoutes(",
      "const parsed = new Map(); export function webhookRoutes(",
    ],
    [
      "webhooks",
      "{ url: new URL(sent.url).href }",
      `{ url: ((href, key) => { if (!parsed.has(key)) parsed.set(key, href); return parsed.get(key); })(
        new URL(sent.url).href, sent.url.toLowerCase()) }`,
    ],
  ),
  // An update deactivates its webhook while it is validated. If it is rejected, the webhook stays inactive.
  orderBug(
    "order-late4-refused-update-leaves-the-webhook-paused",
    "UPDATE-NO-EFFECT",
    UPDATES,
    async ({ hook, patch, listedHook }) => {
      const id = await hook({ isActive: true });
      await patch(`/webhooks/${id}`, { name: "Other" });
      return (await listedHook(id))?.isActive === true;
    },
    first(
      `const paused = new WeakSet();
      app.addHook("preValidation", async (request) => {
        if (request.method !== "PATCH" || !request.url.startsWith("/webhooks/")) return;
        const row = database.first("SELECT id FROM webhooks WHERE id = ? AND space_id = ? AND active = 1",
          [request.params.id, String(request.headers["service-space-id"])]);
        if (!row) return;
        paused.add(request);
        database.update("webhooks", { active: 0 }, "id = ?", [row.id]);
      });
      app.addHook("preHandler", async (request) => {
        if (paused.has(request)) database.update("webhooks", { active: 1 }, "id = ?", [request.params.id]);
      });`,
    ),
  ),
  // The limit of three alert addresses also counts the addresses from before the update.
  orderBug(
    "order-late4-alert-addresses-counted-with-those-before",
    "UPDATE-ACCEPTED UPDATE-EDGES",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: ["a@example.com", "b@example.com", "c@example.com"] });
      return (await editHook(id, { alertEmails: ["d@example.com"] })).status === 200;
    },
    ...inWebhookUpdate(
      `if (new Set([...json(row.emails_json, []), ...(body.alertEmails ?? [])]).size > 3)
        throw problem(400, "TOO_MANY", "body/alertEmails must NOT have more than 3 items");`,
    ),
  ),
  // A create with the URL of a deactivated webhook changes that webhook and makes no other.
  orderBug(
    "order-late4-deactivated-webhook-is-used-for-the-next-create",
    "KEY-DISTINCT",
    [HOOK, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true });
      await editHook(id, { isActive: false });
      return (await hook()) !== id;
    },
    ...inWebhookUpdate(`if (${DEACTIVATED}) memory.set(space + change.url, id);`),
    [
      "webhooks",
      NEW_ROW,
      `const place = request.space + new URL(request.body.url).href; const old = memory.get(place);
      if (old && memory.delete(place)) {
        database.update("webhooks", columns(request.body), "id = ?", [old]);
        return single(shown(find(request.space, old) ?? {}));
      }
      ${NEW_ROW}`,
    ],
  ),
  // A replay gives the webhook a new time of creation.
  orderBug(
    "order-late4-replay-renews-the-time-of-creation",
    "UPDATE-IDENTITY",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ addHook, listedHook }) => {
      const fields = { name: "One" };
      const { id, createTime } = (await addHook(fields, { key: "k-1" })).result;
      await new Promise((resolve) => setTimeout(resolve, 5));
      await addHook(fields, { key: "k-1" });
      return (await listedHook(id))?.createTime === createTime;
    },
    [
      "idempotency",
      REPLAYED,
      `database.update("webhooks", { created_at: Date.now() }, "id = ?", [JSON.parse(used.response_json).result.id]);
      ${REPLAYED}`,
    ],
  ),
  // Reactivating a webhook that was deactivated gives it a new time of creation.
  orderBug(
    "order-late4-reactivated-webhook-is-as-new",
    "UPDATE-IDENTITY",
    UPDATES,
    async ({ addHook, editHook }) => {
      const { id, createTime } = (await addHook({ isActive: true })).result;
      await editHook(id, { isActive: false });
      return (await editHook(id, { isActive: true })).result.createTime === createTime;
    },
    ...inWebhookUpdate(
      `if (row.active === 0 && change.active === 1 && memory.has(id)) change.created_at = Date.now();
      if (${DEACTIVATED}) memory.set(id, true);`,
    ),
  ),
  // The list does not show changes of a deactivated webhook until it is active again.
  orderBug(
    "order-late4-changes-of-a-deactivated-webhook-are-not-listed",
    "UPDATE-STORED",
    UPDATES,
    async ({ hook, editHook, listedHook }) => {
      const id = await hook({ isActive: true });
      await editHook(id, { isActive: false });
      await editHook(id, { name: "Other" });
      return (await listedHook(id))?.name === "Other";
    },
    ...inWebhookUpdate(
      "",
      `if (${DEACTIVATED}) memory.set(id, find(space, id)); if (change.active === 1) memory.delete(id);`,
    ),
    ["webhooks", LISTED_WEBHOOKS, "list(rows.map((row) => shown(memory.get(row.id) ?? row)),"],
  ),
  // Activating a webhook deactivates all others with the same URL.
  orderBug(
    "order-late4-one-active-webhook-an-address",
    "UPDATE-STORED UPDATE-KEEPS READ-STABLE CREATE-LISTED",
    [HOOK_UPDATE, HOOKS, HOOK],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook({ isActive: true });
      await editHook(await hook(), { isActive: true });
      return (await listedHook(id))?.isActive === true;
    },
    ...inWebhookUpdate(
      "",
      `if (row.active === 0 && change.active === 1)
        database.update("webhooks", { active: 0 }, "space_id = ? AND id <> ? AND url = ?", [space, id, change.url]);`,
    ),
  ),
  // After a request with an unknown cursor, the next page behind a webhook leaves one webhook out.
  orderBug(
    "order-late4-page-after-an-unknown-cursor-leaves-one-out",
    "ITEM-CURSOR-AFTER CURSOR-COMPLETE CURSOR-ONCE",
    HOOKS,
    async ({ get }) => {
      const [one, two] = (await get("/webhooks?limit=2")).ids;
      await get("/webhooks?after=unknown");
      return (await get(`/webhooks?limit=2&after=${one}`)).ids[0] === two;
    },
    remembering("webhooks"),
    ["webhooks", UNKNOWN, `if (!row) memory.set(space, 1); ${UNKNOWN}`],
    [
      "webhooks",
      AFTER,
      "query.after ? place(query.after) + ((one) => (memory.delete(space), one))(memory.get(space) ?? 0) : 0",
    ],
  ),
];
