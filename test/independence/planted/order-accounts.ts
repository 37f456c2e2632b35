/**
 * Bugs of financial accounts, and of the idempotency keys of all creates, that only a sequence of calls
 * shows.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { ACCOUNT, type Edit, HOOK } from "./bug.ts";
import { type OrderBug, orderBug } from "./order.ts";

const CREATES = [ACCOUNT, HOOK];
const NO_UNIQUE_INDEX: Edit = [
  "tables",
  "CREATE UNIQUE INDEX accounts_by_reference",
  "CREATE INDEX accounts_by_reference",
];
const TAKEN = 'throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");';
const DUPLICATE_FOUND = "if (!isDuplicate(error)) throw error;";

/** Inserts statements before an account is created. They may use `sent` and `space`. */
const beforeCreate = (statements: string): Edit => [
  "accounts",
  "const now = Date.now();",
  `${statements} const now = Date.now();`,
];
/** Inserts statements that run if the reference of a new account is taken. */
const whenTaken = (statements: string): Edit => [
  "accounts",
  DUPLICATE_FOUND,
  `${DUPLICATE_FOUND} ${statements}`,
];
const afterCreate = (statements: string): Edit => [
  "accounts",
  "return shown(row);",
  `${statements} return shown(row);`,
];
const whenReplayed = (statements: string): Edit => [
  "idempotency",
  'reply.header("idempotent-replayed", "true");',
  `reply.header("idempotent-replayed", "true"); ${statements}`,
];

const isReplayedAfterAnotherKey: OrderBug["kept"] = async ({ account }) => {
  const { result } = await account({ name: "One" }, { key: "k-1" });
  await account({ name: "Two" }, { key: "k-2" });
  const again = await account({ name: "One" }, { key: "k-1" });
  return again.status >= 400 || again.result.id === result.id;
};

