/** Services that conform, with unusual updates: maps that are merged, null, providers, unknown fields. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit } from "./bug.ts";

const CODE_CHANGE = "const change = columns(database, find(space, id), sent);";
const HOOK_CHANGE = 'database.update("webhooks", columns(body),';

/** Inserts code after the change of a payment code or webhook. It can use `row`, `sent`, `change` and `tools`. */
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

/** The columns that null may set, by field. */
const FIELDS =
  '{ name: "name", isActive: row.url ? "active" : "enabled", apiVersion: "api_version", events: "events_json", alertEmails: "emails_json", allowedProviders: "providers_json" }';

export const withoutDefault: Edit = [
  "payment-codes",
  'isActive: { type: ["boolean", "null"], default: true }',
  'isActive: { type: ["boolean", "null"] }',
];

export const updateHabits: readonly Bug[] = [
  // It is open whether attributes that were not sent are kept, so only the newest six are.
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
  // Attributes are merged, and an empty map removes them all, because the rest of a map is left open.
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
  // After null, alert addresses, version and providers are absent, and events are an empty list.
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
  // Null restores the first value, because the meaning of null is left open.
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
  // Null undoes the last change of a field, because the meaning of null is left open.
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
  // A code that all providers may pay has no list of providers, which equals an empty one.
  habit("unrestricted-codes-name-no-providers", "", [
    "payment-codes",
    "progress: { isCompleted",
    '...(row.providers_json === "[]" && { allowedProviders: undefined }), progress: { isCompleted',
  ]),
  // Providers may come back as ids or codes, and so come back as they were sent.
  habit("providers-shown-as-sent", "", ["payment-codes", "return text(provider.code);", "return given;"]),
  // Providers may come back as ids, in another order than the sent codes.
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
  // The active flag of a code has a default, which comes with each update of the attributes.
  habit("attributes-switch-codes-on", "", withoutDefault, [
    "payment-codes",
    CODE_CHANGE,
    `${CODE_CHANGE} if (sent.metadata && typeof sent.isActive !== "boolean") change.enabled = 1;`,
  ]),
  // An attribute that is no text may be shown as the text of its value, or declined.
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
  // Unknown fields of updates are rejected, which the specification leaves open.
  habit(
    "unknown-fields-refused-in-updates",
    "",
    ["webhooks", 'required: ["url"],', 'required: ["url"], additionalProperties: false,'],
    ["payment-codes", "const body = {", "const body = { additionalProperties: false,"],
    ["payouts", "const body = {", "const body = { additionalProperties: false,"],
  ),
  // Answers may have any undocumented fields, and so show unknown fields that were sent.
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
