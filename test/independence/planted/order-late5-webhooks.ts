/** Further bugs of webhooks that only a sequence of calls shows. Their author did not know the suite. */

import { first, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import {
  inWebhookUpdate,
  LIST_OF_WEBHOOKS,
  LISTED_WEBHOOKS,
  type OrderBug,
  orderBug,
  remembering,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATED = [HOOK_UPDATE, HOOKS];

export const late5WebhookOrderBugs: readonly OrderBug[] = [
  // If a custom header is sent again in other letter case, it keeps its old name and value.
  orderBug(
    "order-late5-header-in-other-case-keeps-its-value",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ customHeaders: { "X-Shop": "a" } });
      const { customHeaders } = (await editHook(id, { customHeaders: { "x-shop": "b" } })).result;
      return same(Object.values(customHeaders as object), ["b"]);
    },
    ...inWebhookUpdate(
      `if (change.headers_json) {
        const older = Object.entries(JSON.parse(row.headers_json));
        const isOther = (one, other) => one !== other && one.toLowerCase() === other.toLowerCase();
        change.headers_json = JSON.stringify(Object.fromEntries(Object.entries(body.customHeaders).map(
          ([name, value]) => older.find(([each]) => isOther(each, name)) ?? [name, value])));
      }`,
    ),
  ),
  // New alert addresses are not stored if they are as many as the old ones.
  orderBug(
    "order-late5-as-many-addresses-as-before-are-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({ alertEmails: ["one@example.com"] });
      const { alertEmails } = (await editHook(id, { alertEmails: ["two@example.com"] })).result;
      return same(alertEmails, ["two@example.com"]);
    },
    ...inWebhookUpdate(
      `if (change.emails_json && JSON.parse(change.emails_json).length === JSON.parse(row.emails_json).length)
        delete change.emails_json;`,
    ),
  ),
  // An update of another webhook resets the webhook that was last used as a cursor to its state at that time.
  orderBug(
    "order-late5-webhook-named-as-cursor-is-written-back",
    "UPDATE-KEEPS UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook, listedHook, get }) => {
      const [one, other] = [await hook(), await hook()];
      await get(`/webhooks?after=${one}`);
      await editHook(one, { name: "One" });
      await editHook(other, { name: "Other" });
      return (await listedHook(one))?.name === "One";
    },
    [
      "webhooks",
      'if (!row) throw problem(400, "UNKNOWN_CURSOR",',
      'if (row) memory.set(space, row); if (!row) throw problem(400, "UNKNOWN_CURSOR",',
    ],
    ...inWebhookUpdate(
      "",
      `const named = memory.get(space);
      if (named && named.id !== id) {
        const { number: at, ...values } = named;
        database.update("webhooks", values, "number = ?", [at]);
        memory.delete(space);
      }`,
    ),
  ),
  // If the events of a webhook were changed twice, the list shows it twice.
  orderBug(
    "order-late5-webhook-is-listed-once-for-each-change-of-events",
    "LIST-IDS-UNIQUE LIST-LIMIT-RESPECTED CURSOR-ONCE",
    HOOKS,
    async ({ hook, editHook, get }) => {
      const id = await hook();
      await editHook(id, { events: ["payout.completed"] });
      await editHook(id, { events: ["payout.failed"] });
      return (await get("/webhooks?limit=50")).ids.filter((each) => each === id).length === 1;
    },
    ...inWebhookUpdate(
      `if (change.events_json && change.events_json !== row.events_json)
        memory.set(id, (memory.get(id) ?? 0) + 1);`,
    ),
    [
      "webhooks",
      LISTED_WEBHOOKS,
      "list(rows.flatMap((row) => (memory.get(row.id) > 1 ? [row, row] : [row])).map(shown),",
    ],
  ),
  // An update of a webhook changes all webhooks of the space with the same name.
  orderBug(
    "order-late5-updates-go-to-all-webhooks-of-the-name",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED READ-STABLE",
    UPDATED,
    async ({ hook, editHook, listedHook }) => {
      const [one, other] = [await hook({ name: "Shop" }), await hook({ name: "Shop" })];
      await editHook(one, { isActive: true });
      return (await listedHook(other))?.isActive === false;
    },
    ...inWebhookUpdate(
      "",
      `database.update("webhooks", change, "space_id = ? AND name = ?", [space, row.name]);`,
    ),
  ),
  // If an update empties the custom headers of a webhook, its verification method is lost, too.
  orderBug(
    "order-late5-secret-lost-when-the-headers-are-emptied",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ hook, editHook }) => {
      const id = await hook({
        customHeaders: { "x-shop": "a" },
        verificationMethod: { hmac256: { secret: "s" } },
      });
      return (await editHook(id, { customHeaders: {} })).result.verificationMethod !== undefined;
    },
    ...inWebhookUpdate(
      `if (change.headers_json === "{}" && row.headers_json !== "{}" && change.secret === undefined)
        change.secret = null;`,
    ),
  ),
  // A rejected update of a webhook undoes an accepted update that comes at the same moment.
  orderBug(
    "order-late5-refused-update-beside-a-good-one-rolls-it-back",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ hook, editHook, listedHook, patch }) => {
      const id = await hook();
      let kept = true;
      for (const name of ["One", "Two", "Three"]) {
        await Promise.all([editHook(id, { name }), patch(`/webhooks/${id}`, { name: "Refused" })]);
        kept &&= (await listedHook(id))?.name === name;
      }
      return kept;
    },
    first(
      `app.addHook("onError", async ({ method, url }) => {
        if (method === "PATCH") (database.refusals ??= []).push(url);
      });`,
    ),
    ...inWebhookUpdate(
      `const refusals = () => (database.refusals ?? []).filter((url) => url === "/webhooks/" + id).length;
      const earlier = refusals();`,
      `${PAUSE}
      if (refusals() > earlier) {
        const { number: at, ...values } = row;
        database.update("webhooks", values, "number = ?", [at]);
      }`,
    ),
  ),
  // After `before` was used without `after` in a space, `before` wins if a request has both.
  orderBug(
    "order-late5-before-used-once-wins-over-after",
    "ITEM-CURSOR-PRECEDENCE",
    HOOKS,
    async ({ hook, get }) => {
      const [one, other, last] = [await hook(), await hook(), await hook()];
      await get(`/webhooks?before=${last}`);
      return (await get(`/webhooks?after=${one}&before=${other}&limit=1`)).ids[0] === other;
    },
    remembering("webhooks"),
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `${LIST_OF_WEBHOOKS}
      if (query.before && !query.after) memory.set(space, true);
      if (query.before && memory.has(space)) query = { ...query, after: undefined };`,
    ],
  ),
  // Each create of a webhook that validation rejects lowers the total of its space by one.
  orderBug(
    "order-late5-refused-create-lowers-the-total",
    "LIST-TOTAL LIST-TOTAL-EXACT",
    HOOKS,
    async ({ get, post }) => {
      const { total } = await get("/webhooks");
      await post("/webhooks", { name: "Hook" });
      return (await get("/webhooks")).total === total;
    },
    first(
      `app.addHook("onError", async ({ method, url, headers }, _, error) => {
        if (method !== "POST" || url !== "/webhooks" || error.statusCode !== 400) return;
        const lost = (database.lost ??= new Map());
        const space = headers["service-space-id"];
        lost.set(space, (lost.get(space) ?? 0) + 1);
      });`,
    ),
    ["webhooks", "total: number(total)", "total: number(total) - (database.lost?.get(space) ?? 0)"],
  ),
  // After a cursor was used in one space, the next list of another space begins behind that cursor.
  orderBug(
    "order-late5-cursor-of-one-space-holds-in-the-other",
    "CURSOR-COMPLETE CREATE-LISTED READ-STABLE",
    [HOOKS, HOOK],
    async ({ hook, get, second: space }) => {
      const id = await hook({}, { space });
      const last = await hook();
      await get(`/webhooks?after=${last}`);
      return (await get("/webhooks?limit=50", { space })).ids.includes(id);
    },
    remembering("webhooks"),
    ["webhooks", "query.after ? place(query.after) : 0", "from"],
    [
      "webhooks",
      "const rows = query.after || !query.before",
      `const kept = memory.get("page") ?? { space, at: 0 };
      const from = query.after ? place(query.after) : kept.space === space ? 0 : kept.at;
      if (query.after) memory.set("page", { space, at: from });
      else memory.delete("page");
      const rows = query.after || !query.before`,
    ],
  ),
];
