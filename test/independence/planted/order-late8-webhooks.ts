/** An eighth set of late bugs of webhooks, for a sequence of calls. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  OLDER,
  type OrderBug,
  orderBug,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];
const LISTED = "return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });";

export const late8WebhookOrderBugs: readonly OrderBug[] = [
  // An update adds and removes events by comparing with those of the create, not with those of the last update.
  orderBug(
    "order-late8-events-are-compared-with-those-of-the-create",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const events = ["payout.completed", "payout.failed"];
      const id = await hook({ events });
      await editHook(id, { events: ["payout.failed"] });
      const { result } = await editHook(id, { events });
      return same(result.events, events);
    },
    ...inWebhookUpdate(
      `if (change.events_json) {
        if (!memory.has(id)) memory.set(id, row.events_json);
        const [first, now, wanted] = [memory.get(id), row.events_json, change.events_json].map((each) => JSON.parse(each));
        change.events_json = JSON.stringify([
          ...wanted.filter((event) => !first.includes(event) || now.includes(event)),
          ...now.filter((event) => !first.includes(event) && !wanted.includes(event)),
        ]);
      }`,
    ),
  ),
  // An update with a body that the webhook had before is taken for a retry and is not written.
  orderBug(
    "order-late8-webhook-update-seen-before-is-taken-for-a-retry",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { name: "Shop" });
      await editHook(id, { name: "Market" });
      return (await editHook(id, { name: "Shop" })).result.name === "Shop";
    },
    ...inWebhookUpdate(
      `const seen = memory.get(id) ?? new Set();
      memory.set(id, seen);
      if (seen.has(JSON.stringify(body))) {
        for (const column of Object.keys(change)) delete change[column];
        change.url = row.url;
      }
      seen.add(JSON.stringify(body));`,
    ),
  ),
  // The webhook that was the end of the list once ends it for ever, so newer ones have no page.
  orderBug(
    "order-late8-webhook-that-ended-the-list-once-always-ends-it",
    "CURSOR-END CURSOR-COMPLETE LIST-TOTAL-EXACT CREATE-LISTED ITEM-CURSOR-AFTER",
    [HOOKS, HOOK],
    async ({ get, hook }) => {
      const { ids } = await get("/webhooks?limit=50");
      await hook();
      return (await get(`/webhooks?limit=${ids.length}`)).next !== null;
    },
    [
      "webhooks",
      LISTED,
      `const ends = (database.ends ??= new Set());
      if (last && !more) ends.add(last.id);
      ${LISTED.replace("more ?", "more && !ends.has(last.id) ?")}`,
    ],
  ),
  // A new value of a custom header is written to all webhooks of the space that have the header.
  orderBug(
    "order-late8-header-value-goes-to-all-webhooks-with-the-header",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED READ-STABLE",
    UPDATED,
    async ({ hook, editHook, listedHook }) => {
      const id = await hook({ customHeaders: { "x-shop": "1" } });
      await editHook(await hook(), { customHeaders: { "x-shop": "2" } });
      return same((await listedHook(id))?.customHeaders, { "x-shop": "1" });
    },
    ...inWebhookUpdate(
      "",
      `for (const other of database.all("SELECT id, headers_json FROM webhooks WHERE space_id = ?", [space])) {
        const older = JSON.parse(other.headers_json);
        const shared = Object.entries(body.customHeaders ?? {}).filter(([name]) => name in older);
        const headers_json = JSON.stringify({ ...older, ...Object.fromEntries(shared) });
        database.update("webhooks", { headers_json }, "id = ?", [other.id]);
      }`,
    ),
  ),
  // An alert address that is removed from a webhook is removed from all webhooks of the space.
  orderBug(
    "order-late8-address-removed-from-a-webhook-is-removed-from-all",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED READ-STABLE",
    UPDATED,
    async ({ hook, editHook, listedHook }) => {
      const alertEmails = ["till@example.com", "desk@example.com"];
      const id = await hook({ alertEmails });
      await editHook(await hook({ alertEmails: ["till@example.com"] }), { alertEmails: [] });
      return same((await listedHook(id))?.alertEmails, alertEmails);
    },
    ...inWebhookUpdate(
      "",
      `if (change.emails_json) {
        const left = JSON.parse(change.emails_json);
        const removed = JSON.parse(row.emails_json).filter((each) => !left.includes(each));
        for (const other of database.all("SELECT id, emails_json FROM webhooks WHERE space_id = ?", [space])) {
          const emails = JSON.parse(other.emails_json).filter((each) => !removed.includes(each));
          database.update("webhooks", { emails_json: JSON.stringify(emails) }, "id = ?", [other.id]);
        }
      }`,
    ),
  ),
  // In the older version a webhook has one alert address, so an update under it drops the others.
  orderBug(
    "order-late8-update-under-the-older-version-keeps-one-address",
    "UPDATE-KEEPS VERSION-VALUES VERSION-FIELDS",
    UPDATED,
    async ({ hook, editHook }) => {
      const alertEmails = ["till@example.com", "desk@example.com"];
      const id = await hook({ alertEmails });
      return same((await editHook(id, { name: "Shop" }, { version: OLDER })).result.alertEmails, alertEmails);
    },
    [
      "webhooks",
      "async ({ space, params: { id }, body }) => {",
      "async ({ space, params: { id }, body, headers: given }) => {",
    ],
    ...inWebhookUpdate(
      `if (given["service-version"] === "${OLDER}")
        change.emails_json ??= JSON.stringify(JSON.parse(row.emails_json).slice(0, 1));`,
    ),
  ),
  // Null as alert addresses is stored, and the next update wants to know how many addresses that is.
  orderBug(
    "order-late8-update-after-null-as-addresses-ends-in-a-server-error",
    "NO-SERVER-ERROR UPDATE-ACCEPTED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { alertEmails: null });
      return (await editHook(id, { name: "Shop" })).status === 200;
    },
    ...inWebhookUpdate(
      "const before = memory.has(id) ? memory.get(id).length : 0;",
      "if (body.alertEmails === null) memory.set(id, null);",
    ),
  ),
  // A create drops the kept total of the space that was listed last, and not that of its own space.
  orderBug(
    "order-late8-create-drops-the-total-of-the-space-listed-last",
    "LIST-TOTAL LIST-TOTAL-EXACT",
    HOOKS,
    async ({ get, hook, second: space }) => {
      await get("/webhooks");
      await get("/webhooks", { space });
      await hook();
      const { total, ids } = await get("/webhooks?limit=50");
      return Number(total) >= ids.length;
    },
    ["webhooks", WEBHOOK_ADDED, `database.totals?.delete(database.listed); ${WEBHOOK_ADDED}`],
    [
      "webhooks",
      LISTED,
      `const totals = (database.totals ??= new Map());
      if (!totals.has(space)) totals.set(space, total);
      database.listed = space;
      ${LISTED.replace("number(total)", "number(totals.get(space))")}`,
    ],
  ),
  // An update takes an empty list of alert addresses for one that was not sent.
  orderBug(
    "order-late8-empty-list-of-addresses-is-taken-for-none-sent",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: ["till@example.com"] });
      return same((await editHook(id, { alertEmails: [] })).result.alertEmails, []);
    },
    ...inWebhookUpdate("if (body.alertEmails?.length === 0) delete change.emails_json;"),
  ),
  // A webhook that was deactivated is removed from the index in which the list finds its cursors.
  orderBug(
    "order-late8-deactivated-webhook-is-no-longer-a-cursor",
    "CURSOR-ACCEPTED ITEM-CURSOR-AFTER ITEM-CURSOR-BEFORE",
    HOOKS,
    async ({ get, hook, editHook }) => {
      const id = await hook({ isActive: true });
      const next = await hook();
      await editHook(id, { isActive: false });
      return same((await get(`/webhooks?after=${id}`)).ids, [next]);
    },
    ...inWebhookUpdate("", "if (row.active && change.active === 0) memory.set(id); else memory.delete(id);"),
    [
      "webhooks",
      'if (!row) throw problem(400, "UNKNOWN_CURSOR",',
      'if (!row || memory.has(id)) throw problem(400, "UNKNOWN_CURSOR",',
    ],
  ),
  // Lists are kept by path and query until a webhook is written, for all spaces alike.
  orderBug(
    "order-late8-kept-lists-of-webhooks-forget-their-space",
    "ISOLATION-LISTS ISOLATION-UNKNOWN-SPACE",
    HOOKS,
    async ({ get, second: space }) => {
      const { ids } = await get("/webhooks");
      return (await get("/webhooks", { space })).ids.every((id) => !ids.includes(id));
    },
    ["webhooks", WEBHOOK_ADDED, `database.lists?.clear(); ${WEBHOOK_ADDED}`],
    ...inWebhookUpdate("database.lists?.clear();"),
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `async ({ space, query, url: path }) => {
        const lists = (database.lists ??= new Map());
        if (lists.has(path)) return lists.get(path);`,
    ],
    [
      "webhooks",
      LISTED,
      `${LISTED.replace("return", "const answer =")}
      lists.set(path, answer);
      return answer;`,
    ],
  ),
];
