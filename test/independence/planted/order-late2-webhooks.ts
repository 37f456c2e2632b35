/** More bugs of webhooks that only a sequence of calls shows. */

import { type Edit, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  LISTED_WEBHOOKS,
  NEWER,
  OLDER,
  type OrderBug,
  orderBug,
  remembering,
  same,
  WEBHOOK_ADDED,
} from "./order.ts";

/** Inserts statements after a webhook was created. They may use `row` and `id`. */
const afterCreate = (statements: string): Edit => [
  "webhooks",
  WEBHOOK_ADDED,
  `${WEBHOOK_ADDED} ${statements}`,
];

export const late2WebhookOrderBugs: readonly OrderBug[] = [
  orderBug(
    "headers-set-by-an-update-lost-with-a-new-secret",
    "UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { customHeaders: { "x-shop": "1" } });
      const { result } = await editHook(id, { verificationMethod: { hmac256: { secret: "s-1" } } });
      return same(result.customHeaders, { "x-shop": "1" });
    },
    ...inWebhookUpdate(
      `if (change.headers_json) memory.set(id, true);
      else if (change.secret !== undefined && memory.has(id)) change.headers_json = "{}";`,
    ),
  ),
  orderBug(
    "former-name-refused-for-the-next-webhook",
    "CREATE-ACCEPTED",
    HOOK,
    async ({ hook, editHook, addHook }) => {
      await editHook(await hook({ name: "First" }), { name: "Second" });
      return (await addHook({ name: "First" })).status === 200;
    },
    ...inWebhookUpdate("if (change.name && change.name !== row.name) memory.set(space + row.name, true);"),
    [
      "webhooks",
      WEBHOOK_ADDED,
      `if (memory.has(request.space + row.name)) throw problem(409, "NAME_TAKEN", "Another webhook has the name");
      ${WEBHOOK_ADDED}`,
    ],
  ),
  orderBug(
    "newer-api-version-brings-back-the-events-of-its-time",
    "UPDATE-KEEPS",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook }) => {
      const id = await hook({ events: ["payout.completed"] });
      await editHook(id, { apiVersion: OLDER });
      await editHook(id, { events: ["payout.failed"] });
      return same((await editHook(id, { apiVersion: NEWER })).result.events, ["payout.failed"]);
    },
    ...inWebhookUpdate(
      `if (change.api_version && change.api_version !== row.api_version) {
        if (change.api_version === VERSIONS[1]) memory.set(id, row.events_json);
        else if (memory.has(id) && !change.events_json) change.events_json = memory.get(id);
      }`,
    ),
  ),
  orderBug(
    "default-headers-shared-by-webhooks-without-any",
    "CREATE-ECHO READ-STABLE UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED",
    [HOOK, HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const [one, other] = [await hook(), await hook()];
      await editHook(one, { customHeaders: { "x-shop": "1" } });
      return same((await listedHook(other))?.customHeaders, {});
    },
    ...inWebhookUpdate(
      "",
      `if (change.headers_json && memory.has(id))
        for (const each of memory.keys()) database.update("webhooks", { headers_json: change.headers_json }, "id = ?", [each]);`,
    ),
    afterCreate("if (!row.headers_json) memory.set(id, true);"),
  ),
  orderBug(
    "fourth-webhook-merges-those-of-equal-targets",
    "CREATE-LISTED",
    [HOOK, HOOKS],
    async ({ hook, listedHook }) => {
      const id = await hook();
      for (let n = 0; n < 3; n++) await hook();
      return (await listedHook(id)) !== undefined;
    },
    remembering("webhooks"),
    afterCreate(
      `const made = (memory.get(row.space_id) ?? 0) + 1; memory.set(row.space_id, made);
      if (made % 4 === 0)
        database.run("DELETE FROM webhooks WHERE space_id = ? AND number NOT IN (SELECT max(number) FROM webhooks WHERE space_id = ? GROUP BY url, events_json)", [row.space_id, row.space_id]);`,
    ),
  ),
  orderBug(
    "like-updates-of-two-webhooks-joined-in-the-list",
    "UPDATE-STORED",
    [HOOKS, HOOK_UPDATE],
    async ({ hook, editHook, listedHook }) => {
      const [one, other] = [await hook(), await hook()];
      for (const id of [one, other]) await editHook(id, { name: "Renamed" });
      return (await listedHook(other))?.name === "Renamed";
    },
    ...inWebhookUpdate(
      `const fields = Object.keys(change).join(); const before = memory.get("last");
      const joined = before && before.id !== id && before.fields === fields; memory.set("last", { id, fields });`,
      "if (!joined) memory.delete(id); else if (!memory.has(id)) memory.set(id, row);",
    ),
    ["webhooks", LIST_OF_WEBHOOKS, `${LIST_OF_WEBHOOKS} memory.delete("last");`],
    ["webhooks", LISTED_WEBHOOKS, "list(rows.map((row) => shown(memory.get(row.id) ?? row)),"],
  ),
  orderBug(
    "names-of-the-older-version-hide-newer-ones-from-its-reads",
    "UPDATE-STORED VERSION-VALUES",
    [HOOKS, HOOK_UPDATE],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await editHook(id, { name: "Older" }, { version: OLDER });
      await editHook(id, { name: "Newer" }, { version: NEWER });
      return (await listedHook(id, { version: OLDER }))?.name === "Newer";
    },
    ...inWebhookUpdate(
      `if (change.name && given["service-version"] === VERSIONS[1]) memory.set(id, change.name);`,
    ),
    ["webhooks", "params: { id }, body }) => {", "params: { id }, body, headers: given }) => {"],
    ["webhooks", LIST_OF_WEBHOOKS, "async ({ space, query, headers: given }) => {"],
    [
      "webhooks",
      LISTED_WEBHOOKS,
      `list(rows.map((row) => shown(
        given["service-version"] === VERSIONS[1] && memory.has(row.id) ? { ...row, name: memory.get(row.id) } : row)),`,
    ],
  ),
  orderBug(
    "webhooks-behind-an-updated-one-are-passed-over",
    "ITEM-CURSOR-AFTER CURSOR-COMPLETE CURSOR-ONCE",
    HOOKS,
    async ({ hook, editHook, get }) => {
      const [one, other] = [await hook(), await hook()];
      await editHook(one, { name: "Renamed" });
      return (await get(`/webhooks?limit=1&after=${one}`)).ids[0] === other;
    },
    ...inWebhookUpdate(
      "",
      `memory.set(id, database.first("SELECT max(number) AS last FROM webhooks").last);`,
    ),
    ["webhooks", "return number(row.number);", "return number(memory.get(id) ?? row.number);"],
  ),
];
