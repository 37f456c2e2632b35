/** More bugs of creates that only a sequence of calls shows. Their author did not know the suite. */

import { ACCOUNT, HOOK } from "./bug.ts";
import { LIST_OF_WEBHOOKS, type OrderBug, orderBug, remembering } from "./order.ts";
import { PAUSE } from "./order-late.ts";

const ACCOUNTS = "GET /v1/financial-accounts";
const CREATES = [ACCOUNT, HOOK];
const OTHER_BODY = "if (used.request_digest !== sent)";
const REPLAYED = 'reply.header("idempotent-replayed", "true");';
const OF_THE_KEY = '"space_id = ? AND operation = ? AND key = ?", [request.space, operation, key]';
const ADDED = 'database.insert("accounts", row);';
const MADE = "single(create(database, request.space, request.body))";
const PAGE = 'const { rows, next } = page(database, "accounts", { space_id: request.space }, request.query);';

export const late4CreateOrderBugs: readonly OrderBug[] = [
  // If a create is rejected because its key was used with another body, its reference still becomes taken.
  orderBug(
    "order-late4-reference-taken-under-a-used-key",
    "CREATE-NO-EFFECT CREATE-ACCEPTED",
    ACCOUNT,
    async ({ account }) => {
      await account({}, { key: "k-1" });
      await account({ reference: "R-1" }, { key: "k-1" });
      return (await account({ reference: "R-1" })).status === 200;
    },
    [
      "idempotency",
      OTHER_BODY,
      `if (used.request_digest !== sent && request.body.reference)
        (database.taken ??= new Set()).add(request.space + request.body.reference);
      ${OTHER_BODY}`,
    ],
    [
      "accounts",
      ADDED,
      `if (sent.reference && database.taken?.has(space + sent.reference))
        throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
      ${ADDED}`,
    ],
  ),
  // The service caches pages of accounts until the next create, and shows them in other spaces, too.
  orderBug(
    "order-late4-pages-of-accounts-kept-for-all-spaces",
    "ISOLATION-LISTS",
    ACCOUNTS,
    async ({ account, get, second: space }) => {
      const { id } = (await account()).result;
      await get("/v1/financial-accounts?limit=5");
      return !(await get("/v1/financial-accounts?limit=5", { space })).ids.includes(id);
    },
    remembering("accounts"),
    ["accounts", MADE, `{ memory.clear(); return ${MADE}; }`],
    [
      "accounts",
      PAGE,
      `const kept = request.tenant + JSON.stringify(request.query);
      ${PAGE.replace("const { rows, next } =", "if (!memory.has(kept)) memory.set(kept,").replace(";", ");")}
      const { rows, next } = memory.get(kept);`,
    ],
  ),
  // If two accounts are created at the same moment, both get the description of the later one.
  orderBug(
    "order-late4-accounts-made-at-once-share-a-description",
    "CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      const [one] = await Promise.all([account({ description: "One" }), account({ description: "Two" })]);
      return one?.result.description === "One";
    },
    remembering("accounts"),
    [
      "accounts",
      `once(database, request, reply, () => ${MADE})`,
      `{ memory.set("description", request.body.description);
        ${PAUSE}
        const description = memory.get("description");
        return once(database, request, reply, () =>
          single(create(database, request.space, { ...request.body, description }))); }`,
    ],
  ),
  // If a key is used with another body, the request is rejected, but the key becomes free for a new create.
  orderBug(
    "order-late4-refusal-of-another-body-frees-the-key",
    "KEY-REPLAY",
    CREATES,
    async ({ account }) => {
      const made = await account({ name: "One" }, { key: "k-1" });
      await account({ name: "Two" }, { key: "k-1" });
      const again = await account({ name: "One" }, { key: "k-1" });
      return again.status !== 200 || again.result.id === made.result.id;
    },
    [
      "idempotency",
      "if (used) {",
      `const place = [request.space, operation, key].join(" "); const freed = (database.freed ??= new Set());
      if (used && freed.delete(place)) database.run("DELETE FROM idempotency_keys WHERE " + ${OF_THE_KEY});
      else if (used) { if (used.request_digest !== sent) freed.add(place);`,
    ],
  ),
  // The service knows a reference only in the space that used it first, so other spaces can use it twice.
  orderBug(
    "order-late4-reference-belongs-to-the-space-that-used-it-first",
    "UNIQUE-REJECTED UNIQUE-PARALLEL",
    ACCOUNT,
    async ({ account, second: space }) => {
      await account({ reference: "R-1" });
      await account({ reference: "R-1" }, { space });
      return (await account({ reference: "R-1" }, { space })).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      ADDED,
      `const holder = sent.reference &&
        database.first("SELECT space_id FROM accounts WHERE reference = ? ORDER BY number LIMIT 1", [sent.reference]);
      if (holder && holder.space_id === space)
        throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
      ${ADDED}`,
    ],
  ),
  // A replay encodes the stored answer as JSON once more, so the next replay is answered with a text.
  orderBug(
    "order-late4-replay-encodes-the-kept-answer-again",
    "JSON-CONTENT-TYPE KEY-REPLAY RESULT-OBJECT",
    CREATES,
    async ({ account }) => {
      const made = await account({ name: "One" }, { key: "k-1" });
      const again = [];
      for (const _ of [1, 2, 3]) again.push(await account({ name: "One" }, { key: "k-1" }));
      return again.every(({ status, result }) => status >= 400 || result.id === made.result.id);
    },
    [
      "idempotency",
      REPLAYED,
      `database.update("idempotency_keys", { response_json: JSON.stringify(used.response_json) }, ${OF_THE_KEY});
      ${REPLAYED}`,
    ],
  ),
  // Listing the webhooks of a space deletes its idempotency keys.
  orderBug(
    "order-late4-listing-webhooks-drops-the-keys",
    "KEY-REPLAY",
    CREATES,
    async ({ account, get }) => {
      const made = await account({ name: "One" }, { key: "k-1" });
      await get("/webhooks");
      return (await account({ name: "One" }, { key: "k-1" })).result.id === made.result.id;
    },
    [
      "webhooks",
      LIST_OF_WEBHOOKS,
      `${LIST_OF_WEBHOOKS} database.run("DELETE FROM idempotency_keys WHERE space_id = ?", [space]);`,
    ],
  ),
  // A replay removes its key for a moment, and another replay in this moment creates a second resource.
  orderBug(
    "order-late4-replays-at-once-make-another",
    "KEY-PARALLEL KEY-REPLAY",
    CREATES,
    async ({ account }) => {
      const send = () => account({ name: "One" }, { key: "k-1" });
      const made = await send();
      const again = await Promise.all([send(), send()]);
      return again.every(({ status, result }) => status >= 400 || result.id === made.result.id);
    },
    [
      "idempotency",
      REPLAYED,
      `database.run("DELETE FROM idempotency_keys WHERE " + ${OF_THE_KEY});
      const kept = { space_id: request.space, operation, key, ...used };
      return new Promise((resolve) => setTimeout(() => {
        try { database.insert("idempotency_keys", kept); } catch {}
        resolve(JSON.parse(text(used.response_json)));
      }, 25));
      ${REPLAYED}`,
    ],
  ),
];
