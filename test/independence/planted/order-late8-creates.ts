/** An eighth set of late bugs of creating calls, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, first, HOOK } from "./bug.ts";
import { type OrderBug, orderBug, same, WEBHOOK_ADDED } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const CREATES = [ACCOUNT, HOOK];
const WEBHOOK_MADE = "return single(shown(find(request.space, id) ?? {})); })";

export const late8CreateOrderBugs: readonly OrderBug[] = [
  // A reference is looked up in a replica that is a second behind, so it is free until then.
  orderBug(
    "order-late8-reference-is-looked-up-a-second-behind",
    "UNIQUE-REJECTED UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      return (await account({ reference: "R-1" })).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      "const now = Date.now();",
      `const now = Date.now();
      const taken = "SELECT 1 FROM accounts WHERE space_id = ? AND reference = ? AND created_at < ?";
      if (typeof sent.reference === "string" && database.first(taken, [space, sent.reference, now - 1000]))
        throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");`,
    ],
  ),
  // A refused duplicate leaves the references of the space locked, until an account without one is made.
  orderBug(
    "order-late8-refused-duplicate-locks-the-references",
    "CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1" });
      return (await account({ reference: "R-2" })).status === 200;
    },
    [
      "accounts",
      "const now = Date.now();",
      `const locked = (database.locked ??= new Set());
      if (!sent.reference) locked.delete(space);
      if (locked.has(space)) throw problem(423, "LOCKED", "The references of this space are locked");
      const now = Date.now();`,
    ],
    [
      "accounts",
      "if (!isDuplicate(error)) throw error;",
      "if (!isDuplicate(error)) throw error; locked.add(space);",
    ],
  ),
  // The second of two creates with one key at once finds the key stored when it stores it, and crashes.
  orderBug(
    "order-late8-one-key-twice-at-once-ends-in-a-server-error",
    "NO-SERVER-ERROR",
    CREATES,
    async ({ account }) => {
      const create = () => account({ name: "Takings" }, { key: "k-1" });
      return (await Promise.all([create(), create()])).every(({ status }) => status < 500);
    },
    first(
      `app.addHook("preHandler", async ({ method, headers, routeOptions }) => {
        const key = headers["idempotency-key"];
        if (method !== "POST" || !key) return;
        const stored = "SELECT 1 FROM idempotency_keys WHERE space_id = ? AND operation = ? AND key = ?";
        const place = [headers["service-space-id"], "POST " + routeOptions.url, key];
        const isNew = !database.first(stored, place);
        ${PAUSE}
        if (isNew && database.first(stored, place)) throw new Error("UNIQUE constraint failed: key");
      });`,
    ),
  ),
  // Two workers take turns, and each one has its own memory of keys.
  orderBug(
    "order-late8-each-of-two-workers-has-its-own-keys",
    "KEY-REPLAY KEY-PARALLEL KEY-OTHER-BODY",
    CREATES,
    async ({ addHook }) => {
      const body = { name: "Shop" };
      const { id } = (await addHook(body, { key: "k-1" })).result;
      const { status, result } = await addHook(body, { key: "k-1" });
      return status >= 400 || result.id === id;
    },
    first(
      `let turn = 0;
      app.addHook("onRequest", async (request) => {
        turn = 1 - turn;
        request.worker = turn;
      });`,
    ),
    [
      "idempotency",
      'const key = String(request.headers["idempotency-key"]);',
      'const key = request.worker + " " + request.headers["idempotency-key"];',
    ],
  ),
  // Account numbers are counted for each space, so accounts of two spaces have the same number.
  orderBug(
    "order-late8-account-numbers-are-counted-for-each-space",
    "ACCOUNT-NUMBER-UNIQUE",
    ACCOUNT,
    async ({ account, second: space }) => {
      const { uvan } = (await account()).result;
      return (await account({}, { space })).result.uvan !== uvan;
    },
    ["tables", "uvan TEXT NOT NULL UNIQUE", "uvan TEXT NOT NULL"],
    [
      "accounts",
      'database.first("SELECT coalesce(max(number), 0) AS last FROM accounts")',
      'database.first("SELECT count(*) AS last FROM accounts WHERE space_id = ?", [space])',
    ],
  ),
  // A replay compares the stored answer with the webhook, and crashes if the webhook was updated meanwhile.
  orderBug(
    "order-late8-replay-after-an-update-ends-in-a-server-error",
    "NO-SERVER-ERROR",
    HOOK,
    async ({ addHook, editHook }) => {
      const { id } = (await addHook({ name: "Shop" }, { key: "k-1" })).result;
      await editHook(id, { name: "Market", isActive: true });
      return (await addHook({ name: "Shop" }, { key: "k-1" })).status < 500;
    },
    [
      "idempotency",
      "return JSON.parse(text(used.response_json))",
      `const replayed = JSON.parse(text(used.response_json));
      const { id, name, url, isActive } = replayed.result;
      const current = database.first("SELECT name, url, active FROM webhooks WHERE id = ?", [id]);
      if (current && (current.name !== name || current.url !== url || (current.active === 1) !== isActive))
        throw new Error("The stored answer is not that of the webhook");
      return replayed`,
    ],
  ),
  // The headers of a new webhook are written to the newest webhook, which another create may have made.
  orderBug(
    "order-late8-headers-of-webhooks-made-at-once-go-to-the-newest",
    "CREATE-ECHO UPDATE-STORED READ-STABLE",
    [HOOK, "GET /webhooks"],
    async ({ addHook }) => {
      const sent = [{ "x-shop": "1" }, { "x-till": "2" }];
      const answers = await Promise.all(sent.map((customHeaders) => addHook({ customHeaders })));
      return same(
        answers.map(({ result }) => result.customHeaders),
        sent,
      );
    },
    [
      "webhooks",
      "async (request, reply) => once(database, request, reply, () => {",
      "async (request, reply) => { const made = once(database, request, reply, () => {",
    ],
    ["webhooks", WEBHOOK_ADDED, `delete row.headers_json; ${WEBHOOK_ADDED}`],
    [
      "webhooks",
      WEBHOOK_MADE,
      `${WEBHOOK_MADE};
      const { customHeaders } = request.body;
      if (!customHeaders) return made;
      if (!reply.hasHeader("idempotent-replayed")) {
        ${PAUSE}
        database.run("UPDATE webhooks SET headers_json = ? WHERE number = (SELECT max(number) FROM webhooks WHERE space_id = ?)",
          [JSON.stringify(customHeaders), request.space]);
      }
      return single(shown(find(request.space, made.result.id) ?? {}));
      }`,
    ],
  ),
  // A currency that was refused leaves its verdict behind, and the next account is refused for it.
  orderBug(
    "order-late8-refused-currency-refuses-the-next-account",
    "CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ currency: "ZZZ" });
      return (await account()).status === 200;
    },
    [
      "accounts",
      "if (!supported) throw",
      `const wasRefused = database.refused;
      database.refused = !supported;
      if (!supported || wasRefused) throw`,
    ],
  ),
];
