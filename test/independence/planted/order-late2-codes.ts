/** More bugs of payment codes that only a sequence of calls shows. */

import { CODE, CODE_UPDATE, CODES, OTPS } from "./bug.ts";
import { inCodeUpdate, inDays, LISTED_CODES, type OrderBug, orderBug, READ_OF_CODE, same } from "./order.ts";

const at = (value: unknown) => Date.parse(String(value));

export const late2CodeOrderBugs: readonly OrderBug[] = [
  orderBug(
    "code-updated-right-after-a-cancelling-is-cancelled",
    "UPDATE-KEEPS",
    [CODE_UPDATE, CODE, CODES],
    async ({ cancel, editCode }) => {
      await cancel();
      return (await editCode({ name: "Other" })).result.status === "pending";
    },
    ...inCodeUpdate(
      `if (memory.has(space) && memory.get(space) !== id) change.status = "cancelled";
      memory.delete(space); if (sent.status === "cancelled") memory.set(space, id);`,
    ),
  ),
  orderBug(
    "expiry-once-set-moves-only-forward",
    "UPDATE-ECHO UPDATE-STORED",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      const [later, earlier] = [inDays(40), inDays(30)];
      await editCode({ expireTime: later });
      return at((await editCode({ expireTime: earlier })).result.expireTime) === at(earlier);
    },
    ...inCodeUpdate(
      `if (change.expires_at !== undefined) {
        change.expires_at = Math.max(change.expires_at, memory.get(id) ?? 0); memory.set(id, change.expires_at);
      }`,
    ),
  ),
  orderBug(
    "second-update-waits-for-a-read-to-be-listed",
    "UPDATE-STORED SHAPES-AGREE",
    [CODES, CODE_UPDATE, CODE],
    async ({ readCode, editCode, get }) => {
      const { ussdCode } = (await readCode()).result;
      for (const name of ["One", "Two"]) await editCode({ name });
      const { items } = await get(`/v1/payment-codes?ussd_code=${encodeURIComponent(String(ussdCode))}`);
      return items[0]?.name === "Two";
    },
    ...inCodeUpdate("", "if (!memory.has(id)) memory.set(id, find(space, id));"),
    [
      "payment-codes",
      READ_OF_CODE,
      "async ({ space, params }) => { memory.delete(params.id); return single(detailed(find(space, params.id))); }",
    ],
    [
      "payment-codes",
      LISTED_CODES,
      "return list(rows.map((row) => listed(memory.get(row.id) ?? row)), { next });",
    ],
  ),
  orderBug(
    "cancelled-code-of-a-moved-expiry-is-pending-again",
    "CANCEL-STATUS UPDATE-STORED",
    [CODE_UPDATE, CODE, CODES],
    async ({ patch, cancel, cancellable, get }) => {
      await patch(`/payment-codes/${cancellable}`, { expireTime: inDays(30) });
      await cancel();
      return (await get(`/payment-codes/${cancellable}`)).result.status === "cancelled";
    },
    ...inCodeUpdate(
      "if (change.expires_at !== undefined && !change.status) memory.set(id, row.status);",
      `const answer = single(detailed(find(space, id)));
      if (change.status && memory.has(id)) {
        database.update("payment_codes", { status: memory.get(id) }, "space_id = ? AND id = ?", [space, id]);
        return answer;
      }`,
    ),
  ),
  orderBug(
    "update-without-a-difference-makes-the-code-anew",
    "UPDATE-IDENTITY",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      const { createTime } = (await editCode({ name: "Other" })).result;
      return (await editCode({ name: "Other" })).result.createTime === createTime;
    },
    ...inCodeUpdate(
      `const fields = Object.keys(change).filter((each) => each !== "updated_at");
      if (memory.has(id) && fields.length > 1 && fields.every((each) => change[each] === row[each])) change.created_at = Date.now();
      memory.set(id, true);`,
    ),
  ),
  orderBug(
    "emptied-metadata-comes-back-with-the-next-name",
    "UPDATE-KEEPS",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      await editCode({ metadata: { run: "1" } });
      const { metadata } = (await editCode({ metadata: {} })).result;
      return same((await editCode({ name: "Other" })).result.metadata, metadata);
    },
    ...inCodeUpdate(
      `if (change.metadata_json) memory.set(id, change.metadata_json === "{}" ? row.metadata_json : undefined);
      else if (change.name && memory.get(id)) { change.metadata_json = memory.get(id); memory.delete(id); }`,
    ),
  ),
  orderBug(
    "updated-code-heads-every-page",
    "CURSOR-ONCE CURSOR-COMPLETE LIST-IDS-UNIQUE CURSOR-FILTERED",
    [CODES, CODE_UPDATE],
    async ({ editCode, walk }) => {
      await editCode({ name: "Other" });
      const ids = await walk("/v1/payment-codes?limit=30");
      return same(ids, [...new Set(ids)]);
    },
    ...inCodeUpdate("", "database.touched = id;"),
    [
      "cursors",
      "ORDER BY created_at DESC",
      `ORDER BY \${table === "payment_codes" && database.touched ? "id = '" + database.touched + "' DESC, " : ""}created_at DESC`,
    ],
  ),
  orderBug(
    "cursor-counts-in-the-limit-that-it-comes-with",
    "CURSOR-ONCE CURSOR-COMPLETE CURSOR-FILTERED",
    [CODES, OTPS],
    async ({ get }) => {
      const { ids } = await get("/v1/payment-codes?limit=9");
      const { next } = await get("/v1/payment-codes?limit=2");
      return (await get(`/v1/payment-codes?limit=5&after=${next}`)).ids[0] === ids[2];
    },
    [
      "cursors",
      "if (after) {",
      "const [at] = after ? decode(after) : [0]; const behind = at > 0 && at < 1e6 ? Math.trunc(at) : 0; if (after) {",
    ],
    ["cursors", 'conditions.push("(created_at, id) < (?, ?)");', ""],
    ["cursors", "values.push(...decode(after));", ""],
    ["cursors", "id DESC LIMIT ?", "id DESC LIMIT ? OFFSET ?"],
    ["cursors", "[...values, limit + 1]", "[...values, limit + 1, limit * behind]"],
    ["cursors", "encode(last) :", 'encode({ created_at: behind + 1, id: "page" }) :'],
  ),
];
