/** A seventh set of late bugs of creating calls, for a sequence of calls. Their author did not know the suite. */

import { ACCOUNT, HOOK } from "./bug.ts";
import { NEWER, OLDER, type OrderBug, orderBug, same, WEBHOOK_ADDED } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const ACCOUNTS = "GET /v1/financial-accounts";
const CREATES = [ACCOUNT, HOOK];
const CREATE_ACCOUNT =
  "once(database, request, reply, () => single(create(database, request.space, request.body)))";

export const late7CreateOrderBugs: readonly OrderBug[] = [
  // Balances are cached by the name of the account, so a second account of a name can have another currency there.
  orderBug(
    "order-late7-balances-are-cached-by-account-name",
    "ACCOUNT-ONE-CURRENCY",
    ACCOUNT,
    async ({ account }) => {
      await account({ name: "Takings", currency: "XAF" });
      const { balance } = (await account({ name: "Takings", currency: "GHS" })).result;
      return (balance as { available?: { currency?: unknown } }).available?.currency === "GHS";
    },
    [
      "accounts",
      "return shown(row);",
      `const answer = shown(row);
      const balances = (database.balances ??= new Map());
      const place = JSON.stringify([space, row.name]);
      if (!balances.has(place)) balances.set(place, answer.balance);
      return { ...answer, balance: balances.get(place) };`,
    ],
  ),
  // A reference is looked up with LIKE, so an underscore in it stands for any character.
  orderBug(
    "order-late7-underscore-in-a-reference-stands-for-any-character",
    "CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "shop-1" });
      return (await account({ reference: "shop_1" })).status === 200;
    },
    [
      "accounts",
      "const now = Date.now();",
      `const taken = "SELECT 1 FROM accounts WHERE space_id = ? AND reference LIKE ?";
      if (sent.reference && database.first(taken, [space, sent.reference]))
        throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
      const now = Date.now();`,
    ],
  ),
  // A lock for the reference of a running create does not have the space, so a create elsewhere is refused.
  orderBug(
    "order-late7-one-reference-in-two-spaces-at-once-is-refused",
    "UNIQUE-PER-SPACE CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account, second: space }) => {
      const body = { name: "Takings", reference: "R-1" };
      const answers = await Promise.all([account(body), account(body, { space })]);
      return answers.every(({ status }) => status === 200);
    },
    [
      "accounts",
      `async (request, reply) => ${CREATE_ACCOUNT}`,
      `async (request, reply) => {
        const locks = (database.locks ??= new Set());
        const { reference } = request.body;
        if (reference && locks.has(reference))
          throw problem(409, "REFERENCE_LOCKED", "An account with the reference is being made");
        if (reference) locks.add(reference);
        ${PAUSE}
        try { return ${CREATE_ACCOUNT}; } finally { locks.delete(reference); }
      }`,
    ],
  ),
  // An account whose create was replayed is twice in the list of accounts.
  orderBug(
    "order-late7-replayed-account-is-listed-twice",
    "NAMED-LIST NAMED-STABLE",
    ACCOUNTS,
    async ({ account, get }) => {
      await account({ name: "Takings" }, { key: "k-1" });
      await account({ name: "Takings" }, { key: "k-1" });
      const { ids } = await get("/v1/financial-accounts");
      return new Set(ids).size === ids.length;
    },
    [
      "idempotency",
      'reply.header("idempotent-replayed", "true");',
      `reply.header("idempotent-replayed", "true");
      (database.replayed ??= new Set()).add(JSON.parse(used.response_json).result.id);`,
    ],
    [
      "accounts",
      "return list(rows.map(shown), { next });",
      `const again = rows.filter(({ id }) => database.replayed?.has(id));
      return list([...rows, ...again].map(shown), { next });`,
    ],
  ),
  // A replay under another version than the create has no time of the last update.
  orderBug(
    "order-late7-replay-under-another-version-has-no-update-time",
    "ACCOUNT-PRESENT VERSION-FIELDS",
    ACCOUNT,
    async ({ account }) => {
      await account({ name: "Takings" }, { key: "k-1", version: OLDER });
      const { status, result } = await account({ name: "Takings" }, { key: "k-1", version: NEWER });
      return status >= 400 || typeof result.updateTime === "string";
    },
    [
      "idempotency",
      "return database.transaction(() => {",
      `const versions = (database.versions ??= new Map());
      const place = JSON.stringify([request.space, operation, key]);
      const version = request.headers["service-version"];
      return database.transaction(() => {`,
    ],
    [
      "idempotency",
      "return JSON.parse(text(used.response_json))",
      `const replayed = JSON.parse(text(used.response_json));
      if (versions.get(place) !== version) delete replayed.result.updateTime;
      return replayed`,
    ],
    ["idempotency", "const answer = create();", "const answer = create(); versions.set(place, version);"],
  ),
  // A key is not stored if the answer to store with it has more than 700 characters.
  orderBug(
    "order-late7-key-of-a-long-answer-is-not-stored",
    "KEY-REPLAY",
    CREATES,
    async ({ addHook }) => {
      const note =
        "Takings of the shop in the harbour, with those of the two smaller shops at the old market";
      const body = { name: "Hook", metadata: { one: note, two: note, three: note, four: note } };
      const { id } = (await addHook(body, { key: "k-1" })).result;
      const { status, result } = await addHook(body, { key: "k-1" });
      return status >= 400 || result.id === id;
    },
    [
      "idempotency",
      'database.insert("idempotency_keys", {',
      'if (JSON.stringify(answer).length <= 700) database.insert("idempotency_keys", {',
    ],
  ),
  // An account that is refused for its reference is made a moment later without the reference.
  orderBug(
    "order-late7-refused-duplicate-is-made-without-its-reference",
    "CREATE-NO-EFFECT",
    [ACCOUNT, ACCOUNTS],
    async ({ account, get }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1", name: "Refused" });
      await new Promise((resolve) => setTimeout(resolve, 50));
      return (await get("/v1/financial-accounts")).items.every(({ name }) => name !== "Refused");
    },
    [
      "accounts",
      "if (!isDuplicate(error)) throw error;",
      `if (!isDuplicate(error)) throw error;
      setTimeout(() => {
        try { database.insert("accounts", { ...row, reference: null }); } catch {}
      }, 5);`,
    ],
  ),
  // A new webhook is not subscribed to the events of other webhooks at its URL, unless none is left.
  orderBug(
    "order-late7-event-is-subscribed-once-for-a-url",
    "CREATE-ECHO",
    HOOK,
    async ({ addHook }) => {
      await addHook({ events: ["payout.failed"] });
      const events = ["payout.failed", "payout.completed"];
      return same((await addHook({ events })).result.events, events);
    },
    [
      "webhooks",
      WEBHOOK_ADDED,
      `const others = database.all("SELECT events_json FROM webhooks WHERE space_id = ? AND url = ?",
        [request.space, row.url]).flatMap(({ events_json }) => JSON.parse(events_json));
      const left = JSON.parse(row.events_json).filter((each) => !others.includes(each));
      if (left.length > 0) row.events_json = JSON.stringify(left);
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // The name of a custom header has the letter case in which any webhook used it first.
  orderBug(
    "order-late7-header-names-have-the-case-of-their-first-use",
    "CREATE-ECHO UPDATE-ECHO UPDATE-STORED",
    HOOK,
    async ({ addHook }) => {
      await addHook({ customHeaders: { "X-Shop": "a" } });
      const { customHeaders } = (await addHook({ customHeaders: { "x-shop": "b" } })).result;
      return same(customHeaders, { "x-shop": "b" });
    },
    [
      "webhooks",
      "change.headers_json = JSON.stringify(sent.customHeaders);",
      `{
        const names = (columns.names ??= new Map());
        const known = (name) => names.get(name.toLowerCase()) ?? name;
        for (const name of Object.keys(sent.customHeaders)) names.set(name.toLowerCase(), known(name));
        change.headers_json = JSON.stringify(Object.fromEntries(
          Object.entries(sent.customHeaders).map(([name, value]) => [known(name), value])));
      }`,
    ],
  ),
];
