/** Services that conform, with unusual keys, locks and quotas. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit, openHabit } from "./bug.ts";

/** Replaces how a create uses its key. The code can use `name` (space, route, key), and call `work` to create. */
const aroundKeys = (state: string, code: string): Edit => [
  "idempotency",
  "export function once(",
  `${state}
  export async function once(database, request, reply, create) {
    const name = [request.space, request.routeOptions.url, request.headers["idempotency-key"]].join("\\n");
    const work = () => onceOnly(database, request, reply, create);
    ${code}
  }
  function onceOnly(`,
];

/** Makes each update last 20 ms longer. Meanwhile, other updates of the resource are rejected. */
const lockedUpdates = (file: string, find: string): Edit[] => [
  [
    file,
    "const preHandler = inSpace(database);",
    "const preHandler = inSpace(database); const busy = new Set();",
  ],
  [
    file,
    find,
    `${find}
      if (busy.has(id)) throw problem(409, "BUSY", "Another update is under way");
      busy.add(id);
      try { await new Promise((resolve) => setTimeout(resolve, 20)); } finally { busy.delete(id); }`,
  ],
];

export const freshHabits: readonly Bug[] = [
  // Of several simultaneous requests with one key, the service accepts only the first.
  habit(
    "keys-locked-while-creating",
    "",
    aroundKeys(
      "const busy = new Set();",
      `if (busy.has(name)) { reply.header("retry-after", "1"); throw problem(409, "IN_FLIGHT", "The first call is under way"); }
      busy.add(name);
      try { await new Promise((resolve) => setTimeout(resolve, 40)); return work(); } finally { busy.delete(name); }`,
    ),
  ),
  // After a rejection, a key is never accepted again, not even with the same body.
  habit(
    "keys-burnt-by-a-refusal",
    "",
    first(`const burnt = new Set();
      const name = ({ headers, url }) => [headers["service-space-id"], url, headers["idempotency-key"]].join("\\n");
      app.addHook("preValidation", async (request, reply) => {
        if (request.method === "POST" && burnt.has(name(request))) return reply.code(400).send({ error: "key burnt" });
      });
      app.addHook("onResponse", async (request, { statusCode }) => {
        if (request.method === "POST" && statusCode >= 400 && statusCode !== 401) burnt.add(name(request));
      });`),
  ),
  // For one second, a repeated create gets the same resource. Later it is rejected.
  habit(
    "replays-for-a-second",
    "",
    aroundKeys(
      "const since = new Map();",
      `if (since.get(name) < Date.now() - 1000) throw problem(409, "KEY_USED", "The key was used before");
      const answer = work();
      if (!since.has(name)) since.set(name, Date.now());
      return answer;`,
    ),
  ),
  // A repeated create shows the resource as it is now, with other messages and headers.
  habit(
    "replays-show-the-present",
    "",
    [
      "webhooks",
      "once(database, request, reply, () => {",
      `once(database, Object.assign(request, { now: (id) => shown(find(request.space, id) ?? {}) }), reply, () => {`,
    ],
    [
      "idempotency",
      "return JSON.parse(text(used.response_json))",
      `const before = JSON.parse(text(used.response_json));
      reply.header("idempotency-status", "hit").header("age", "3");
      if (request.now) return { ...before, messages: [{ replayed: true }], result: request.now(before.result.id) };
      return before`,
    ],
  ),
  // A key can be used only once in all spaces and operations of the token.
  habit(
    "keys-of-the-token",
    "",
    [
      "idempotency",
      "digest(JSON.stringify(request.body))",
      "digest(JSON.stringify([request.space, operation, request.body]))",
    ],
    ["idempotency", "space_id = ? AND operation = ? AND key = ?", "?1 = ?1 AND ?2 = ?2 AND key = ?3"],
  ),
  // The service rejects the second of two simultaneous updates of a resource.
  habit(
    "updates-lock-a-resource",
    "",
    ...lockedUpdates("webhooks", "async ({ space, params: { id }, body }) => {"),
    ...lockedUpdates("payment-codes", "async ({ space, params: { id }, body: sent }) => {"),
    ...lockedUpdates("payouts", "async ({ space, params: { id }, body: { metadata } }) => {"),
  ),
  // A space can have at most seven active webhooks.
  habit(
    "seven-active-webhooks",
    "",
    [
      "webhooks",
      "const preHandler = inSpace(database);",
      `const preHandler = inSpace(database);
      const crowded = (space) => database.all("SELECT 1 FROM webhooks WHERE space_id = ? AND active = 1", [space]).length >= 7;`,
    ],
    [
      "webhooks",
      'database.insert("webhooks", row);',
      `if (row.active && crowded(request.space)) throw problem(403, "QUOTA", "Too many active webhooks");
      database.insert("webhooks", row);`,
    ],
    [
      "webhooks",
      "if (!find(space, id))",
      `if (body.isActive && find(space, id)?.active === 0 && crowded(space)) throw problem(403, "QUOTA", "Too many active webhooks");
      if (!find(space, id))`,
    ],
  ),
  // A space can have at most forty new resources.
  habit(
    "forty-creations-an-hour",
    "",
    aroundKeys(
      "const made = new Map();",
      `const space = request.space;
      if ((made.get(space) ?? 0) >= 40) throw problem(403, "QUOTA", "Enough for this hour");
      const answer = work();
      if (!reply.getHeader("idempotent-replayed")) made.set(space, (made.get(space) ?? 0) + 1);
      return answer;`,
    ),
  ),
  // URLs of webhooks and names of accounts are unique, which no MUST forbids.
  habit(
    "addresses-and-names-once",
    "UNIQUE-NO-OTHERS",
    [
      "tables",
      "CREATE INDEX webhooks_by_space",
      "CREATE UNIQUE INDEX webhooks_by_url ON webhooks (space_id, url); CREATE UNIQUE INDEX accounts_by_name ON accounts (space_id, name); CREATE INDEX webhooks_by_space",
    ],
    first(
      `app.setErrorHandler((error, _, reply) => reply.code(/^UNIQUE/.test(error.message) ? 409 : (error.statusCode ?? 500)).send({ message: error.message }));`,
    ),
  ),
  // The service accepts only one currency for accounts.
  habit("accounts-in-francs", "", [
    "accounts",
    "if (!supported)",
    'if (!supported || sent.currency !== "XAF")',
  ]),
  // A space can have at most three accounts, including those from before the run.
  openHabit("three-accounts", [
    "accounts",
    "const supported",
    `if (database.all("SELECT 1 FROM accounts WHERE space_id = ?", [space]).length >= 3)
      throw problem(403, "QUOTA", "There are enough accounts");
    const supported`,
  ]),
  // A space can have only one account in each currency.
  openHabit("one-account-a-currency", [
    "accounts",
    "const supported",
    `if (database.first("SELECT 1 FROM accounts WHERE space_id = ? AND currency = ?", [space, sent.currency]))
      throw problem(409, "ACCOUNT_EXISTS", "There is an account in this currency");
    const supported`,
  ]),
];
