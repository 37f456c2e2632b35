/** Bugs of webhooks. */

import { type Bug, bug, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";

export const webhookBugs: readonly Bug[] = [
  bug("webhooks-active-at-once", "CREATE-DEFAULT", HOOK, [
    "webhooks",
    'isActive: { type: "boolean", default: false }',
    'isActive: { type: "boolean", default: true }',
  ]),
  bug("webhook-metadata-reset-by-update", "UPDATE-KEEPS", HOOK_UPDATE, [
    "webhooks",
    "if (sent.metadata) change.metadata_json = JSON.stringify(sent.metadata);",
    "change.metadata_json = JSON.stringify(sent.metadata ?? {});",
  ]),
  bug("webhook-switched-off-by-update", "UPDATE-KEEPS", HOOK_UPDATE, [
    "webhooks",
    'if (typeof sent.isActive === "boolean") change.active = Number(sent.isActive);',
    "change.active = Number(sent.isActive ?? false);",
  ]),
  bug(
    "secret-wiped-by-update",
    "UPDATE-KEEPS",
    HOOK_UPDATE,
    ["webhooks", "if (sent.verificationMethod) change.secret", "change.secret"],
    ["webhooks", "sent.verificationMethod.hmac256", "sent.verificationMethod?.hmac256"],
  ),
  bug(
    "webhook-update-without-url",
    "UPDATE-REQUIRED",
    HOOK_UPDATE,
    ["webhooks", 'required: ["url"]', "required: []"],
    ["webhooks", "{ url: new URL(sent.url).href }", "sent.url ? { url: new URL(sent.url).href } : {}"],
    [
      "webhooks",
      'database.update("webhooks", columns(body)',
      'database.update("webhooks", { active: 0, ...columns(body) }',
    ],
  ),
  bug(
    "urls-in-small-letters",
    "CREATE-ECHO UPDATE-ECHO",
    [HOOK, HOOK_UPDATE],
    ["webhooks", "new URL(sent.url).href", "new URL(sent.url).href.toLowerCase()"],
  ),
  bug(
    "urls-without-query",
    "CREATE-ECHO UPDATE-ECHO",
    [HOOK, HOOK_UPDATE],
    ["webhooks", "new URL(sent.url).href", 'new URL(sent.url).href.split("?")[0]'],
  ),
  bug("events-added-not-replaced", "UPDATE-ECHO UPDATE-STORED", HOOK_UPDATE, [
    "webhooks",
    'database.update("webhooks", columns(body)',
    `const change = columns(body);
      if (change.events_json) change.events_json = JSON.stringify([...new Set([...json(find(space, id)?.events_json, []), ...json(change.events_json, [])])]);
      database.update("webhooks", change`,
  ]),
  bug(
    "webhook-found-in-any-space",
    "ISOLATION-WRITES ISOLATION-READS",
    [HOOK_UPDATE, HOOKS],
    [
      "webhooks",
      "SELECT * FROM webhooks WHERE space_id = ? AND id = ?",
      "SELECT * FROM webhooks WHERE ? <> '' AND id = ?",
    ],
    ["webhooks", '"space_id = ? AND id = ?", [space, id]', '"id = ?", [id]'],
  ),
  bug("webhooks-of-all-spaces-listed", "ISOLATION-LISTS", HOOKS, [
    "webhooks",
    "WHERE space_id = ? AND number > ? ORDER",
    "WHERE ? <> '' AND number > ? ORDER",
  ]),
  bug("total-of-all-spaces", "LIST-TOTAL LIST-TOTAL-EXACT", HOOKS, [
    "webhooks",
    "AS total FROM webhooks WHERE space_id = ?",
    "AS total FROM webhooks WHERE ? <> ''",
  ]),
  bug("total-of-the-page", "LIST-TOTAL LIST-TOTAL-EXACT", HOOKS, [
    "webhooks",
    "total: number(total)",
    "total: rows.length",
  ]),
  bug("after-begins-with-the-named-one", "ITEM-CURSOR-AFTER CURSOR-ONCE", HOOKS, [
    "webhooks",
    "AND number > ? ORDER BY number ASC",
    "AND number >= ? ORDER BY number ASC",
  ]),
  bug("before-ends-with-the-named-one", "ITEM-CURSOR-BEFORE", HOOKS, [
    "webhooks",
    "AND number < ? ORDER BY number DESC",
    "AND number <= ? ORDER BY number DESC",
  ]),
  bug("before-beats-after", "ITEM-CURSOR-PRECEDENCE", HOOKS, [
    "webhooks",
    "query.after || !query.before",
    "!query.before",
  ]),
  bug(
    "inactive-webhooks-hidden",
    "CREATE-LISTED",
    [HOOK, HOOKS],
    [
      "webhooks",
      "WHERE space_id = ? AND number > ? ORDER",
      "WHERE space_id = ? AND active = 1 AND number > ? ORDER",
    ],
  ),
  bug(
    "webhook-list-cached",
    "CREATE-LISTED UPDATE-STORED",
    [HOOK, HOOK_UPDATE, HOOKS],
    [
      "webhooks",
      "const last = rows.at(-1);",
      `const kept = (globalThis.kept ??= new Map());
      const key = space + JSON.stringify(query);
      const known = kept.get(key);
      if (known && known.at > Date.now() - 30_000) return known.answer;
      setImmediate(() => kept.set(key, { at: Date.now(), answer: list(rows.map(shown), { total: number(total), next: rows.length < query.limit ? null : text(rows.at(-1)?.id) }) }));
      const last = rows.at(-1);`,
    ],
  ),
  bug(
    "any-number-of-alert-addresses",
    "CREATE-TOO-MANY UPDATE-TOO-MANY",
    [HOOK, HOOK_UPDATE],
    ["webhooks", "maxItems: 3, ", ""],
  ),
  bug(
    "custom-headers-lost",
    "CREATE-ECHO UPDATE-ECHO",
    [HOOK, HOOK_UPDATE],
    ["webhooks", "change.headers_json = JSON.stringify(sent.customHeaders)", 'change.headers_json = "{}"'],
  ),
  bug("webhook-name-may-be-empty-in-update", "UPDATE-TOO-SHORT", HOOK_UPDATE, [
    "webhooks",
    'name: { type: ["string", "null"], minLength: 1,',
    'name: { type: ["string", "null"],',
  ]),
];
