/** A ninth set of late bugs of webhooks, for a sequence of calls. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  LISTED_WEBHOOKS,
  OLDER,
  type OrderBug,
  orderBug,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];
const LISTED = "return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });";
const REMEMBER_INACTIVE =
  "if (row.active === 1 && change.active === 0) memory.set(id); if (change.active === 1) memory.delete(id);";

export const late9WebhookOrderBugs: readonly OrderBug[] = [
  // A webhook with a new URL is inactive until someone activates it again.
  orderBug(
    "order-late9-new-url-deactivates-the-webhook",
    "UPDATE-KEEPS UPDATE-KEEPS-REST",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true });
      return (await editHook(id, { url: "https://till.example.com/hooks" })).result.isActive === true;
    },
    ...inWebhookUpdate("if (change.url !== row.url) change.active ??= 0;"),
  ),
  // Null as isActive changes nothing in the answer, but the row of the list has it.
  orderBug(
    "order-late9-null-as-is-active-is-listed",
    "WEBHOOK-FIELDS UPDATE-EDGES UPDATE-STORED UPDATE-KEEPS READ-MATCHES-LIST",
    UPDATED,
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await editHook(id, { isActive: null });
      return typeof (await listedHook(id))?.isActive === "boolean";
    },
    ...inWebhookUpdate(
      "",
      "if (body.isActive === null) memory.set(id); else if (body.isActive !== undefined) memory.delete(id);",
    ),
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map(shown).map((each) => (memory.has(each.id) ? { ...each, isActive: null } : each)),`,
    ],
  ),
  // Each update saves the whole webhook, and escapes the name that is stored already.
  orderBug(
    "order-late9-each-save-of-a-webhook-escapes-its-name-again",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ name: "Salt & Pepper" });
      return (await editHook(id, { isActive: true })).result.name === "Salt & Pepper";
    },
    ...inWebhookUpdate(
      `change.name ??= row.name.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");`,
    ),
  ),
  // The count of a page leaves out the webhooks that have a time of deactivation.
  orderBug(
    "order-late9-count-of-a-page-leaves-out-deactivated-webhooks",
    "LIST-COUNT",
    HOOKS,
    async ({ get, hook, editHook }) => {
      await editHook(await hook({ isActive: true }), { isActive: false });
      const { count, ids } = await get("/webhooks?limit=50");
      return count === ids.length;
    },
    ...inWebhookUpdate("", REMEMBER_INACTIVE),
    [
      "webhooks",
      LISTED,
      `const count = rows.filter(({ id }) => !memory.has(id)).length;
      ${LISTED.replace("{ total", "{ count, total")}`,
    ],
  ),
  // The query for a next page looks for webhooks without a time of deactivation, and the list shows all.
  orderBug(
    "order-late9-list-ends-before-deactivated-webhooks",
    "CURSOR-COMPLETE CURSOR-END LIST-SHOWS-ALL CREATE-LISTED LIST-TOTAL-EXACT LIST-FULL-PAGES",
    UPDATED,
    async ({ get, hook, editHook }) => {
      await editHook(await hook({ isActive: true }), { isActive: false });
      const { ids } = await get("/webhooks?limit=50");
      return (await get(`/webhooks?limit=${ids.length - 1}`)).next !== null;
    },
    ...inWebhookUpdate("", REMEMBER_INACTIVE),
    [
      "webhooks",
      LISTED,
      `const behind = "SELECT id FROM webhooks WHERE space_id = ? AND number > ?";
      const left = last && database.all(behind, [space, number(last.number)]).some(({ id }) => !memory.has(id));
      ${LISTED.replace("more ?", "left ?")}`,
    ],
  ),
  // An updated webhook has a newer revision, and the page after it begins with that.
  orderBug(
    "order-late9-page-after-an-updated-webhook-begins-with-it",
    "ITEM-CURSOR-AFTER CURSOR-ONCE LIST-IDS-UNIQUE",
    HOOKS,
    async ({ get, hook, editHook }) => {
      const [id, next] = [await hook(), await hook()];
      await editHook(id, { name: "Shop" });
      return same((await get(`/webhooks?after=${id}`)).ids, [next]);
    },
    ...inWebhookUpdate("", "memory.set(id);"),
    [
      "webhooks",
      "query.after ? place(query.after) : 0",
      "query.after ? place(query.after) - Number(memory.has(query.after)) : 0",
    ],
  ),
  // An active webhook is published again by each update, without the fields that the update does not have.
  orderBug(
    "order-late9-update-of-an-active-webhook-replaces-what-is-not-sent",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true, alertEmails: ["till@example.com"] });
      return same((await editHook(id, { name: "Shop" })).result.alertEmails, ["till@example.com"]);
    },
    ...inWebhookUpdate(
      `const empty = { emails_json: "[]", headers_json: "{}", metadata_json: "{}" };
      if (row.active === 1) for (const [column, value] of Object.entries(empty)) change[column] ??= value;`,
    ),
  ),
  // An update looks for another webhook with the name, and finds the webhook itself.
  orderBug(
    "order-late9-webhook-that-keeps-its-name-is-refused",
    "UPDATE-ACCEPTED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ name: "Shop" });
      return (await editHook(id, { name: "Shop", isActive: true })).status === 200;
    },
    ...inWebhookUpdate(
      `if (change.name && database.first("SELECT 1 FROM webhooks WHERE space_id = ? AND name = ?", [space, change.name]))
        throw problem(409, "NAME_TAKEN", "Another webhook of this space has the name");`,
    ),
  ),
  // An update looks for the webhook in a replica that is a moment behind.
  orderBug(
    "order-late9-new-webhook-is-not-found-by-an-update-right-after",
    "UPDATE-ACCEPTED UPDATE-STORED UPDATE-ECHO",
    HOOK_UPDATE,
    async ({ hook, editHook }) => (await editHook(await hook(), { name: "Shop" })).status === 200,
    ...inWebhookUpdate(
      `if (Date.now() - row.created_at < 200) throw problem(404, "NOT_FOUND", "There is no such webhook");`,
    ),
  ),
  // A create under the older version stores metadata in its old column, which only that version lists.
  orderBug(
    "order-late9-webhook-of-the-older-version-is-listed-without-its-metadata",
    "CREATE-LISTED CREATE-ECHO VERSION-VALUES VERSION-FIELDS",
    [HOOK, HOOKS],
    async ({ hook, listedHook }) => {
      const id = await hook({ metadata: { till: "1" } }, { version: OLDER });
      return same((await listedHook(id))?.metadata, { till: "1" });
    },
    ...inWebhookUpdate("", "if (change.metadata_json) memory.delete(id);"),
    [
      "webhooks",
      WEBHOOK_ADDED,
      `if (request.headers["service-version"] === "${OLDER}") memory.set(id); ${WEBHOOK_ADDED}`,
    ],
    ["webhooks", LIST_OF_WEBHOOKS, "async ({ space, query, headers: given }) => {"],
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map(shown).map((each) =>
        memory.has(each.id) && given["service-version"] !== "${OLDER}" ? { ...each, metadata: {} } : each),`,
    ],
  ),
];
