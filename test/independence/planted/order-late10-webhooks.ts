/** A tenth set of late bugs of webhooks, for a sequence of calls. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  LISTED_WEBHOOKS,
  type OrderBug,
  orderBug,
  remembering,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];
const LISTED = "return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });";
const BOTH_EVENTS = ["payout.completed", "payout.failed"];

export const late10WebhookOrderBugs: readonly OrderBug[] = [
  // A name that the index has and no webhook has is taken for a create that was cut off. A rename leaves one there.
  orderBug(
    "order-late10-create-with-a-name-given-up-answers-the-renamed-webhook",
    "KEY-DISTINCT CREATE-ECHO CREATE-LISTED",
    [HOOK, HOOKS],
    async ({ hook, editHook, addHook }) => {
      const id = await hook({ name: "Till" });
      await editHook(id, { name: "Shop" });
      return (await addHook({ name: "Till" })).result.id !== id;
    },
    remembering("webhooks"),
    [
      "webhooks",
      WEBHOOK_ADDED,
      `const named = [request.space, row.name];
      const isUsed = database.first("SELECT 1 FROM webhooks WHERE space_id = ? AND name = ?", named);
      const begun = !isUsed && memory.get(JSON.stringify(named));
      if (begun) return single(shown(find(request.space, begun)));
      memory.set(JSON.stringify(named), id);
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // The order of the webhooks is kept from the first list, and one that is not in it has the place 0.
  orderBug(
    "order-late10-page-after-a-webhook-newer-than-the-first-list-starts-anew",
    "ITEM-CURSOR-AFTER ITEM-CURSOR-PRECEDENCE CURSOR-ONCE CURSOR-END CURSOR-COMPLETE LIST-IDS-UNIQUE",
    HOOKS,
    async ({ get, hook }) => {
      await get("/webhooks");
      const [id, next] = [await hook(), await hook()];
      return same((await get(`/webhooks?after=${id}`)).ids, [next]);
    },
    remembering("webhooks"),
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `${LIST_OF_WEBHOOKS}
      if (!memory.has(space)) {
        const ordered = database.all("SELECT * FROM webhooks WHERE space_id = ?", [space]);
        memory.set(space, new Map(ordered.map((row) => [row.id, row.number])));
      }`,
    ],
    [
      "webhooks",
      "query.after ? place(query.after) : 0",
      "query.after && place(query.after) ? (memory.get(space).get(query.after) ?? 0) : 0",
    ],
  ),
  // An update deletes the subscriptions that it gives up by the name of the event, and not by webhook too.
  orderBug(
    "order-late10-event-that-one-webhook-gives-up-is-lost-by-all",
    "UPDATE-KEEPS UPDATE-KEEPS-REST READ-STABLE CREATE-LISTED CREATE-ECHO UPDATE-STORED WEBHOOK-FIELDS",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook({ events: BOTH_EVENTS });
      await editHook(await hook({ events: BOTH_EVENTS }), { events: BOTH_EVENTS.slice(0, 1) });
      return same((await listedHook(id))?.events, BOTH_EVENTS);
    },
    ...inWebhookUpdate(
      "",
      `const left = json(change.events_json, EVENTS);
      const given = json(row.events_json, []).filter((event) => !left.includes(event));
      for (const each of database.all("SELECT * FROM webhooks WHERE space_id = ?", [space])) {
        const events_json = JSON.stringify(json(each.events_json, []).filter((event) => !given.includes(event)));
        database.update("webhooks", { events_json }, "id = ?", [each.id]);
      }`,
    ),
  ),
  // An address that is taken off a webhook has said that it wants no mail, so new webhooks do not get it.
  orderBug(
    "order-late10-address-taken-off-a-webhook-is-left-out-of-new-ones",
    "CREATE-ECHO",
    [HOOK, HOOKS],
    async ({ hook, editHook, addHook }) => {
      const alertEmails = ["till@example.com"];
      await editHook(await hook({ alertEmails }), { alertEmails: ["shop@example.com"] });
      return same((await addHook({ alertEmails })).result.alertEmails, alertEmails);
    },
    ...inWebhookUpdate(
      "",
      `if (change.emails_json) {
        for (const address of json(row.emails_json, [])) memory.set(address);
        for (const address of json(change.emails_json, [])) memory.delete(address);
      }`,
    ),
    [
      "webhooks",
      WEBHOOK_ADDED,
      `const wanted = json(row.emails_json, []).filter((address) => !memory.has(address));
      row.emails_json = JSON.stringify(wanted);
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // The list catches up with the updates since it was read last, and begins with the last one.
  orderBug(
    "order-late10-list-catches-up-with-updates-from-the-last-to-the-first",
    "UPDATE-STORED UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      for (const name of ["Shop", "Till"]) await editHook(id, { name });
      return (await listedHook(id))?.name === "Till";
    },
    ...inWebhookUpdate("", "(database.changes ??= []).push(find(space, id));"),
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map((row) => {
        const changes = database.changes?.filter(({ id }) => id === row.id) ?? [];
        database.changes = database.changes?.filter(({ id }) => id !== row.id);
        while (changes.length > 0) memory.set(row.id, changes.pop());
        return shown(memory.get(row.id) ?? row);
      }),`,
    ],
  ),
  // A pair of name and value of the metadata is inserted once in a space, so the list shows it in one webhook.
  orderBug(
    "order-late10-metadata-that-another-webhook-has-is-not-listed",
    "CREATE-ECHO CREATE-LISTED UPDATE-STORED UPDATE-KEEPS",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ hook, listedHook }) => {
      const metadata = { till: "1" };
      await hook({ metadata });
      return same((await listedHook(await hook({ metadata })))?.metadata, metadata);
    },
    ...inWebhookUpdate("", owned("space", "body")),
    ["webhooks", WEBHOOK_ADDED, `${owned("request.space", "request.body")} ${WEBHOOK_ADDED}`],
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map(shown).map((each) => {
        const isOwn = (pair) => (memory.get(JSON.stringify([space, ...pair])) ?? each.id) === each.id;
        return { ...each, metadata: Object.fromEntries(Object.entries(each.metadata).filter(isOwn)) };
      }),`,
    ],
  ),
  // The name is put into the waiting change before the body is validated, and the next update saves it.
  orderBug(
    "order-late10-name-of-a-refused-update-is-stored-with-the-next-one",
    "UPDATE-NO-EFFECT UPDATE-KEEPS WEBHOOK-FIELDS ISOLATION-WRITES ISOLATION-UNKNOWN-SPACE",
    UPDATED,
    async ({ addHook, editHook }) => {
      const { id, name } = (await addHook()).result;
      await editHook(id, { name: "n".repeat(101) });
      return (await editHook(id, { isActive: true })).result.name === name;
    },
    ...inWebhookUpdate("if (memory.has(id)) change.name ??= memory.get(id); memory.delete(id);"),
    [
      "webhooks",
      "params: byId, body: updated }, preHandler }",
      `params: byId, body: updated }, preHandler, preValidation: async ({ params, body }) => {
        if (typeof body?.name === "string") memory.set(params.id, body.name);
      } }`,
    ],
  ),
  // The change waits for a lock in a variable that all updates share, so two at once write the second change.
  orderBug(
    "order-late10-updates-of-two-webhooks-at-once-write-one-change",
    "UPDATE-ECHO UPDATE-STORED UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const updates = [await hook(), await hook()].map((id) => ({ id, name: `Shop ${id}` }));
      const answers = await Promise.all(updates.map(({ id, name }) => editHook(id, { name })));
      return answers.every(({ result }, place) => result.name === updates[place]?.name);
    },
    ...inWebhookUpdate(
      `memory.set("change", { ...change });
      ${PAUSE}
      for (const column of Object.keys(change)) delete change[column];
      Object.assign(change, memory.get("change"));`,
    ),
  ),
  // A list that was read before a create is kept after the create has emptied the cache.
  orderBug(
    "order-late10-list-begun-before-a-create-is-kept-after-it",
    "CREATE-LISTED UPDATE-STORED UPDATE-KEEPS CURSOR-COMPLETE CURSOR-END LIST-TOTAL",
    UPDATED,
    async ({ get, hook }) => {
      const path = "/webhooks?limit=50";
      const listed = get(path);
      await get("/countries");
      const id = await hook();
      await listed;
      return (await get(path)).ids.includes(id);
    },
    ...inWebhookUpdate("", "memory.clear();"),
    ["webhooks", WEBHOOK_ADDED, `memory.clear(); ${WEBHOOK_ADDED}`],
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `${LIST_OF_WEBHOOKS}
      const asked = JSON.stringify([space, query]);
      if (memory.has(asked)) return memory.get(asked);`,
    ],
    [
      "webhooks",
      LISTED,
      `${LISTED.replace("return", "const answer =")}
      ${PAUSE.replace("25", "60")}
      memory.set(asked, answer);
      return answer;`,
    ],
  ),
  // Null as events marks the webhook as one of all events, and a list of events does not take the mark away.
  orderBug(
    "order-late10-webhook-of-all-events-stays-one",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const events = ["payout.failed"];
      return same((await editHook(await hook({ events: null }), { events })).result.events, events);
    },
    ...inWebhookUpdate(
      `if (body.events === null) memory.set(id);
      if (memory.has(id)) change.events_json = JSON.stringify(EVENTS);`,
    ),
    ["webhooks", WEBHOOK_ADDED, `if (request.body.events === null) memory.set(id); ${WEBHOOK_ADDED}`],
  ),
];

/** Statements that note the webhook as the owner of the pairs in its metadata that no other webhook has. */
function owned(space: string, body: string): string {
  return `for (const pair of Object.entries(${body}.metadata ?? {})) {
    const place = JSON.stringify([${space}, ...pair]);
    if (!memory.has(place)) memory.set(place, id);
  }`;
}
