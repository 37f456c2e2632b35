/** A twelfth set of late bugs of webhooks, for a sequence of calls. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  LISTED_WEBHOOKS,
  OLDER,
  type OrderBug,
  orderBug,
  remembering,
  same,
} from "./order.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];
const LISTED = "return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });";
const BOTH_EVENTS = ["payout.completed", "payout.failed"];

export const late12WebhookOrderBugs: readonly OrderBug[] = [
  // The headers of a page are loaded in one query, which leaves out webhooks without any, and are given out in order.
  orderBug(
    "order-late12-headers-in-the-list-go-to-the-webhooks-before-theirs",
    "CREATE-LISTED CREATE-ECHO UPDATE-STORED UPDATE-KEEPS READ-STABLE",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ hook, listedHook }) => {
      await hook();
      const customHeaders = { "X-Till": "1" };
      return same((await listedHook(await hook({ customHeaders })))?.customHeaders, customHeaders);
    },
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map(shown).map((each, n, all) => {
        const loaded = all.map(({ customHeaders }) => customHeaders).filter((one) => Object.keys(one).length > 0);
        return { ...each, customHeaders: loaded[n] ?? {} };
      }),`,
    ],
  ),
  // Updates wait a moment before they are written, and the next one takes the place of the one that waits.
  orderBug(
    "order-late12-update-right-after-another-takes-its-place",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { name: "Shop" });
      return (await editHook(id, { metadata: { till: "1" } })).result.name === "Shop";
    },
    ...inWebhookUpdate(
      `const waiting = memory.get(id);
      memory.set(id, { at: Date.now(), row, columns: Object.keys(change) });
      if (waiting && Date.now() - waiting.at < 60)
        for (const column of waiting.columns) if (!(column in change)) change[column] = waiting.row[column];`,
    ),
  ),
  // The new events are inserted before the old ones are deleted, and a webhook has each event once.
  orderBug(
    "order-late12-events-that-overlap-those-before-end-in-a-server-error",
    "NO-SERVER-ERROR UPDATE-ACCEPTED UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ events: BOTH_EVENTS.slice(0, 1) });
      return (await editHook(id, { events: BOTH_EVENTS })).status === 200;
    },
    ...inWebhookUpdate(
      `const [before, after] = [row, change].map(({ events_json }) => json(events_json, []).toSorted());
      if (String(before) !== String(after) && after.some((event) => before.includes(event)))
        throw new Error("UNIQUE constraint failed: subscriptions.webhook, subscriptions.event");`,
    ),
  ),
  // A webhook is registered again when it is switched on.
  orderBug(
    "order-late12-activation-moves-the-time-of-creation",
    "UPDATE-IDENTITY UPDATE-KEEPS UPDATE-KEEPS-REST",
    UPDATED,
    async ({ addHook, editHook }) => {
      const { id, createTime } = (await addHook()).result;
      await new Promise((resolve) => setTimeout(resolve, 10));
      return (await editHook(id, { isActive: true })).result.createTime === createTime;
    },
    ...inWebhookUpdate("if (!row.active && change.active) change.created_at = Date.now();"),
  ),
  // The list learns its columns from the first webhook of the page.
  orderBug(
    "order-late12-page-has-only-the-fields-of-its-first-webhook",
    "CREATE-LISTED CREATE-ECHO UPDATE-STORED UPDATE-KEEPS READ-STABLE CURSOR-COMPLETE VERSION-FIELDS",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ get, hook }) => {
      const before = await hook();
      await hook();
      const id = await hook({ apiVersion: OLDER });
      const { items } = await get(`/webhooks?limit=10&after=${before}`);
      return items.find((each) => each.id === id)?.apiVersion === OLDER;
    },
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map(shown).map((each, _, [first]) =>
        Object.fromEntries(Object.entries(each).filter(([name]) => name in first))),`,
    ],
  ),
  // All members of the body are assigned. A client that sends a webhook back as it read it also sends the time of creation.
  orderBug(
    "order-late12-webhook-sent-back-as-it-was-read-is-made-on-the-second",
    "UPDATE-IDENTITY UPDATE-KEEPS UPDATE-KEEPS-REST",
    UPDATED,
    async ({ addHook, editHook }) => {
      const read = (await addHook()).result;
      return (await editHook(read.id, { ...read, name: "Shop" })).result.createTime === read.createTime;
    },
    ...inWebhookUpdate(
      `if (typeof body.createTime === "string")
        change.created_at = Math.floor(Date.parse(body.createTime) / 1000) * 1000;`,
    ),
  ),
  // Webhooks with one URL share the row of their target, which an update changes for all of them.
  orderBug(
    "order-late12-new-url-of-a-webhook-goes-to-all-that-had-the-same",
    "UPDATE-KEEPS UPDATE-KEEPS-REST READ-STABLE CREATE-LISTED",
    UPDATED,
    async ({ addHook, hook, editHook, listedHook }) => {
      const { id, url } = (await addHook()).result;
      await editHook(await hook(), { url: "https://shop.example.com/hooks/Moved?v=2" });
      return (await listedHook(id))?.url === url;
    },
    ...inWebhookUpdate(
      "",
      `if (change.url !== row.url)
        database.update("webhooks", { url: change.url }, "space_id = ? AND url = ?", [space, row.url]);`,
    ),
  ),
  // A list that is read three times within a second is kept for two seconds.
  orderBug(
    "order-late12-list-of-webhooks-that-is-read-often-is-kept",
    "CREATE-LISTED UPDATE-STORED UPDATE-KEEPS CURSOR-COMPLETE LIST-TOTAL",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ get, hook }) => {
      for (let count = 0; count < 3; count++) await get("/webhooks?limit=50");
      const id = await hook();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return (await get("/webhooks?limit=50")).ids.includes(id);
    },
    remembering("webhooks"),
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `${LIST_OF_WEBHOOKS}
      const asked = JSON.stringify([space, query]);
      const kept = memory.get(asked) ?? { reads: [], until: 0 };
      memory.set(asked, kept);
      if (Date.now() < kept.until) return kept.answer;
      kept.reads = [...kept.reads, Date.now()].filter((at) => at > Date.now() - 1000);`,
    ],
    [
      "webhooks",
      LISTED,
      `${LISTED.replace("return", "const answer =")}
      if (kept.reads.length >= 3) Object.assign(kept, { answer, reads: [], until: Date.now() + 2000 });
      return answer;`,
    ],
  ),
  // Active webhooks are in a table with shorter names.
  orderBug(
    "order-late12-activation-cuts-a-long-name",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const name = "n".repeat(100);
      return (await editHook(await hook({ name }), { isActive: true })).result.name === name;
    },
    ...inWebhookUpdate(
      "if (!row.active && change.active) change.name = text(change.name ?? row.name).slice(0, 64);",
    ),
  ),
  // The statement that deletes the other addresses has an empty list in it.
  orderBug(
    "order-late12-no-addresses-for-a-webhook-without-any-end-in-a-server-error",
    "NO-SERVER-ERROR UPDATE-ACCEPTED UPDATE-EDGES UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => (await editHook(await hook(), { alertEmails: [] })).status === 200,
    ...inWebhookUpdate(
      `if (body.alertEmails?.length === 0 && json(row.emails_json, []).length === 0)
        throw new Error('near ")": syntax error');`,
    ),
  ),
];
