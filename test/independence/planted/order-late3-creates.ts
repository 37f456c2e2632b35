/** Bugs of accounts, keys and payouts that only a sequence of calls shows. Their author did not know the suite. */

import { ACCOUNT, CODE_UPDATE, HOOK, HOOK_UPDATE, HOOKS } from "./bug.ts";
import { type OrderBug, orderBug, PAYOUT, PAYOUT_UPDATE, remembering } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const ACCOUNTS = "GET /v1/financial-accounts";
const ADDED = 'database.insert("accounts", row);';
const KEY = 'const key = String(request.headers["idempotency-key"])';
const KEY_ADDED = 'database.insert("idempotency_keys", {';
const LISTED = "return list(rows.map(shown), { next });";
const FOUND = "const row = find(space, id);";

export const late3CreateOrderBugs: readonly OrderBug[] = [
  orderBug(
    "keys-compared-without-hyphens",
    "KEY-DISTINCT CREATE-ACCEPTED",
    [ACCOUNT, HOOK],
    async ({ account }) => {
      const made = async (key: string) => (await account({ name: "One" }, { key })).result.id;
      return (await made("shop-1-12")) !== (await made("shop-11-2"));
    },
    ["idempotency", `${KEY};`, `${KEY}.replaceAll("-", "");`],
  ),
  orderBug(
    "key-taken-over-by-the-next-key-with-its-body",
    "KEY-REPLAY",
    [ACCOUNT, HOOK],
    async ({ account }) => {
      const made = (key: string) => account({ name: "One" }, { key });
      const { id } = (await made("k-1")).result;
      await made("k-2");
      const again = await made("k-1");
      return again.status >= 400 || again.result.id === id;
    },
    [
      "idempotency",
      KEY_ADDED,
      `database.run("DELETE FROM idempotency_keys WHERE space_id = ? AND operation = ? AND request_digest = ?", [request.space, operation, sent]);
      ${KEY_ADDED}`,
    ],
  ),
  orderBug(
    "newest-account-heads-the-lists-of-other-spaces",
    "ISOLATION-LISTS ISOLATION-WRITES",
    [ACCOUNTS, ACCOUNT],
    async ({ account, get, second: space }) => {
      const { id } = (await account()).result;
      return !(await get("/v1/financial-accounts", { space })).ids.includes(id);
    },
    ["accounts", ADDED, `${ADDED} database.newest = row;`],
    [
      "accounts",
      LISTED,
      `const { newest } = database; if (newest?.space_id === request.space) database.newest = undefined;
      else if (newest && !request.query.after) rows.splice(0, rows.length, ...[newest, ...rows].slice(0, request.query.limit));
      ${LISTED}`,
    ],
  ),
  orderBug(
    "account-updated-when-the-one-before-was-made",
    "TIMES-ORDERED",
    ACCOUNT,
    async ({ account }) => {
      await account();
      await new Promise((resolve) => setTimeout(resolve, 5));
      const { createTime, updateTime } = (await account()).result;
      return String(updateTime) >= String(createTime);
    },
    ["accounts", "updated_at: now", "updated_at: database.written ?? now"],
    ["accounts", ADDED, `${ADDED} database.written = now;`],
  ),
  orderBug(
    "refused-create-rolls-its-neighbour-back",
    "CREATE-LISTED KEY-REPLAY UNIQUE-REJECTED UNIQUE-PARALLEL CREATE-NO-EFFECT UPDATE-STORED UPDATE-KEEPS",
    [HOOK, HOOKS, HOOK_UPDATE, ACCOUNT, CODE_UPDATE, PAYOUT_UPDATE],
    async ({ addHook, listedHook }) => {
      await addHook({ name: "One" }, { key: "k-1" });
      const [made] = await Promise.all([addHook(), addHook({ name: "Other" }, { key: "k-1" })]);
      return (await listedHook(made?.result.id ?? "")) !== undefined;
    },
    ["idempotency", "return database.transaction(() => {", "const work = () => {"],
    [
      "idempotency",
      "return answer; }); }",
      `return answer; };
      const shared = (database.shared ??= { users: 0 });
      const inTransaction = async () => {
        if (shared.users++ === 0) { database.script("BEGIN"); shared.failed = false; }
        try { const answer = work(); ${PAUSE} return answer; }
        catch (error) { shared.failed = true; throw error; }
        finally { if (--shared.users === 0) database.script(shared.failed ? "ROLLBACK" : "COMMIT"); }
      };
      return inTransaction(); }`,
    ],
  ),
  orderBug(
    "value-as-read-last-is-taken-for-no-change",
    "UPDATE-ECHO UPDATE-STORED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout, readPayout }) => {
      await editPayout({ run: "1" });
      await readPayout();
      await editPayout({ run: "2" });
      const { metadata } = (await editPayout({ run: "1" })).result;
      return (metadata as { run?: string }).run === "1";
    },
    remembering("payouts"),
    [
      "payouts",
      "single(shown(find(space, params.id)))",
      "{ const answer = shown(find(space, params.id)); memory.set(answer.id, answer.metadata); return single(answer); }",
    ],
    [
      "payouts",
      "merged(json(row.metadata_json, {}), metadata)",
      `merged(json(row.metadata_json, {}), metadata && Object.fromEntries(
        Object.entries(metadata).filter(([name, value]) => memory.get(id)?.[name] !== value)))`,
    ],
  ),
  orderBug(
    "payout-restored-after-a-refused-update-has-no-milliseconds",
    "UPDATE-IDENTITY UPDATE-NO-EFFECT UPDATE-KEEPS-REST READ-STABLE",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout, readPayout }) => {
      const { createTime } = (await editPayout({ run: "1" })).result;
      await editPayout("text");
      return (await readPayout()).result.createTime === createTime;
    },
    remembering("payouts"),
    [
      "payouts",
      "{ schema: { ...schema, body }, preHandler }",
      `{ schema: { ...schema, body }, preHandler, onError: async ({ params: { id } }, _, error) => {
        if (error.validation && memory.has(id)) database.update("payouts", { created_at: memory.get(id) }, "id = ?", [id]); } }`,
    ],
    ["payouts", FOUND, `${FOUND} memory.set(id, row.created_at - (row.created_at % 1000));`],
  ),
  orderBug(
    "update-refused-in-another-space-stays-refused",
    "UPDATE-ACCEPTED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout, second: space }) => {
      await editPayout({ run: "1" }, { space });
      return (await editPayout({ run: "1" })).status === 200;
    },
    remembering("payouts"),
    [
      "payouts",
      FOUND,
      `const asked = JSON.stringify([id, metadata]); if (memory.has(asked)) throw memory.get(asked);
      let row; try { row = find(space, id); } catch (error) { memory.set(asked, error); throw error; }`,
    ],
  ),
];
