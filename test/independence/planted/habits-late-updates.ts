/** Services that conform, with unusual updates: maps that are merged, null, providers, unknown fields. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit } from "./bug.ts";

const CODE_CHANGE = "const change = columns(database, find(space, id), sent);";
const HOOK_CHANGE = 'database.update("webhooks", columns(body),';

/**
 * Inserts code before an update of a payment code or webhook is stored. The code can use `row`, `sent` and
 * `change`, and what `tools` declares.
 */
const changing = (tools: string, code: string): Edit[] => [
  ["payment-codes", "export function paymentCodeRoutes(", `${tools} export function paymentCodeRoutes(`],
  ["webhooks", "export function webhookRoutes(", `${tools} export function webhookRoutes(`],
  ["payment-codes", CODE_CHANGE, `${CODE_CHANGE} { const row = find(space, id); ${code} }`],
  [
    "webhooks",
    HOOK_CHANGE,
    `const change = columns(body);
      { const row = find(space, id); const sent = body; ${code} }
      database.update("webhooks", change,`,
  ],
];

/** Source of an object: for each field that null may set, its column. */
const FIELDS =
  '{ name: "name", isActive: row.url ? "active" : "enabled", apiVersion: "api_version", events: "events_json", alertEmails: "emails_json", allowedProviders: "providers_json" }';

export const withoutDefault: Edit = [
  "payment-codes",
  'isActive: { type: ["boolean", "null"], default: true }',
  'isActive: { type: ["boolean", "null"] }',
];

export const updateHabits: readonly Bug[] = [
  // An update keeps the newest entries of unsent metadata, up to six in all. The specification leaves this open.
  habit(
    "oldest-attributes-drop-out",
    "",
    ...changing(
      "",
      `if (sent.metadata) {
        const old = Object.entries(JSON.parse(row.metadata_json)).filter(([name]) => !Object.hasOwn(sent.metadata, name));
        const room = Math.max(0, 6 - Object.keys(sent.metadata).length);
        change.metadata_json = JSON.stringify({ ...Object.fromEntries(room ? old.slice(-room) : []), ...sent.metadata });
      }`,
    ),
  ),
  // Sent metadata is merged, but empty metadata removes all. The specification leaves this open.
  habit(
    "maps-merged-unless-empty",
    "",
    ...changing(
      "",
      `if (sent.metadata && Object.keys(sent.metadata).length > 0)
        change.metadata_json = JSON.stringify({ ...JSON.parse(row.metadata_json), ...sent.metadata });`,
    ),
    [
      "payouts",
      "if (change === null) return {};",
      "if (change === null) return old; if (Object.keys(change).length === 0) return {};",
    ],
  ),
  // Null removes alert addresses and version from answers, and makes events and providers empty lists.
  habit(
    "null-leaves-nothing",
    "",
    ...changing(
      "",
      `if (sent.alertEmails === null) change.emails_json = "null";
      if (sent.events === null) change.events_json = "[]";
      if (sent.apiVersion === null) change.api_version = null;
      if (sent.allowedProviders === null) change.providers_json = "[]";`,
    ),
    [
      "webhooks",
      "alertEmails: json(row.emails_json, [])",
      '...(row.emails_json === "null" ? {} : { alertEmails: json(row.emails_json, []) })',
    ],
  ),
  // Null restores the first value of a field. The specification leaves the meaning of null open.
  habit(
    "null-restores-the-first-value",
    "",
    ...changing(
      "const firsts = new Map();",
      `if (!firsts.has(row.id)) firsts.set(row.id, row);
      for (const [field, column] of Object.entries(${FIELDS}))
        if (sent[field] === null && row[column] !== undefined) change[column] = firsts.get(row.id)[column];`,
    ),
    withoutDefault,
  ),
  // Null undoes the last change of a field. The specification leaves the meaning of null open.
  habit(
    "null-undoes-the-last-change",
    "",
    ...changing(
      "const undo = new Map();",
      `for (const [field, column] of Object.entries(${FIELDS})) {
        const name = row.id + column;
        if (row[column] === undefined || sent[field] === undefined) continue;
        if (sent[field] === null && undo.has(name)) change[column] = undo.get(name);
        undo.set(name, row[column]);
      }`,
    ),
    withoutDefault,
  ),
  // If all providers may pay a code, its list of providers is absent, which means the same as an empty one.
  habit("unrestricted-codes-name-no-providers", "", [
    "payment-codes",
    "progress: { isCompleted",
    '...(row.providers_json === "[]" && { allowedProviders: undefined }), progress: { isCompleted',
  ]),
  // Allowed providers are shown as they were sent: as ids or as codes.
  habit("providers-shown-as-sent", "", ["payment-codes", "return text(provider.code);", "return given;"]),
  // Allowed providers are shown as ids, in another order than they were sent.
  habit(
    "providers-become-ids",
    "PROVIDER-REFERENCES",
    ["payment-codes", "SELECT code FROM providers WHERE (id", "SELECT id AS code FROM providers WHERE (id"],
    [
      "payment-codes",
      "(given) => providerCode(database, given))",
      "(given) => providerCode(database, given)).sort()",
    ],
  ),
  // An update with metadata but without isActive activates the code, since isActive has a default.
  habit("attributes-switch-codes-on", "", withoutDefault, [
    "payment-codes",
    CODE_CHANGE,
    `${CODE_CHANGE} if (sent.metadata && typeof sent.isActive !== "boolean") change.enabled = 1;`,
  ]),
  // Numbers and booleans in metadata become texts. Metadata with lists or objects is rejected.
  habit(
    "attributes-become-text",
    "",
    first(`app.addHook("preHandler", async ({ body }) => {
        for (const [name, value] of Object.entries(body?.metadata ?? {})) {
          if (value !== null && typeof value === "object") throw Object.assign(new Error("Attributes are flat"), { statusCode: 422 });
          if (typeof value === "number" || typeof value === "boolean") body.metadata[name] = String(value);
        }
      });`),
  ),
  // Updates with unknown fields are rejected. The specification leaves this open.
  habit(
    "unknown-fields-refused-in-updates",
    "",
    ["webhooks", 'required: ["url"],', 'required: ["url"], additionalProperties: false,'],
    ["payment-codes", "const body = {", "const body = { additionalProperties: false,"],
    ["payouts", "const body = {", "const body = { additionalProperties: false,"],
  ),
  // The service stores unknown fields of requests, and shows them in answers.
  habit(
    "unknown-fields-kept-and-shown",
    "",
    first(`const kept = new Map();
      app.addHook("preSerialization", async ({ method, body }, _, payload) => {
        if (!payload?.success || !payload.result) return payload;
        if (method !== "GET" && body) {
          const known = "name url events isActive apiVersion alertEmails verificationMethod customHeaders metadata currency reference description status expireTime allowedProviders".split(" ");
          const more = Object.entries(body).filter(([name]) => !known.includes(name) && !(name in payload.result));
          if (more.length > 0) kept.set(payload.result.id, { ...kept.get(payload.result.id), ...Object.fromEntries(more) });
        }
        const shown = (item) => ({ ...kept.get(item.id), ...item });
        return { ...payload, result: Array.isArray(payload.result) ? payload.result.map(shown) : shown(payload.result) };
      });`),
  ),
];
