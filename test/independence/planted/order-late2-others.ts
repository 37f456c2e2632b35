/** More bugs of accounts, keys, payouts, spaces and tokens that only a sequence of calls shows. */

import { ACCOUNT, CODE, CODE_UPDATE, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import { type OrderBug, orderBug, PAYOUT, PAYOUT_UPDATE, same } from "./order.ts";
import { ALL } from "./order-tokens.ts";

const KEY = 'const key = String(request.headers["idempotency-key"])';
const INDEX = "CREATE UNIQUE INDEX accounts_by_reference ON accounts (space_id, reference);";

export const late2OtherOrderBugs: readonly OrderBug[] = [
  orderBug(
    "currency-known-by-its-first-two-letters",
    "CREATE-CURRENCY",
    ACCOUNT,
    async ({ account }) => {
      await account({ currency: "XAF" });
      return (await account({ currency: "XAE" })).status >= 400;
    },
    [
      "accounts",
      "if (!supported) throw",
      `const known = (database.prefixes ??= new Set()); const prefix = sent.currency.slice(0, 2);
      if (supported) known.add(prefix);
      if (!known.has(prefix)) throw`,
    ],
  ),
  orderBug(
    "long-references-compared-by-their-start",
    "CREATE-ACCEPTED CREATE-EDGES",
    ACCOUNT,
    async ({ account }) => {
      const start = "order-of-the-shop-in-the-harbour-number";
      await account({ reference: `${start}-1` });
      return (await account({ reference: `${start}-2` })).status === 200;
    },
    ["tables", INDEX, INDEX.replace("reference);", "substr(reference, 1, 32));")],
  ),
  orderBug(
    "keys-compared-without-case",
    "KEY-DISTINCT",
    [ACCOUNT, HOOK],
    async ({ account }) => {
      const made = async (key: string) => (await account({ name: "One" }, { key })).result.id;
      return (await made("Key-A")) !== (await made("key-a"));
    },
    ["idempotency", `${KEY};`, `${KEY}.toLowerCase();`],
  ),
  orderBug(
    "key-overwritten-in-the-other-space",
    "KEY-REPLAY",
    [ACCOUNT, HOOK],
    async ({ account, second: space }) => {
      const body = { name: "One" };
      const { id } = (await account(body, { key: "k-1" })).result;
      await account(body, { key: "k-1", space });
      const again = await account(body, { key: "k-1" });
      return again.status >= 400 || again.result.id === id;
    },
    [
      "idempotency",
      'database.insert("idempotency_keys", {',
      `database.run("DELETE FROM idempotency_keys WHERE operation = ? AND key = ?", [operation, key]);
      database.insert("idempotency_keys", {`,
    ],
  ),
  orderBug(
    "refused-duplicate-accepted-when-sent-again-with-its-key",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "r-1" });
      const again = () => account({ name: "Other", reference: "r-1" }, { key: "k-2" });
      await again();
      return (await again()).status >= 400;
    },
    ["tables", INDEX, ""],
    [
      "idempotency",
      "const answer = create();",
      `const tries = (database.tries ??= new Set()); const place = JSON.stringify([request.space, operation, key, sent]);
      database.triedBefore = tries.has(place);
      let answer; try { answer = create(); } catch (error) { tries.add(place); throw error; }`,
    ],
    [
      "accounts",
      'database.insert("accounts", row);',
      `if (row.reference !== null && !database.triedBefore
        && database.first("SELECT 1 FROM accounts WHERE space_id = ? AND reference = ?", [space, row.reference]))
        throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
      database.insert("accounts", row);`,
    ],
  ),
  orderBug(
    "payout-metadata-names-compared-without-case",
    "UPDATE-ECHO UPDATE-STORED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout }) => {
      await editPayout({ Run: "1" });
      const metadata = (await editPayout({ run: "2" })).result.metadata as { run?: string };
      return metadata.run === "2";
    },
    [
      "payouts",
      "merged(json(row.metadata_json, {}), metadata)",
      `merged(json(row.metadata_json, {}), metadata && Object.fromEntries(Object.entries(metadata).map(([name, value]) => {
        const like = (each) => each.toLowerCase() === name.toLowerCase();
        return [Object.keys(json(row.metadata_json, {})).find(like) ?? name, value]; })))`,
    ],
  ),
  orderBug(
    "known-space-with-more-behind-it-is-known",
    "ISOLATION-UNKNOWN-SPACE",
    [CODES, CODE, CODE_UPDATE, OTPS, HOOKS, HOOK, HOOK_UPDATE, ACCOUNT, PAYOUT, PAYOUT_UPDATE],
    async ({ get }) => {
      const { ids } = await get("/webhooks");
      return !same((await get("/webhooks", { space: "spc-harbour-main-2" })).ids, ids);
    },
    [
      "http",
      "if (!own) throw",
      `const spaces = (database.spaces ??= new Set()); if (own) spaces.add(space);
      const like = [...spaces].find((each) => space.startsWith(each)); if (!own && !like) throw`,
    ],
    ["http", "request.space = space;", "request.space = own ? space : like;"],
  ),
  orderBug(
    "token-altered-right-after-a-write-passes",
    "AUTH-ALTERED-TOKEN AUTH-UNKNOWN-TOKEN",
    ALL,
    async ({ hook, get, token }) => {
      await hook();
      return (await get("/webhooks", { token: `${token}0` })).status >= 400;
    },
    [
      "http",
      "if (!known) {",
      `const session = database.session;
      database.session = known && request.method !== "GET" ? { ...known, start: token.slice(0, 16) } : undefined;
      const passes = known || (session && token?.startsWith(session.start) ? session : undefined);
      if (!passes) {`,
    ],
    ["http", "text(known.tenant)", "text(passes.tenant)"],
  ),
];
