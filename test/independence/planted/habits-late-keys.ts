/** Services that conform, with unusual cancelled codes and idempotency keys. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit } from "./bug.ts";
import { later } from "./habits-late-time.ts";
import { withoutDefault } from "./habits-late-updates.ts";

/** Inserts code before an update changes a payment code. The code can use `row`, `sent` and `id`. */
const beforeCodeChange = (code: string): Edit => [
  "payment-codes",
  "const change = columns(database,",
  `{ const row = find(space, id); ${code} }
      const change = columns(database,`,
];

/** Inserts code that runs when a payment code is cancelled. The code can use `row`. */
const whenCancelled = (code: string): Edit => [
  "payment-codes",
  'change.status = "cancelled";',
  `change.status = "cancelled"; ${code}`,
];

export const keyHabits: readonly Bug[] = [
  // For half a second, a cancelled code accepts updates. The specification leaves this open.
  habit(
    "cancelled-codes-close-later",
    "",
    ["payment-codes", "function columns(", "const cancelledAt = new Map(); function columns("],
    whenCancelled("cancelledAt.set(row.id, Date.now());"),
    beforeCodeChange(
      'if (cancelledAt.get(row.id) < Date.now() - 500) throw problem(410, "CLOSED", "The code is closed");',
    ),
  ),
  // Updates of a cancelled code are answered 200, but change nothing. The specification leaves this open.
  habit(
    "cancelled-codes-ignore-updates",
    "",
    beforeCodeChange('if (row.status === "cancelled") return single(detailed(row));'),
  ),
  // A cancelled code is removed after 0.7 s. The specification leaves this open.
  habit(
    "cancelled-codes-archived",
    "",
    ["payment-codes", "return change; }", "if (change.status) gone(row.id, database); return change; }"],
    [
      "payment-codes",
      "function columns(",
      `const gone = (id, database) => { ${later(700, 'database.run("DELETE FROM payment_codes WHERE id = ?", [id]);')} }; function columns(`,
    ],
  ),
  // A cancelled code accepts only updates of its metadata. It rejects others with 409, 422 and 403 by turns.
  habit(
    "cancelled-codes-take-attributes",
    "",
    ["payment-codes", "function columns(", "let turn = 0; function columns("],
    beforeCodeChange(
      `if (row.status === "cancelled" && Object.entries(sent).some(([name, value]) => name !== "metadata" && value !== null && !(name === "isActive" && value === true)))
        throw problem([409, 422, 403][turn++ % 3], "CANCELLED", "The code is cancelled");`,
    ),
  ),
  // A cancelled code becomes inactive 40 ms later. No rule requires that its isActive stays.
  habit(
    "cancelled-codes-switched-off-later",
    "",
    withoutDefault,
    whenCancelled(
      "if (sent.isActive === undefined) " +
        later(40, 'database.run("UPDATE payment_codes SET enabled = 0 WHERE id = ?", [row.id]);'),
    ),
  ),
  // After a webhook was updated, its repeated create is rejected, which is always allowed.
  habit(
    "replays-end-with-an-update",
    "",
    [
      "idempotency",
      "if (used.request_digest !== sent)",
      `if (database.updated?.has(JSON.parse(text(used.response_json)).result.id)) throw problem(409, "KEY_SPENT", "The resource has moved on");
      if (used.request_digest !== sent)`,
    ],
    [
      "webhooks",
      'database.update("webhooks", columns(body),',
      '(database.updated ??= new Set()).add(id); database.update("webhooks", columns(body),',
    ],
  ),
  // A repeated create shows the webhook by turns as it was created and as it is now.
  habit(
    "replays-by-turns",
    "",
    [
      "webhooks",
      "once(database, request, reply, () => {",
      "once(database, Object.assign(request, { now: (id) => shown(find(request.space, id) ?? {}) }), reply, () => {",
    ],
    [
      "idempotency",
      "return JSON.parse(text(used.response_json))",
      `const before = JSON.parse(text(used.response_json));
      if (request.now && turn++ % 2) return { ...before, result: request.now(before.result.id) };
      return before`,
    ],
    ["idempotency", "export function once(", "let turn = 0; export function once("],
  ),
  // A key works only with its first body, even if that was rejected. The specification leaves this open.
  habit(
    "keys-bound-at-first-sight",
    "",
    first(`const bound = new Map();
      app.addHook("preValidation", async ({ method, headers, body }) => {
        const key = headers["idempotency-key"];
        if (method !== "POST" || !key) return;
        const name = headers["service-space-id"] + key;
        const sent = JSON.stringify(body);
        if (bound.has(name) && bound.get(name) !== sent) throw Object.assign(new Error("The key has another body"), { statusCode: 409 });
        bound.set(name, sent);
      });`),
  ),
  // The service limits the rate of creates. Creates above it are answered 403 with Retry-After.
  habit(
    "creations-paced-by-403",
    "",
    first(`let left = 8, at = Date.now();
      app.addHook("preHandler", async ({ method }, reply) => {
        if (method !== "POST") return;
        left = Math.min(8, left + (Date.now() - at) / 100);
        at = Date.now();
        if (left < 1) return reply.code(403).header("retry-after", "1").send({ error: "too many creations" });
        left -= 1;
      });`),
  ),
  // A create can be repeated three times with its key. Further repetitions are rejected.
  habit(
    "keys-replayed-three-times",
    "",
    ["idempotency", "export function once(", "const replays = new Map(); export function once("],
    [
      "idempotency",
      'reply.header("idempotent-replayed", "true");',
      `const name = request.space + operation + key;
      replays.set(name, (replays.get(name) ?? 0) + 1);
      if (replays.get(name) > 3) throw problem(409, "KEY_SPENT", "The key was replayed too often");
      reply.header("idempotent-replayed", "true");`,
    ],
  ),
  // After thirty other creates, a repeated create is rejected, which is always allowed.
  habit(
    "only-the-last-keys-replayed",
    "",
    ["idempotency", "export function once(", "const order = []; export function once("],
    [
      "idempotency",
      "if (used.request_digest !== sent)",
      `if (order.length - order.lastIndexOf(request.space + operation + key) > 30) throw problem(409, "KEY_OLD", "The key is too old");
      if (used.request_digest !== sent)`,
    ],
    [
      "idempotency",
      "const answer = create();",
      "const answer = create(); order.push(request.space + operation + key);",
    ],
  ),
  // A cancelled code becomes completed after 0.7 s, as by a late payment. A status may change by itself.
  habit(
    "cancelled-codes-completed-by-a-late-payment",
    "",
    whenCancelled(
      later(
        700,
        `database.run("UPDATE payment_codes SET status = 'completed', paid_count = 1, paid_total = amount WHERE id = ?", [row.id]);`,
      ),
    ),
  ),
];
