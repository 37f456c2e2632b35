/** Further bugs of creates that only a sequence of calls shows. Their author did not know the suite. */

import { ACCOUNT, HOOK } from "./bug.ts";
import { type OrderBug, orderBug, WEBHOOK_ADDED } from "./order.ts";

const CREATES = [ACCOUNT, HOOK];
const HOOK_BODY = { name: "Hook" };

export const late5CreateOrderBugs: readonly OrderBug[] = [
  // A new webhook with the URL of an active webhook is active, even if the create does not ask for it.
  orderBug(
    "order-late5-webhook-for-a-known-url-starts-as-the-other",
    "CREATE-DEFAULT CREATE-ECHO",
    HOOK,
    async ({ addHook }) => {
      await addHook({ isActive: true });
      return (await addHook()).result.isActive === false;
    },
    [
      "webhooks",
      WEBHOOK_ADDED,
      `if (database.first("SELECT 1 FROM webhooks WHERE space_id = ? AND url = ? AND active = 1", [request.space, row.url]))
        row.active = 1;
      ${WEBHOOK_ADDED}`,
    ],
  ),
  // Idempotency keys are compared by their first 36 characters, the length of a UUID.
  orderBug(
    "order-late5-keys-cut-to-the-length-of-a-uuid",
    "KEY-DISTINCT CREATE-ACCEPTED",
    CREATES,
    async ({ addHook }) => {
      const [one, other] = ["a", "b"].map((end) => "k".repeat(63) + end);
      const { id } = (await addHook(HOOK_BODY, { key: String(one) })).result;
      const answer = await addHook(HOOK_BODY, { key: String(other) });
      return answer.status === 200 && answer.result.id !== id;
    },
    [
      "idempotency",
      'const key = String(request.headers["idempotency-key"]);',
      'const key = String(request.headers["idempotency-key"]).slice(0, 36);',
    ],
  ),
  // An update of a payout's metadata deletes all idempotency keys.
  orderBug(
    "order-late5-payout-update-empties-the-key-store",
    "KEY-REPLAY",
    CREATES,
    async ({ addHook, editPayout }) => {
      const { id } = (await addHook(HOOK_BODY, { key: "k-1" })).result;
      await editPayout({ batch: "other" });
      return (await addHook(HOOK_BODY, { key: "k-1" })).result.id === id;
    },
    [
      "payouts",
      "if (metadata !== undefined) {",
      'if (metadata !== undefined) { database.run("DELETE FROM idempotency_keys");',
    ],
  ),
  // If two spaces use one key at the same moment, both creates are answered with one resource.
  orderBug(
    "order-late5-one-key-in-two-spaces-at-once-makes-one",
    "ISOLATION-KEYS ISOLATION-WRITES",
    CREATES,
    async ({ addHook, second: space }) => {
      const key = "k-1";
      const answers = await Promise.all([addHook(HOOK_BODY, { key }), addHook(HOOK_BODY, { key, space })]);
      return answers[0]?.result.id !== answers[1]?.result.id;
    },
    ["idempotency", "return answer; });", "return answer; })); flights.set(flight, own); return own.made;"],
    [
      "idempotency",
      "return database.transaction(() => {",
      `const flights = (database.flights ??= new Map());
      const flight = operation + " " + key;
      const other = flights.get(flight);
      if (other && !other.done && other.space !== request.space) return other.made;
      const own = { space: request.space };
      own.made = new Promise((resolve) => setTimeout(resolve, 25)).then(() => database.transaction(() => {
        own.done = true;`,
    ],
  ),
  // If an account has a description, another account can have the same reference.
  orderBug(
    "order-late5-reference-of-a-described-account-is-free",
    "UNIQUE-REJECTED UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ account }) => {
      const fields = { reference: "R-1", description: "Takings" };
      await account(fields);
      return (await account(fields)).status >= 400;
    },
    [
      "tables",
      "ON accounts (space_id, reference);",
      "ON accounts (space_id, reference) WHERE description IS NULL;",
    ],
  ),
  // If an account is rejected because its reference is taken, the account with the reference gets its name.
  orderBug(
    "order-late5-refused-duplicate-renames-the-first",
    "CREATE-NO-EFFECT",
    ACCOUNT,
    async ({ account, get }) => {
      const { id } = (await account({ name: "First", reference: "R-1" })).result;
      await account({ name: "Second", reference: "R-1" });
      const { items } = await get("/v1/financial-accounts");
      return items.find((each) => each.id === id)?.name === "First";
    },
    [
      "accounts",
      "if (!isDuplicate(error)) throw error;",
      `if (!isDuplicate(error)) throw error;
      const written = [row.name, space, row.reference];
      setImmediate(() => database.run("UPDATE accounts SET name = ? WHERE space_id = ? AND reference = ?", written));`,
    ],
  ),
];
