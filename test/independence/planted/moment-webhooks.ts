/** Bugs of webhooks that one moment shows. Their author did not know the suite. */

import { HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import { inWebhookUpdate, LISTED_WEBHOOKS, OLDER, type OrderBug, orderBug, WEBHOOK_ADDED } from "./order.ts";

const ROW = "{ ...columns(request.body), id,";
const NAME = 'name: { type: "string", minLength: 1, maxLength: 100 }';

export const momentWebhookBugs: readonly OrderBug[] = [
  // The list shows null as the version of a webhook that has none.
  orderBug(
    "moment-webhook-without-version-lists-null",
    "WEBHOOK-FIELDS",
    HOOKS,
    async ({ get }) => (await get("/webhooks?limit=50")).items.every(({ apiVersion }) => apiVersion !== null),
    [
      "webhooks",
      LISTED_WEBHOOKS,
      "list(rows.map((row) => ({ ...shown(row), apiVersion: row.api_version })),",
    ],
  ),
  // A webhook without a secret cannot be created active.
  orderBug(
    "moment-active-webhook-needs-a-secret",
    "CREATE-ACCEPTED CREATE-ECHO",
    HOOK,
    async ({ addHook }) => (await addHook({ isActive: true })).status === 200,
    [
      "webhooks",
      WEBHOOK_ADDED,
      `if (row.active && !row.secret) throw problem(422, "SECRET_REQUIRED", "An active webhook needs a secret");
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // A webhook whose name is null gets a name of the service.
  orderBug(
    "moment-null-as-name-of-a-new-webhook",
    "CREATE-NULL",
    HOOK,
    async ({ addHook }) => (await addHook({ name: null })).status >= 400,
    ["webhooks", NAME, NAME.replace('"string"', '["string", "null"]')],
    ["webhooks", ROW, '{ name: "Webhook", ...columns(request.body), id,'],
  ),
  // Empty texts, zeros and false are left out of the metadata of a webhook.
  orderBug(
    "moment-empty-values-are-left-out-of-webhook-metadata",
    "CREATE-ECHO UPDATE-ECHO UPDATE-STORED",
    [HOOK, HOOK_UPDATE],
    async ({ addHook }) => {
      const { metadata } = (await addHook({ metadata: { note: "", tier: "gold" } })).result;
      return (metadata as { note?: unknown }).note === "";
    },
    [
      "webhooks",
      "change.metadata_json = JSON.stringify(sent.metadata)",
      `change.metadata_json = JSON.stringify(
        Object.fromEntries(Object.entries(sent.metadata).filter(([, value]) => value)))`,
    ],
  ),
  // A new webhook that has a verification method is active if nothing else is said.
  orderBug(
    "moment-webhook-with-a-secret-is-active",
    "CREATE-DEFAULT",
    HOOK,
    async ({ addHook }) => {
      const { result } = await addHook({ verificationMethod: { hmac256: { secret: "s3cret" } } });
      return result.isActive === false;
    },
    ["webhooks", 'isActive: { type: "boolean", default: false }', 'isActive: { type: "boolean" }'],
    [
      "webhooks",
      ROW,
      "{ active: Number(Boolean(request.body.verificationMethod)), ...columns(request.body), id,",
    ],
  ),
  // The alert addresses of a new webhook are counted after it is written.
  orderBug(
    "moment-webhook-with-four-addresses-is-refused-and-kept",
    "CREATE-NO-EFFECT",
    [HOOK, HOOKS],
    async ({ addHook, get }) => {
      const alertEmails = ["a", "b", "c", "d"].map((name) => `${name}@example.com`);
      const { status } = await addHook({ name: "Refused", alertEmails });
      const { items } = await get("/webhooks?limit=50");
      return status >= 400 && items.every(({ name }) => name !== "Refused");
    },
    ["webhooks", NAME, `${NAME}, alertEmails: { ...alertEmails, maxItems: 100 }`],
    [
      "webhooks",
      WEBHOOK_ADDED,
      `${WEBHOOK_ADDED}
      if (request.body.alertEmails?.length > 3) {
        database.script("COMMIT; BEGIN");
        throw problem(400, "TOO_MANY_ADDRESSES", "body/alertEmails has more than 3 elements");
      }`,
    ],
  ),
  // The list leaves out webhooks that are subscribed to all events.
  orderBug(
    "moment-webhook-of-all-events-is-not-listed",
    "CREATE-LISTED LIST-TOTAL-EXACT",
    [HOOK, HOOKS],
    async ({ hook, listedHook }) => (await listedHook(await hook({ events: null }))) !== undefined,
    [
      "webhooks",
      "AND number > ? ORDER BY number ASC",
      "AND json_array_length(events_json) < 7 AND number > ? ORDER BY number ASC",
    ],
  ),
  // An update from another space is written before the service finds that the webhook is not there.
  orderBug(
    "moment-update-from-another-space-is-refused-and-written",
    "ISOLATION-WRITES UPDATE-NO-EFFECT",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook, second: space }) => {
      const id = await hook();
      await editHook(id, { name: "Stray" }, { space });
      return (await listedHook(id))?.name !== "Stray";
    },
    [
      "webhooks",
      "if (!find(space, id)) throw",
      'database.update("webhooks", columns(body), "id = ?", [id]); if (!find(space, id)) throw',
    ],
  ),
  // The answer to an update shows the new apiVersion, which is not written.
  orderBug(
    "moment-updated-api-version-is-only-shown",
    "UPDATE-STORED",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      await editHook(id, { apiVersion: OLDER });
      return (await listedHook(id))?.apiVersion === OLDER;
    },
    ...inWebhookUpdate(
      "const version = change.api_version; delete change.api_version;",
      "if (version) return single({ ...shown(find(space, id)), apiVersion: version });",
    ),
  ),
  // The answer to an update shows the time of creation to the minute.
  orderBug(
    "moment-update-shows-the-minute-of-creation",
    "UPDATE-IDENTITY UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ addHook, editHook }) => {
      const { id, createTime } = (await addHook()).result;
      const edited = (await editHook(id, {})).result.createTime;
      return Date.parse(String(edited)) === Date.parse(String(createTime));
    },
    ...inWebhookUpdate(
      "",
      `const answer = shown(find(space, id));
      if (answer) return single({ ...answer, createTime: answer.createTime.slice(0, 16) + ":00Z" });`,
    ),
  ),
  // An update whose name is too long is refused after its other fields are written.
  orderBug(
    "moment-update-with-a-long-name-is-refused-and-half-written",
    "UPDATE-NO-EFFECT",
    [HOOK_UPDATE, HOOKS],
    async ({ hook, editHook, listedHook }) => {
      const id = await hook();
      const { status } = await editHook(id, { name: "n".repeat(101), isActive: true });
      return status >= 400 && (await listedHook(id))?.isActive === false;
    },
    [
      "webhooks",
      'name: { type: ["string", "null"], minLength: 1, maxLength: 100 }',
      'name: { type: ["string", "null"], minLength: 1 }',
    ],
    ...inWebhookUpdate(
      "const isLong = body.name?.length > 100; if (isLong) delete change.name;",
      'if (isLong) throw problem(400, "NAME_TOO_LONG", "body/name has more than 100 characters");',
    ),
  ),
];
