/** Later bugs of payment codes that only a sequence of calls shows. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import {
  inCodeUpdate,
  inDays,
  LISTED_CODES,
  OLDER,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  READ_OF_CODE,
  remembering,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

export const lateCodeOrderBugs: readonly OrderBug[] = [
  orderBug(
    "code-back-at-its-first-name-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    [CODE_UPDATE, CODE, CODES],
    async ({ readCode, editCode }) => {
      const { name } = (await readCode()).result;
      await editCode({ name: "Other" });
      return (await editCode({ name })).result.name === name;
    },
    ...inCodeUpdate(
      `if (!memory.has(id)) memory.set(id, row.name);
      if (change.name === memory.get(id)) delete change.name;`,
    ),
  ),
  orderBug(
    "cancelled-code-leaves-the-index-of-its-mode",
    "FILTER-COMPLETE CANCEL-STATUS CANCEL-TOGETHER CURSOR-FILTERED",
    [CODES, CODE_UPDATE],
    async ({ cancel, cancellable, walk, get }) => {
      const { mode } = (await get(`/payment-codes/${cancellable}`)).result;
      await cancel();
      return (
        await walk(`/v1/payment-codes?limit=50&mode=${mode === "oneTime" ? "one_time" : mode}`)
      ).includes(cancellable);
    },
    ...inCodeUpdate('if (change.status === "cancelled") memory.set(id, true);'),
    [
      "payment-codes",
      LISTED_CODES,
      "return list(rows.filter(({ id }) => !(mode && memory.has(id))).map(listed), { next });",
    ],
  ),
  orderBug(
    "cursors-refused-after-an-update",
    "CURSOR-ACCEPTED",
    CODES,
    async ({ get, editCode }) => {
      const { next } = await get("/v1/payment-codes?limit=5");
      await editCode({ name: "Other" });
      return (await get(`/v1/payment-codes?limit=5&after=${next}`)).status === 200;
    },
    ...inCodeUpdate("", "memory.set(space, (memory.get(space) ?? 0) + 1);"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `const state = String(memory.get(space) ?? 0); const [made, after] = query.after ? query.after.split("~") : [state];
      if (made !== state) throw problem(400, "CURSOR_STALE", "The list has changed since");
      const { rows, next: following } = page(database, "payment_codes", filters, { ...query, after });
      const next = following && state + "~" + following;`,
    ],
  ),
  orderBug(
    "code-found-by-its-dial-code-is-kept",
    "UPDATE-STORED READ-STABLE SHAPES-AGREE",
    [CODES, CODE_UPDATE, CODE],
    async ({ readCode, editCode, get }) => {
      const dialled = encodeURIComponent(String((await readCode()).result.ussdCode));
      const found = async () => (await get(`/v1/payment-codes?ussd_code=${dialled}`)).items[0]?.name;
      await found();
      await editCode({ name: "Other" });
      return (await found()) === "Other";
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      LISTED_CODES,
      `if (!ussd_code) ${LISTED_CODES} const asked = JSON.stringify([space, query]);
      if (!memory.has(asked)) memory.set(asked, rows.map(listed));
      return list(memory.get(asked), { next });`,
    ],
  ),
  orderBug(
    "cancelling-shows-only-under-its-version",
    "CANCEL-STATUS VERSION-VALUES READ-STABLE",
    [CODE_UPDATE, CODE, CODES],
    async ({ cancel, cancellable, get }) => {
      await cancel();
      return (await get(`/payment-codes/${cancellable}`, { version: OLDER })).result.status === "cancelled";
    },
    ...inCodeUpdate(
      'if (change.status === "cancelled") memory.set(id, { version: asked(given), status: row.status });',
    ),
    [
      "payment-codes",
      "const preHandler = inSpace(database);",
      `const asked = (given) => given["service-version"] || "caph.2025-08-23";
      const seen = (row, given) => {
        const at = memory.get(row.id);
        return at && at.version !== asked(given) ? { ...row, status: at.status } : row; };
      const preHandler = inSpace(database);`,
    ],
    ["payment-codes", "body: sent }) => {", "body: sent, headers: given }) => {"],
    [
      "payment-codes",
      READ_OF_CODE,
      "async ({ space, params, headers: given }) => single(detailed(seen(find(space, params.id), given)))",
    ],
    ["payment-codes", "async ({ space, query }) => {", "async ({ space, query, headers: given }) => {"],
    ["payment-codes", LISTED_CODES, "return list(rows.map((row) => listed(seen(row, given))), { next });"],
  ),
  orderBug(
    "update-beside-a-cancelling-revives-the-code",
    "CANCEL-STATUS CANCEL-TOGETHER UPDATE-STORED",
    [CODE_UPDATE, CODE, CODES],
    async ({ cancel, cancellable, get, patch }) => {
      await Promise.all([patch(`/payment-codes/${cancellable}`, { name: "Other" }), cancel()]);
      return (await get(`/payment-codes/${cancellable}`)).result.status === "cancelled";
    },
    ...inCodeUpdate(`if (change.status === undefined) { change.status = row.status; ${PAUSE} }`),
  ),
  orderBug(
    "expiry-cut-to-its-day-by-the-next-update",
    "UPDATE-KEEPS",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      const { expireTime } = (await editCode({ expireTime: inDays(1.01) })).result;
      return (await editCode({ name: "Other" })).result.expireTime === expireTime;
    },
    ...inCodeUpdate(
      `if (change.expires_at !== undefined) memory.set(id, true);
      else if (memory.has(id)) change.expires_at = row.expires_at - (row.expires_at % 86400000);`,
    ),
  ),
  orderBug(
    "code-update-moves-the-expiry-of-its-neighbours",
    "UPDATE-KEEPS-REST UPDATE-KEEPS READ-STABLE",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode, cancellable, get }) => {
      const expiry = async () => (await get(`/payment-codes/${cancellable}`)).result.expireTime;
      const before = await expiry();
      await editCode({ expireTime: inDays(1) });
      return (await expiry()) === before;
    },
    ...inCodeUpdate(
      "",
      `if (change.expires_at !== undefined)
        database.update("payment_codes", { expires_at: change.expires_at }, "space_id = ? AND account_id = ? AND status = ?", [space, row.account_id, row.status]);`,
    ),
  ),
  orderBug(
    "seventh-read-of-a-code-comes-from-an-old-copy",
    "READ-STABLE UPDATE-STORED UPDATE-KEEPS",
    [CODE, CODE_UPDATE],
    async ({ readCode, editCode }) => {
      await readCode();
      await editCode({ name: "Other" });
      const names: unknown[] = [];
      for (let n = 0; n < 6; n++) names.push((await readCode()).result.name);
      return names.every((name) => name === "Other");
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id); const copy = memory.get(row.id) ?? { row, times: 0 };
        copy.times++; memory.set(row.id, copy);
        return single(detailed(copy.times % 7 === 0 ? copy.row : row)); }`,
    ],
  ),
];
