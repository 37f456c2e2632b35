/** Later bugs of accounts, keys and payouts that only a sequence of calls shows. */

import { ACCOUNT, HOOK, HOOK_UPDATE } from "./bug.ts";
import { OLDER, type OrderBug, orderBug, PAYOUT, PAYOUT_UPDATE, remembering, same } from "./order.ts";

export const PAUSE = "await new Promise((resolve) => setTimeout(resolve, 25));";
const METADATA_SENT = "if (metadata !== undefined) {";
const MERGED = "merged(json(row.metadata_json, {}), metadata)";
const OF_THE_KEY = '"space_id = ? AND operation = ? AND key = ?", [request.space, operation, key]';

export const lateOrderBugs: readonly OrderBug[] = [
  orderBug(
    "key-evicted-by-six-later-keys",
    "KEY-REPLAY",
    [ACCOUNT, HOOK],
    async ({ account }) => {
      const first = await account({ name: "One" }, { key: "k-1" });
      for (let n = 0; n < 6; n++) await account();
      const again = await account({ name: "One" }, { key: "k-1" });
      return again.status >= 400 || again.result.id === first.result.id;
    },
    [
      "idempotency",
      "return answer;",
      `database.run("DELETE FROM idempotency_keys WHERE rowid NOT IN (SELECT rowid FROM idempotency_keys ORDER BY rowid DESC LIMIT 6)");
      return answer;`,
    ],
  ),
  orderBug(
    "reference-freed-by-a-replay",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      const body = { name: "One", reference: "r-1" };
      for (let n = 0; n < 2; n++) await account(body, { key: "k-1" });
      return (await account({ reference: "r-1" })).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference ON accounts (space_id, reference);", ""],
    [
      "accounts",
      'database.insert("accounts", row);',
      `const taken = (database.references ??= new Set()); const place = JSON.stringify([space, row.reference]);
      if (row.reference !== null && taken.has(place)) throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
      taken.add(place); database.insert("accounts", row);`,
    ],
    [
      "idempotency",
      'reply.header("idempotent-replayed", "true");',
      `reply.header("idempotent-replayed", "true");
      database.references?.delete(JSON.stringify([request.space, request.body.reference]));`,
    ],
  ),
  orderBug(
    "null-description-shows-the-one-before",
    "CREATE-ECHO",
    ACCOUNT,
    async ({ account }) => {
      await account({ description: "For rent" });
      return (await account({ description: null })).result.description === null;
    },
    [
      "accounts",
      "description: sent.description ?? null,",
      "description: sent.description === undefined ? null : (database.description = sent.description ?? database.description ?? null),",
    ],
  ),
  orderBug(
    "answers-of-two-creates-at-once-kept-under-the-same-keys",
    "KEY-REPLAY KEY-DISTINCT",
    [ACCOUNT, HOOK],
    async ({ account }) => {
      const one = () => account({ name: "One" }, { key: "k-1" });
      const [made] = await Promise.all([one(), account({ name: "Other" }, { key: "k-2" })]);
      const again = await one();
      return again.status >= 400 || again.result.id === made?.result.id;
    },
    ["idempotency", "return database.transaction(() => {", "const answered = database.transaction(() => {"],
    [
      "idempotency",
      "return answer; }); }",
      `return answer; });
      if (reply.hasHeader("idempotent-replayed")) return answered;
      const answers = (database.answers ??= new Map()); answers.set(operation, answered);
      const later = async () => { ${PAUSE}
        database.update("idempotency_keys", { response_json: JSON.stringify(answers.get(operation)) }, ${OF_THE_KEY});
        return answered; };
      return later(); }`,
    ],
  ),
  orderBug(
    "equal-create-right-after-is-taken-for-a-repeat",
    "KEY-DISTINCT",
    [ACCOUNT, HOOK],
    async ({ addHook }) => {
      const [one, other] = [await addHook({ name: "Twin" }), await addHook({ name: "Twin" })];
      return one.result.id !== other.result.id;
    },
    [
      "idempotency",
      "const answer = create();",
      `const seen = (database.seen ??= new Map()); const place = JSON.stringify([operation, request.space]);
      const answer = seen.get(place)?.sent === sent ? seen.get(place).answer : create();
      seen.set(place, { sent, answer });`,
    ],
  ),
  orderBug(
    "webhook-of-the-older-version-not-updated-without-one",
    "UPDATE-ACCEPTED VERSION-ACCEPTED",
    HOOK_UPDATE,
    async ({ hook, editHook }) => (await editHook(await hook({}, { version: OLDER }), {})).status === 200,
    remembering("webhooks"),
    [
      "webhooks",
      'database.insert("webhooks", row);',
      `database.insert("webhooks", row); memory.set(id, request.headers["service-version"]);`,
    ],
    ["webhooks", "params: { id }, body }) => {", "params: { id }, body, headers: given }) => {"],
    [
      "webhooks",
      "if (!find(space, id)) throw",
      `if (!find(space, id) || (memory.get(id) === VERSIONS[1] && given["service-version"] !== VERSIONS[1])) throw`,
    ],
  ),
  orderBug(
    "empty-payout-update-undoes-the-last",
    "UPDATE-KEEPS",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout }) => {
      const { metadata } = (await editPayout({ run: "1" })).result;
      return same((await editPayout()).result.metadata, metadata);
    },
    remembering("payouts"),
    [
      "payouts",
      METADATA_SENT,
      `if (metadata === undefined && memory.has(id))
        database.update("payouts", { metadata_json: memory.get(id) }, "space_id = ? AND id = ?", [space, id]);
      ${METADATA_SENT} memory.set(id, row.metadata_json);`,
    ],
  ),
  orderBug(
    "charges-lost-when-metadata-is-set-after-null",
    "UPDATE-KEEPS-REST UPDATE-KEEPS",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout, readPayout }) => {
      const { charges } = (await readPayout()).result;
      await editPayout(null);
      return same((await editPayout({ run: "1" })).result.charges, charges);
    },
    remembering("payouts"),
    [
      "payouts",
      METADATA_SENT,
      `if (metadata === null) memory.set(id, true);
      else if (metadata && memory.has(id)) database.update("payouts", { charges_json: "[]" }, "space_id = ? AND id = ?", [space, id]);
      ${METADATA_SENT}`,
    ],
  ),
  orderBug(
    "payout-kept-per-connection",
    "UPDATE-STORED READ-STABLE",
    [PAYOUT, PAYOUT_UPDATE],
    async ({ editPayout, readPayout }) => {
      const reads = () => Promise.all([readPayout(), readPayout(), readPayout()]);
      await reads();
      const { metadata } = (await editPayout({ run: "1" })).result;
      return (await reads()).every(({ result }) => same(result.metadata, metadata));
    },
    remembering("payouts"),
    [
      "payouts",
      "async ({ space, params }) => single(shown(find(space, params.id)))",
      `async ({ space, params, raw: { socket } }) => {
        const rows = memory.get(socket) ?? new Map(); memory.set(socket, rows); const place = space + params.id;
        if (!rows.has(place)) rows.set(place, find(space, params.id));
        return single(shown(rows.get(place))); }`,
    ],
    ["payouts", "body: { metadata } }) => {", "body: { metadata }, raw: { socket } }) => {"],
    [
      "payouts",
      "return single(shown(find(space, id)));",
      "memory.get(socket)?.delete(space + id); return single(shown(find(space, id)));",
    ],
  ),
  orderBug(
    "payout-updated-from-another-space-moves-there",
    "ISOLATION-WRITES READ-ACCEPTED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout, readPayout, second: space }) => {
      await editPayout({ run: "1" }, { space });
      return (await readPayout()).status === 200;
    },
    [
      "payouts",
      "const row = find(space, id);",
      `if (database.first("SELECT 1 FROM payouts WHERE id = ? AND space_id <> ?", [id, space])) {
        database.update("payouts", { space_id: space }, "id = ?", [id]);
        throw problem(404, "NOT_FOUND", "There is no such payout"); }
      const row = find(space, id);`,
    ],
  ),
  orderBug(
    "payout-metadata-values-keep-their-first-length",
    "UPDATE-ECHO UPDATE-STORED",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ editPayout }) => {
      await editPayout({ run: "1" });
      return same((await editPayout({ run: "the second" })).result.metadata, {
        batch: "1",
        run: "the second",
      });
    },
    remembering("payouts"),
    [
      "payouts",
      MERGED,
      `merged(json(row.metadata_json, {}), metadata && Object.fromEntries(Object.entries(metadata).map(([name, value]) => {
        const place = id + name; if (typeof value !== "string") return [name, value];
        if (!memory.has(place)) memory.set(place, value.length);
        return [name, value.slice(0, memory.get(place))]; })))`,
    ],
  ),
];