export const accountOrderBugs: readonly OrderBug[] = [
  orderBug(
    "refused-duplicate-frees-the-reference",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1" });
      return (await account({ reference: "R-1" })).status >= 400;
    },
    NO_UNIQUE_INDEX,
    beforeCreate(
      `const freed = (database.freed ??= new Set()); const name = space + sent.reference;
      if (sent.reference != null && database.first("SELECT 1 FROM accounts WHERE space_id = ? AND reference = ?", [space, sent.reference]) && !freed.delete(name)) { freed.add(name); ${TAKEN} }`,
    ),
  ),
  orderBug(
    "reference-compared-with-the-last-one",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-2" });
      return (await account({ reference: "R-1" })).status >= 400;
    },
    NO_UNIQUE_INDEX,
    beforeCreate(
      `const latest = (database.latest ??= {});
      if (sent.reference != null && latest[space] === sent.reference) ${TAKEN}
      if (sent.reference != null) latest[space] = sent.reference;`,
    ),
  ),
  orderBug("only-the-last-key-is-remembered", "KEY-REPLAY", CREATES, isReplayedAfterAnotherKey, [
    "idempotency",
    "const answer = create();",
    'const answer = create(); database.run("DELETE FROM idempotency_keys WHERE space_id = ? AND operation = ?", [request.space, operation]);',
  ]),
  orderBug(
    "key-used-up-by-its-replay",
    "KEY-REPLAY",
    CREATES,
    async ({ account }) => {
      const { result } = await account({ name: "One" }, { key: "k-1" });
      await account({ name: "One" }, { key: "k-1" });
      const again = await account({ name: "One" }, { key: "k-1" });
      return again.status >= 400 || again.result.id === result.id;
    },
    whenReplayed(
      'database.run("DELETE FROM idempotency_keys WHERE space_id = ? AND operation = ? AND key = ?", [request.space, operation, key]);',
    ),
  ),
  orderBug(
    "refused-duplicate-gives-its-number-back",
    "ACCOUNT-NUMBER-UNIQUE",
    ACCOUNT,
    async ({ account }) => {
      const { result } = await account({ reference: "R-1" });
      await account({ reference: "R-1" });
      return (await account()).result.uvan !== result.uvan;
    },
    ["tables", "uvan TEXT NOT NULL UNIQUE", "uvan TEXT NOT NULL"],
    ["accounts", "number(last) + 1", "number(last) + 1 - (database.refused ?? 0)"],
    whenTaken("database.refused = (database.refused ?? 0) + 1;"),
  ),
  orderBug(
    "metadata-of-a-refused-account-stays",
    "CREATE-NO-EFFECT CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1", metadata: { shop: "1" } });
      const { metadata } = (await account({ metadata: { branch: "2" } })).result;
      return JSON.stringify(metadata) === '{"branch":"2"}';
    },
    [
      "accounts",
      "JSON.stringify(sent.metadata ?? {})",
      "JSON.stringify({ ...database.left, ...sent.metadata })",
    ],
    whenTaken("database.left = sent.metadata;"),
    afterCreate("database.left = undefined;"),
  ),
  orderBug(
    "null-references-collide",
    "UNIQUE-OPTIONAL CREATE-NULL-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: null });
      return (await account({ reference: null })).status === 200;
    },
    beforeCreate(
      `const nulls = (database.nulls ??= new Set());
      if (sent.reference === null && nulls.has(space)) ${TAKEN} if (sent.reference === null) nulls.add(space);`,
    ),
  ),
  orderBug(
    "refused-reference-blocked-in-all-spaces",
    "UNIQUE-PER-SPACE",
    ACCOUNT,
    async ({ account, second: space }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1" });
      return (await account({ reference: "R-1" }, { space })).status === 200;
    },
    whenTaken("(database.blocked ??= new Set()).add(sent.reference);"),
    beforeCreate(`if (database.blocked?.has(sent.reference)) ${TAKEN}`),
  ),
  orderBug("replay-answers-the-newest", "KEY-REPLAY KEY-DISTINCT", CREATES, isReplayedAfterAnotherKey, [
    "idempotency",
    "JSON.parse(text(used.response_json))",
    'JSON.parse(text(database.first("SELECT response_json FROM idempotency_keys WHERE space_id = ? AND operation = ? ORDER BY rowid DESC LIMIT 1", [request.space, operation]).response_json))',
  ]),
  orderBug(
    "other-body-refused-once",
    "KEY-OTHER-BODY",
    CREATES,
    async ({ account }) => {
      await account({ name: "One" }, { key: "k-1" });
      await account({ name: "Two" }, { key: "k-1" });
      return (await account({ name: "Two" }, { key: "k-1" })).status >= 400;
    },
    [
      "idempotency",
      "if (used) {",
      `const tried = (database.tried ??= new Set()); const attempt = request.space + operation + key + sent;
      const again = tried.has(attempt); if (used && used.request_digest !== sent) tried.add(attempt);
      if (used && !again) {`,
    ],
    ["idempotency", 'database.insert("idempotency_keys"', 'if (!used) database.insert("idempotency_keys"'],
  ),
  orderBug(
    "balance-in-the-currency-of-the-first-account",
    "ACCOUNT-ONE-CURRENCY",
    ACCOUNT,
    async ({ account }) => {
      await account({ currency: "GHS" });
      const { balance } = (await account({ currency: "XAF" })).result as {
        balance?: { available?: { currency: string } };
      };
      return balance?.available?.currency === "XAF";
    },
    afterCreate(
      `const currencies = (database.currencies ??= new Map()); if (!currencies.has(space)) currencies.set(space, row.currency);
      if (row.id) { const answer = shown(row); answer.balance.available.currency = currencies.get(space); return answer; }`,
    ),
  ),
  orderBug(
    "reference-taken-before-the-currency-is-checked",
    "CREATE-NO-EFFECT CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1", currency: "ZZZ" });
      return (await account({ reference: "R-1" })).status === 200;
    },
    [
      "accounts",
      "if (!supported)",
      `const held = (database.held ??= new Set()); const name = space + sent.reference;
      if (sent.reference != null && held.has(name)) ${TAKEN}
      if (!supported && sent.reference != null) held.add(name);
      if (!supported)`,
    ],
  ),
];
