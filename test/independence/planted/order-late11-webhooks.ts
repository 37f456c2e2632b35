/** An eleventh set of late bugs of webhooks, for a sequence of calls. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  NEWER,
  OLDER,
  type OrderBug,
  orderBug,
  PAYOUT_UPDATE,
  remembering,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];

export const late11WebhookOrderBugs: readonly OrderBug[] = [
  // Metadata counts as unchanged if its values are those from before, whatever their names.
  orderBug(
    "order-late11-metadata-with-the-same-values-under-other-names-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ metadata: { till: "1" } });
      const { metadata } = (await editHook(id, { metadata: { shop: "1" } })).result;
      return (metadata as { shop?: unknown }).shop === "1";
    },
    ...inWebhookUpdate(
      `const values = (metadata) => JSON.stringify(Object.values(json(metadata, {})));
      if (change.metadata_json && values(change.metadata_json) === values(row.metadata_json))
        delete change.metadata_json;`,
    ),
  ),
  // A webhook that was switched off is subscribed again by its next events, and a subscription is active.
  orderBug(
    "order-late11-new-events-activate-a-webhook-that-was-switched-off",
    "UPDATE-KEEPS UPDATE-KEEPS-REST",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true });
      await editHook(id, { isActive: false });
      return (await editHook(id, { events: ["payout.failed"] })).result.isActive === false;
    },
    ...inWebhookUpdate(
      `if (memory.has(id) && change.events_json) change.active ??= 1;
      if (row.active && change.active === 0) memory.set(id);`,
    ),
  ),
  // Names are compared by their first sixteen characters.
  orderBug(
    "order-late11-name-that-begins-like-the-one-before-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ name: "Till at the harbour, north" });
      const name = "Till at the harbour, south";
      return (await editHook(id, { name })).result.name === name;
    },
    ...inWebhookUpdate(
      `const start = (name) => text(name).slice(0, 16);
      if (change.name && start(change.name) === start(row.name)) delete change.name;`,
    ),
  ),
  // The stored names are one text, in which an update replaces the old name, also inside longer names.
  orderBug(
    "order-late11-old-name-is-replaced-inside-names-of-other-webhooks",
    "UPDATE-KEEPS UPDATE-KEEPS-REST READ-STABLE CREATE-LISTED UPDATE-STORED",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const [id, other] = [await hook({ name: "Till" }), await hook({ name: "Till of the shop" })];
      await editHook(id, { name: "Desk" });
      return (await listedHook(other))?.name === "Till of the shop";
    },
    ...inWebhookUpdate(
      "",
      `if (change.name)
        for (const each of database.all("SELECT * FROM webhooks WHERE space_id = ? AND id <> ?", [space, id])) {
          const name = text(each.name).replace(text(row.name), text(change.name));
          database.update("webhooks", { name }, "id = ?", [each.id]);
        }`,
    ),
  ),
  // An update may move a webhook to a newer version. To an older one it is ignored.
  orderBug(
    "order-late11-api-version-does-not-go-back",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ apiVersion: NEWER });
      return (await editHook(id, { apiVersion: OLDER })).result.apiVersion === OLDER;
    },
    ...inWebhookUpdate("if (change.api_version < row.api_version) delete change.api_version;"),
  ),
  // Alert addresses are compared without their hosts.
  orderBug(
    "order-late11-address-at-another-host-is-taken-for-the-same",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: ["till@example.com"] });
      const alertEmails = ["till@example.org"];
      return same((await editHook(id, { alertEmails })).result.alertEmails, alertEmails);
    },
    ...inWebhookUpdate(
      `const names = (emails) => String(json(emails, []).map((address) => address.split("@")[0]));
      if (change.emails_json && names(change.emails_json) === names(row.emails_json))
        delete change.emails_json;`,
    ),
  ),
  // The activation has a statement of its own, which has no alert addresses.
  orderBug(
    "order-late11-addresses-sent-with-the-activation-are-lost",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const alertEmails = ["till@example.com"];
      const { result } = await editHook(await hook(), { isActive: true, alertEmails });
      return same(result.alertEmails, alertEmails);
    },
    ...inWebhookUpdate("if (!row.active && change.active) delete change.emails_json;"),
  ),
  // The event of an updated payout is merged into the webhooks that subscribe to events of payouts.
  orderBug(
    "order-late11-metadata-of-an-updated-payout-shows-in-its-webhooks",
    "READ-STABLE UPDATE-KEEPS UPDATE-KEEPS-REST CREATE-LISTED UPDATE-STORED",
    [HOOK, HOOK_UPDATE, HOOKS, PAYOUT_UPDATE],
    async ({ hook, editPayout, listedHook }) => {
      const id = await hook({ events: ["payout.completed"], metadata: { till: "1" } });
      await editPayout({ shop: "2" });
      return same((await listedHook(id))?.metadata, { till: "1" });
    },
    [
      "payouts",
      "return single(shown(find(space, id)));",
      `const ofPayouts = "space_id = ? AND events_json LIKE '%payout.%'";
      for (const each of database.all("SELECT * FROM webhooks WHERE " + ofPayouts, [space])) {
        const metadata_json = JSON.stringify({ ...json(each.metadata_json, {}), ...metadata });
        database.update("webhooks", { metadata_json }, "id = ?", [each.id]);
      }
      return single(shown(find(space, id)));`,
    ],
  ),
  // An update of an unknown webhook waits for it, and the next webhook takes the waiting name.
  orderBug(
    "order-late11-update-of-an-unknown-webhook-is-made-to-the-next-one",
    "CREATE-ECHO CREATE-LISTED UPDATE-NO-EFFECT",
    [HOOK, HOOKS, HOOK_UPDATE],
    async ({ editHook, addHook }) => {
      await editHook("whk000000000000000000", { name: "Shop" });
      return (await addHook({ name: "Till" })).result.name === "Till";
    },
    remembering("webhooks"),
    [
      "webhooks",
      'if (!find(space, id)) throw problem(404, "NOT_FOUND", "There is no such webhook");',
      `if (!find(space, id)) {
        if (body.name) memory.set(space, body.name);
        throw problem(404, "NOT_FOUND", "There is no such webhook");
      }`,
    ],
    [
      "webhooks",
      WEBHOOK_ADDED,
      `row.name = memory.get(request.space) ?? row.name;
      memory.delete(request.space);
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // Null ends the walk through the sent fields of a webhook with a version, so that fields behind it are lost.
  orderBug(
    "order-late11-fields-sent-behind-null-as-api-version-are-lost",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ apiVersion: OLDER });
      const { result } = await editHook(id, { apiVersion: null, metadata: { till: "1" } });
      return (result.metadata as { till?: unknown }).till === "1";
    },
    ...inWebhookUpdate(
      `const names = Object.keys(body);
      const behind = row.api_version && body.apiVersion === null ? names.slice(names.indexOf("apiVersion")) : [];
      if (behind.includes("metadata")) delete change.metadata_json;
      if (behind.includes("customHeaders")) delete change.headers_json;
      if (behind.includes("alertEmails")) delete change.emails_json;
      if (behind.includes("events")) delete change.events_json;
      if (behind.includes("name")) delete change.name;`,
    ),
  ),
];
