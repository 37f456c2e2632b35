/** A seventh set of late bugs of webhooks, for a sequence of calls. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import { inWebhookUpdate, LIST_OF_WEBHOOKS, type OrderBug, orderBug, same, WEBHOOK_ADDED } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];
const SAVE = 'database.update("webhooks", columns(body), "space_id = ? AND id = ?", [space, id]);';

export const late7WebhookOrderBugs: readonly OrderBug[] = [
  // The limit of three alert addresses is applied to the webhooks that have an address.
  orderBug(
    "order-late7-address-serves-three-webhooks",
    "CREATE-ACCEPTED CREATE-EDGES",
    HOOK,
    async ({ addHook }) => {
      const add = () => addHook({ alertEmails: ["till@example.com"] });
      const answers = [await add(), await add(), await add(), await add()];
      return answers.every(({ status }) => status === 200);
    },
    [
      "webhooks",
      WEBHOOK_ADDED,
      `const lists = database.all("SELECT emails_json FROM webhooks WHERE space_id = ?", [request.space]);
      for (const address of JSON.parse(row.emails_json ?? "[]"))
        if (lists.filter(({ emails_json }) => JSON.parse(emails_json).includes(address)).length >= 3)
          throw problem(422, "TOO_MANY_ADDRESSES", "The address is used too often");
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // A webhook cannot be activated while an active webhook has its URL and its events.
  orderBug(
    "order-late7-second-webhook-of-a-url-and-its-events-is-not-activated",
    "UPDATE-ACCEPTED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      await hook({ isActive: true });
      return (await editHook(await hook(), { isActive: true })).status === 200;
    },
    ...inWebhookUpdate(
      `const twin = "SELECT 1 FROM webhooks WHERE space_id = ? AND active = 1 AND id <> ? AND url = ? AND events_json = ?";
      const place = [space, id, change.url, change.events_json ?? row.events_json];
      if (change.active && !row.active && database.first(twin, place))
        throw problem(409, "ALREADY_ACTIVE", "An active webhook has this URL and these events");`,
    ),
  ),
  // Webhooks that were made within a second are listed by their ids, but the cursor goes by their numbers.
  orderBug(
    "order-late7-webhooks-of-a-second-are-listed-by-their-ids",
    "CURSOR-COMPLETE CURSOR-ONCE ITEM-CURSOR-AFTER CREATE-LISTED LIST-ORDER",
    [HOOKS, HOOK],
    async ({ hook, walk }) => {
      const made: string[] = [];
      while (made.length < 7) made.push(await hook());
      const ids = await walk("/webhooks?limit=1");
      return made.every((id) => ids.includes(id));
    },
    ["webhooks", "ORDER BY number ASC LIMIT ?", "ORDER BY created_at / 1000 ASC, id ASC LIMIT ?"],
  ),
  // The total is counted a moment before the webhooks are read, so a webhook made meanwhile is not in it.
  orderBug(
    "order-late7-total-is-counted-before-the-webhooks-are-read",
    "LIST-TOTAL",
    HOOKS,
    async ({ hook, get }) => {
      const list = () => get("/webhooks?limit=50");
      const [one, other] = await Promise.all([list(), list(), hook(), hook()]);
      return [one, other].every(({ total, ids }) => Number(total) >= ids.length);
    },
    [
      "webhooks",
      "const rows = query.after || !query.before",
      `${PAUSE} const rows = query.after || !query.before`,
    ],
  ),
  // A webhook that gets the name of another one gets its metadata, too.
  orderBug(
    "order-late7-renamed-webhook-takes-the-metadata-of-its-namesake",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ metadata: { till: "1" } });
      await hook({ name: "Shop", metadata: { till: "2" } });
      return same((await editHook(id, { name: "Shop" })).result.metadata, { till: "1" });
    },
    ...inWebhookUpdate(
      `const namesake = change.name !== row.name && database.first(
        "SELECT metadata_json FROM webhooks WHERE space_id = ? AND id <> ? AND name = ?",
        [space, id, change.name ?? ""]);
      if (namesake) change.metadata_json ??= namesake.metadata_json;`,
    ),
  ),
  // An active webhook that loses its last alert address is deactivated.
  orderBug(
    "order-late7-active-webhook-without-addresses-left-is-inactive",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true, alertEmails: ["till@example.com"] });
      return (await editHook(id, { alertEmails: [] })).result.isActive === true;
    },
    ...inWebhookUpdate(
      'if (change.emails_json === "[]" && row.emails_json !== "[]" && row.active) change.active ??= 0;',
    ),
  ),
  // Of more than three alert addresses, the first three are written before the update is refused.
  orderBug(
    "order-late7-three-of-four-addresses-are-written-before-the-refusal",
    "UPDATE-NO-EFFECT",
    UPDATED,
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      const alertEmails = ["one", "two", "three", "four"].map((name) => `${name}@example.com`);
      const { status } = await editHook(id, { alertEmails });
      return status >= 400 && same((await listedHook(id))?.alertEmails, []);
    },
    [
      "webhooks",
      'isActive: { type: ["boolean", "null"] },',
      'isActive: { type: ["boolean", "null"] }, alertEmails: { ...alertEmails, maxItems: 100 },',
    ],
    ...inWebhookUpdate(
      `if (body.alertEmails?.length > 3) {
        const emails_json = JSON.stringify(body.alertEmails.slice(0, 3));
        database.update("webhooks", { emails_json }, "space_id = ? AND id = ?", [space, id]);
        throw problem(422, "TOO_MANY_ADDRESSES", "body/alertEmails must NOT have more than 3 items");
      }`,
    ),
  ),
  // Two updated webhooks wait for the next list to be written, and a third one takes the place of the first.
  orderBug(
    "order-late7-third-updated-webhook-evicts-the-first-unwritten",
    "UPDATE-STORED",
    UPDATED,
    async ({ get, editHook, listedHook }) => {
      const { ids } = await get("/webhooks?limit=3");
      for (const id of ids) await editHook(id, { name: "Other" });
      return (await listedHook(ids[0] ?? ""))?.name === "Other";
    },
    [
      "webhooks",
      "const preHandler = inSpace(database);",
      "const memory = new Map(); const preHandler = inSpace(database);",
    ],
    [
      "webhooks",
      SAVE,
      `memory.set(id, { ...memory.get(id), ...columns(body) });
      if (memory.size > 2) memory.delete(memory.keys().next().value);`,
    ],
    [
      "webhooks",
      "return single(shown(find(space, id) ?? {}));",
      "return single(shown({ ...find(space, id), ...memory.get(id) }));",
    ],
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `${LIST_OF_WEBHOOKS}
      for (const [id, change] of memory) database.update("webhooks", change, "id = ?", [id]);
      memory.clear();`,
    ],
  ),
];
