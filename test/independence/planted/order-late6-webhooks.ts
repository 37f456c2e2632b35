/** Still more bugs of webhooks that only a sequence of calls shows. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  NEWER,
  OLDER,
  type OrderBug,
  orderBug,
  remembering,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];
const REFUNDS = "https://shop.example.com/hooks/Refunds";

export const late6WebhookOrderBugs: readonly OrderBug[] = [
  // An active webhook that gets another secret is inactive.
  orderBug(
    "order-late6-new-secret-deactivates-an-active-webhook",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const secret = (text: string) => ({ verificationMethod: { hmac256: { secret: text } } });
      const id = await hook({ isActive: true, ...secret("one") });
      return (await editHook(id, secret("two"))).result.isActive === true;
    },
    ...inWebhookUpdate(
      "if (change.secret && row.secret && change.secret !== row.secret) change.active ??= 0;",
    ),
  ),
  // A webhook that moves to another host loses its custom headers.
  orderBug(
    "order-late6-headers-lost-with-the-move-to-another-host",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ customHeaders: { "x-shop": "a" } });
      const { customHeaders } = (await editHook(id, { url: "https://orders.example.com/Hooks" })).result;
      return same(customHeaders, { "x-shop": "a" });
    },
    ...inWebhookUpdate(
      'if (new URL(change.url).host !== new URL(row.url).host) change.headers_json ??= "{}";',
    ),
  ),
  // A webhook that is named as a cursor stands at the place of the last webhook with its name.
  orderBug(
    "order-late6-cursor-is-the-last-webhook-of-the-name",
    "ITEM-CURSOR-AFTER ITEM-CURSOR-BEFORE CURSOR-COMPLETE",
    HOOKS,
    async ({ hook, get }) => {
      const one = await hook({ name: "Shop" });
      const other = await hook({ name: "Other" });
      await hook({ name: "Shop" });
      return (await get(`/webhooks?after=${one}`)).ids[0] === other;
    },
    [
      "webhooks",
      "return number(row.number);",
      `return number(database.first("SELECT max(number) AS last FROM webhooks WHERE space_id = ? AND name = ?",
        [space, row.name]).last);`,
    ],
  ),
  // The total counts the webhooks of a URL once.
  orderBug(
    "order-late6-webhooks-of-a-url-are-counted-once",
    "LIST-TOTAL LIST-TOTAL-EXACT",
    HOOKS,
    async ({ hook, get }) => {
      await hook();
      await hook();
      const { total, ids } = await get("/webhooks?limit=50");
      return Number(total) >= ids.length;
    },
    ["webhooks", "SELECT count(*) AS total", "SELECT count(DISTINCT url) AS total"],
  ),
  // A new URL keeps the query parameters of the URL before that it does not have.
  orderBug(
    "order-late6-new-url-keeps-query-parameters-of-the-one-before",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ url: `${REFUNDS}?shop=1` });
      return (await editHook(id, { url: `${REFUNDS}?till=2` })).result.url === `${REFUNDS}?till=2`;
    },
    ...inWebhookUpdate(
      `const target = new URL(change.url);
      for (const [name, value] of new URL(row.url).searchParams)
        if (!target.searchParams.has(name)) target.searchParams.append(name, value);
      change.url = target.href;`,
    ),
  ),
  // Webhooks that are made at the same moment get the same place, and a page after one leaves out the other.
  orderBug(
    "order-late6-webhooks-made-at-once-share-a-place",
    "ITEM-CURSOR-AFTER CURSOR-COMPLETE CURSOR-ONCE CREATE-LISTED",
    [HOOKS, HOOK],
    async ({ hook, walk }) => {
      const made = await Promise.all([hook(), hook()]);
      const ids = await walk("/webhooks?limit=1");
      return made.every((id) => ids.includes(id));
    },
    remembering("webhooks"),
    [
      "webhooks",
      "key: true }), body: created }, preHandler }",
      `key: true }), body: created }, preHandler: [preHandler, async (request) => {
        const { last } = database.first("SELECT max(number) AS last FROM webhooks");
        request.place = number(last) + 1;
        ${PAUSE}
      }] }`,
    ],
    ["webhooks", WEBHOOK_ADDED, `memory.set(id, request.place); ${WEBHOOK_ADDED}`],
    ["webhooks", "query.after ? place(query.after) : 0", "query.after ? behind(query.after) : 0"],
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `${LIST_OF_WEBHOOKS}
      const behind = (id) => {
        const sharing = [...memory.values()].filter((each) => each === memory.get(id)).length;
        return Math.max(place(id), memory.has(id) ? memory.get(id) + sharing - 1 : 0);
      };`,
    ],
  ),
  // An update without apiVersion sets the one that a webhook has to the version of the call.
  orderBug(
    "order-late6-update-sets-api-version-to-the-version-of-the-call",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ apiVersion: OLDER });
      return (await editHook(id, { name: "Other" }, { version: NEWER })).result.apiVersion === OLDER;
    },
    [
      "webhooks",
      "async ({ space, params: { id }, body }) => {",
      "async ({ space, params: { id }, body, headers: given }) => {",
    ],
    ...inWebhookUpdate(
      `const called = given["service-version"];
      if (called && row.api_version) change.api_version ??= called;`,
    ),
  ),
  // Addresses are removed from a list while it is walked, which passes over the one behind each.
  orderBug(
    "order-late6-addresses-removed-while-they-are-walked",
    "UPDATE-ECHO UPDATE-STORED WEBHOOK-FIELDS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: ["one@example.com", "two@example.com"] });
      const { alertEmails } = (await editHook(id, { alertEmails: ["three@example.com"] })).result;
      return same(alertEmails, ["three@example.com"]);
    },
    ...inWebhookUpdate(
      `if (change.emails_json) {
        const [kept, sent] = [JSON.parse(row.emails_json), JSON.parse(change.emails_json)];
        for (const each of kept) if (!sent.includes(each)) kept.splice(kept.indexOf(each), 1);
        change.emails_json = JSON.stringify([...new Set([...kept, ...sent])]);
      }`,
    ),
  ),
  // New events are merged into the older ones by place, so a shorter list keeps the end of the longer one.
  orderBug(
    "order-late6-fewer-events-keep-the-end-of-the-list-before",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ events: ["payment.succeeded", "payout.completed"] });
      return same((await editHook(id, { events: ["payout.failed"] })).result.events, ["payout.failed"]);
    },
    ...inWebhookUpdate(
      `if (body.events) {
        const sent = JSON.parse(change.events_json);
        const end = JSON.parse(row.events_json).slice(sent.length);
        change.events_json = JSON.stringify([...new Set([...sent, ...end])]);
      }`,
    ),
  ),
  // A page behind a webhook ends at the newest webhook that the last first page knew.
  orderBug(
    "order-late6-pages-end-at-the-newest-of-the-last-first-page",
    "ITEM-CURSOR-AFTER CREATE-LISTED",
    HOOKS,
    async ({ hook, get }) => {
      await get("/webhooks");
      const one = await hook();
      const other = await hook();
      return (await get(`/webhooks?after=${one}`)).ids[0] === other;
    },
    remembering("webhooks"),
    ["webhooks", "const rows = query.after || !query.before", "const found = query.after || !query.before"],
    [
      "webhooks",
      "const last = rows.at(-1);",
      `const all = "SELECT max(number) AS newest FROM webhooks WHERE space_id = ?";
      if (!query.after && !query.before) memory.set(space, number(database.first(all, [space]).newest));
      const known = ({ number: at }) => !query.after || at <= (memory.get(space) ?? at);
      const rows = found.filter(known);
      const last = rows.at(-1);`,
    ],
  ),
];
