/** Still more bugs of creating calls that only a sequence of calls shows. Their author did not know the suite. */

import { ACCOUNT, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import { inWebhookUpdate, type OrderBug, orderBug, WEBHOOK_ADDED } from "./order.ts";

const CREATES = [ACCOUNT, HOOK];
const HOOK_BODY = { name: "Hook" };
const ORDERS = "https://shop.example.com/hooks/Orders";

export const late6CreateOrderBugs: readonly OrderBug[] = [
  // The column of the keys is numeric, so keys of digits are compared as numbers.
  orderBug(
    "order-late6-keys-of-digits-are-compared-as-numbers",
    "KEY-DISTINCT CREATE-ACCEPTED",
    CREATES,
    async ({ addHook }) => {
      const { id } = (await addHook(HOOK_BODY, { key: "17" })).result;
      const answer = await addHook(HOOK_BODY, { key: "017" });
      return answer.status === 200 && answer.result.id !== id;
    },
    ["tables", "key TEXT NOT NULL,", "key NUMERIC NOT NULL,"],
  ),
  // A reference is unique among the accounts of a currency, and not among those of the space.
  orderBug(
    "order-late6-reference-is-unique-within-a-currency",
    "UNIQUE-REJECTED UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1", currency: "XAF" });
      return (await account({ reference: "R-1", currency: "GHS" })).status >= 400;
    },
    ["tables", "ON accounts (space_id, reference);", "ON accounts (space_id, reference, currency);"],
  ),
  // The first refused duplicate loads the references of the space, and later ones are not added to these.
  orderBug(
    "order-late6-references-are-known-up-to-the-first-duplicate",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1" });
      await account({ reference: "R-2" });
      return (await account({ reference: "R-2" })).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      "const now = Date.now();",
      `if (typeof sent.reference === "string") {
        const loaded = (database.references ??= new Map());
        const rows = database.all("SELECT reference FROM accounts WHERE space_id = ?", [space]);
        const known = loaded.get(space) ?? new Set(rows.map(({ reference }) => reference));
        if (known.has(sent.reference)) {
          loaded.set(space, known);
          throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
        }
      }
      const now = Date.now();`,
    ],
  ),
  // An account whose reference another space uses gets the description of the account there.
  orderBug(
    "order-late6-reference-of-another-space-brings-its-description",
    "CREATE-ECHO ISOLATION-WRITES",
    ACCOUNT,
    async ({ account, second: space }) => {
      await account({ reference: "R-1", description: "Takings" });
      const { result } = await account({ reference: "R-1", description: "Fees" }, { space });
      return result.description === "Fees";
    },
    [
      "accounts",
      "description: sent.description ?? null,",
      `description:
        database.first("SELECT description FROM accounts WHERE reference = ? AND space_id <> ?", [
          sent.reference ?? null, space])?.description ?? sent.description ?? null,`,
    ],
  ),
  // A key is forgotten a second after its first use.
  orderBug(
    "order-late6-key-is-forgotten-after-a-second",
    "KEY-REPLAY",
    CREATES,
    async ({ addHook }) => {
      const { id } = (await addHook(HOOK_BODY, { key: "k-1" })).result;
      await new Promise((resolve) => setTimeout(resolve, 1200));
      const answer = await addHook(HOOK_BODY, { key: "k-1" });
      return answer.status >= 400 || answer.result.id === id;
    },
    ["idempotency", "const used = database.first(", "let used = database.first("],
    [
      "idempotency",
      "if (used) {",
      `const times = (database.keyTimes ??= new Map());
      const place = [request.space, operation, key];
      if (used && Date.now() - times.get(place.join(" ")) > 1000) {
        database.run("DELETE FROM idempotency_keys WHERE space_id = ? AND operation = ? AND key = ?", place);
        used = undefined;
      }
      if (used) {`,
    ],
    [
      "idempotency",
      "const answer = create();",
      'times.set(place.join(" "), Date.now()); const answer = create();',
    ],
  ),
  // Creates with equal bodies at the same moment make one resource, though their keys differ.
  orderBug(
    "order-late6-equal-creates-at-once-are-one",
    "KEY-DISTINCT UNIQUE-PARALLEL",
    CREATES,
    async ({ addHook }) => {
      const [one, other] = await Promise.all([addHook(HOOK_BODY), addHook(HOOK_BODY)]);
      return one.result.id !== other.result.id;
    },
    [
      "idempotency",
      "return database.transaction(() => {",
      `const flights = (database.flights ??= new Map());
      const flight = [request.space, operation, sent].join(" ");
      if (flights.has(flight)) return flights.get(flight);
      const made = new Promise((resolve) => setTimeout(resolve, 25)).then(() => database.transaction(() => {`,
    ],
    [
      "idempotency",
      "return answer; });",
      `return answer; })).finally(() => flights.delete(flight));
      flights.set(flight, made);
      return made;`,
    ],
  ),
  // A refused create leaves its transaction open, and the next refused one takes back all that came between.
  orderBug(
    "order-late6-second-refusal-takes-back-what-came-since-the-first",
    "CREATE-LISTED CREATE-NO-EFFECT UPDATE-STORED UPDATE-ACCEPTED KEY-REPLAY UNIQUE-REJECTED READ-STABLE",
    [...CREATES, HOOKS, HOOK_UPDATE],
    async ({ account, hook, listedHook }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1" });
      const id = await hook();
      await account({ reference: "R-1" });
      return (await listedHook(id)) !== undefined;
    },
    ["database", 'this.script("BEGIN IMMEDIATE");', 'if (!this.open) this.script("BEGIN IMMEDIATE");'],
    ["database", 'this.script("COMMIT");', 'if (!this.open) this.script("COMMIT");'],
    [
      "database",
      'this.script("ROLLBACK");',
      'if (this.open) this.script("ROLLBACK"); this.open = !this.open;',
    ],
  ),
  // The currencies that were asked for are kept, also those that do not exist.
  orderBug(
    "order-late6-unknown-currency-is-known-the-second-time",
    "CREATE-CURRENCY ACCOUNT-FIELDS MONEY-FIELDS",
    ACCOUNT,
    async ({ account }) => {
      await account({ currency: "QQQ" });
      return (await account({ currency: "QQQ" })).status >= 400;
    },
    [
      "accounts",
      "if (!supported)",
      `const asked = (database.asked ??= new Set());
      const isKnown = asked.has(sent.currency);
      asked.add(sent.currency);
      if (!supported && !isKnown)`,
    ],
  ),
  // A webhook that is made without isActive is as active as the last update in the space said.
  orderBug(
    "order-late6-webhook-made-after-an-activation-is-active",
    "CREATE-DEFAULT",
    HOOK,
    async ({ hook, editHook, addHook }) => {
      await editHook(await hook(), { isActive: true });
      return (await addHook()).result.isActive === false;
    },
    ["webhooks", 'isActive: { type: "boolean", default: false }', 'isActive: { type: "boolean" }'],
    ...inWebhookUpdate("if (change.active !== undefined) memory.set(space, change.active);"),
    ["webhooks", WEBHOOK_ADDED, `row.active ??= memory.get(request.space) ?? 0; ${WEBHOOK_ADDED}`],
  ),
  // A new webhook whose URL differs from an older one in its query only gets the older URL.
  orderBug(
    "order-late6-url-with-another-query-is-taken-for-the-known-one",
    "CREATE-ECHO",
    HOOK,
    async ({ addHook }) => {
      await addHook({ url: `${ORDERS}?Shop=A` });
      const { url } = (await addHook({ url: `${ORDERS}?Shop=B` })).result;
      return url === `${ORDERS}?Shop=B`;
    },
    [
      "webhooks",
      WEBHOOK_ADDED,
      `const [path] = row.url.split("?");
      const others = database.all("SELECT url FROM webhooks WHERE space_id = ?", [request.space]);
      row.url = others.find(({ url }) => url.split("?")[0] === path)?.url ?? row.url;
      ${WEBHOOK_ADDED}`,
    ],
  ),
];
