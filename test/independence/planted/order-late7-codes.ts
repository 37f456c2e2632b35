/** A seventh set of late bugs of payment codes, for a sequence of calls. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import {
  type Answer,
  type Api,
  inCodeUpdate,
  inDays,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  READ_OF_CODE,
  remembering,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATED = [CODE_UPDATE, CODE, CODES];
const PENDING = "/v1/payment-codes?status=pending";
const ANSWER = "return single(detailed(find(space, id)));";
const CHANGE = "const change = columns(database, find(space, id), sent);";
const SAVE = 'database.update("payment_codes", change, "space_id = ? AND id = ?", [space, id]);';
const STATUSES = ["pending", "cancelled", "processing", "expired", "completed"];

export const late7CodeOrderBugs: readonly OrderBug[] = [
  // The conditions of a list are cached by their number, so a list by status uses those of one by mode.
  orderBug(
    "order-late7-conditions-are-cached-by-their-number",
    "FILTER-COMPLETE FILTER-SOUND CURSOR-FILTERED LIST-SHOWS-ALL READ-STABLE",
    CODES,
    async ({ get }) => {
      await get("/v1/payment-codes?mode=one_time");
      return (await get(PENDING)).ids.length > 0;
    },
    [
      "cursors",
      "const rows = database.all(",
      `const cached = (database.conditions ??= new Map());
      const place = [table, conditions.length, after ? "after" : ""].join(" ");
      if (!cached.has(place)) cached.set(place, conditions.join(" AND "));
      const rows = database.all(`,
    ],
    ["cursors", "WHERE $" + '{conditions.join(" AND ")}', "WHERE $" + "{cached.get(place)}"],
  ),
  // An update writes an expiry only if it differs from the one before by a minute or more.
  orderBug(
    "order-late7-expiry-moved-by-less-than-a-minute-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      const expireTime = inDays(3);
      await editCode({ expireTime });
      const later = new Date(Date.parse(expireTime) + 30_000).toISOString();
      return (
        Date.parse(String((await editCode({ expireTime: later })).result.expireTime)) === Date.parse(later)
      );
    },
    ...inCodeUpdate("if (Math.abs(change.expires_at - row.expires_at) < 60000) delete change.expires_at;"),
  ),
  // An update compares the values of metadata as texts, and all objects have the same text.
  orderBug(
    "order-late7-changed-object-in-the-metadata-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ metadata: { shop: { till: "1" } } });
      const { metadata } = (await editCode({ metadata: { shop: { till: "2" } } })).result;
      return same((metadata as { shop?: unknown }).shop, { till: "2" });
    },
    ...inCodeUpdate(
      `if (sent.metadata) {
        const flat = (value) => (value && typeof value === "object" ? "[object Object]" : String(value));
        const older = JSON.parse(row.metadata_json);
        const names = Object.keys(sent.metadata);
        const isSame = names.every((name) => flat(older[name]) === flat(sent.metadata[name]));
        if (isSame && names.length === Object.keys(older).length) delete change.metadata_json;
      }`,
    ),
  ),
  // A name that differs from the one before only in letter case is not written.
  orderBug(
    "order-late7-code-name-in-other-case-is-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ name: "Summer sale" });
      return (await editCode({ name: "Summer Sale" })).result.name === "Summer Sale";
    },
    ...inCodeUpdate("if (change.name?.toLowerCase() === row.name.toLowerCase()) delete change.name;"),
  ),
  // A cursor of the list by status holds the number of codes seen, so a cancellation skips a code.
  orderBug(
    "order-late7-cancelling-between-two-pages-skips-a-code",
    "CURSOR-FILTERED CURSOR-COMPLETE FILTER-COMPLETE",
    CODES,
    async (api) => {
      const { ids, answer } = await behindTheCancelled(api);
      return same(answer.ids, ids);
    },
    [
      "cursors",
      "if (after) {",
      `const isCounted = table === "payment_codes" && filters.status;
      const seen = isCounted && after ? Math.min(Math.max(Math.trunc(decode(after)[0]), 0), 1e9) : 0;
      if (after && !isCounted) {`,
    ],
    ["cursors", "id DESC LIMIT ?", "id DESC LIMIT ? OFFSET ?"],
    ["cursors", "limit + 1]", "limit + 1, seen]"],
    ["cursors", "? encode(last)", '? encode(isCounted ? { created_at: seen + limit, id: "seen" } : last)'],
  ),
  // A cursor of the list by status is refused if the code that it names no longer has the status.
  orderBug(
    "order-late7-cursor-is-refused-after-its-code-was-cancelled",
    "CURSOR-ACCEPTED CURSOR-FILTERED",
    CODES,
    async (api) => (await behindTheCancelled(api)).answer.status === 200,
    [
      "cursors",
      "values.push(...decode(after));",
      `const [at, id] = decode(after);
      const matching = "SELECT 1 FROM payment_codes WHERE id = ? AND status = ?";
      if (table === "payment_codes" && filters.status && !database.first(matching, [id, filters.status]))
        throw problem(400, "BAD_CURSOR", "querystring/after is not a cursor of this list");
      values.push(at, id);`,
    ],
  ),
  // While a code is cancelled, the list shows a status that the specification does not have.
  orderBug(
    "order-late7-list-beside-a-cancelling-shows-another-status",
    "CODE-LIST-FIELDS",
    CODES,
    async ({ get, cancel, cancellable }) => {
      const { ussdCode } = (await get(`/payment-codes/${cancellable}`)).result;
      const list = () => get(`/v1/payment-codes?ussd_code=${encodeURIComponent(String(ussdCode))}`);
      const cancelling = cancel();
      const lists = [await list(), await list(), await list(), await list()];
      await cancelling;
      return lists.every(({ items }) => STATUSES.includes(String(items[0]?.status)));
    },
    ...inCodeUpdate(
      `if (change.status) {
        database.update("payment_codes", { status: "cancelling" }, "id = ?", [id]);
        ${PAUSE}
      }`,
    ),
  ),
  // The shown code is cached by the digits of its id, which a code of another space can have, too.
  orderBug(
    "order-late7-codes-are-cached-by-the-digits-of-their-ids",
    "ISOLATION-READS READ-MATCHES-LIST SHAPES-AGREE READ-STABLE",
    CODE,
    async ({ get, readCode, mutable, second: space }) => {
      const { ids } = await get("/v1/payment-codes?limit=50", { space });
      const other = ids.find((id) => id.replace(/\D/g, "") === mutable.replace(/\D/g, ""));
      await readCode();
      return (await get(`/payment-codes/${other}`, { space })).result.id === other;
    },
    ...inCodeUpdate('memory.delete(id.replace(/[^0-9]/g, ""));'),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        const digits = params.id.replace(/[^0-9]/g, "");
        if (!memory.has(digits)) memory.set(digits, detailed(row));
        return single(memory.get(digits));
      }`,
    ],
  ),
  // An update waits for the next read to be written, and an update of another code takes its place.
  orderBug(
    "order-late7-update-not-yet-read-is-lost-by-that-of-another-code",
    "UPDATE-STORED UPDATE-KEEPS CANCEL-STATUS CANCEL-TOGETHER",
    UPDATED,
    async ({ editCode, cancel, readCode }) => {
      await editCode({ name: "Other" });
      await cancel();
      return (await readCode()).result.name === "Other";
    },
    [
      "payment-codes",
      "const preHandler = inSpace(database);",
      `const memory = new Map();
      const write = (space) => {
        const waiting = memory.get(space);
        if (waiting) database.update("payment_codes", waiting.change, "id = ?", [waiting.id]);
        memory.delete(space);
      };
      const preHandler = inSpace(database);`,
    ],
    [
      "payment-codes",
      SAVE,
      `const waiting = memory.get(space);
      memory.set(space, { id, change: waiting?.id === id ? { ...waiting.change, ...change } : change });`,
    ],
    [
      "payment-codes",
      ANSWER,
      "return single(detailed({ ...find(space, id), ...memory.get(space).change }));",
    ],
    ["payment-codes", PAGE_OF_CODES, `write(space); ${PAGE_OF_CODES}`],
    [
      "payment-codes",
      READ_OF_CODE,
      "async ({ space, params }) => { write(space); return single(detailed(find(space, params.id))); }",
    ],
  ),
  // The event for an active webhook takes the customer out of the object that is also the answer.
  orderBug(
    "order-late7-event-takes-the-customer-out-of-the-answer",
    "UPDATE-KEEPS UPDATE-KEEPS-REST SHAPES-CUSTOMER VERSION-FIELDS",
    CODE_UPDATE,
    async ({ hook, editCode }) => {
      await hook({ events: ["payment_code.completed"], isActive: true });
      return (await editCode({ name: "Other" })).result.customerTarget !== undefined;
    },
    [
      "payment-codes",
      ANSWER,
      `const answer = detailed(find(space, id));
      const hearing = "SELECT 1 FROM webhooks WHERE space_id = ? AND active = 1 AND events_json LIKE ?";
      if (database.first(hearing, [space, "%payment_code.%"])) delete answer.customerTarget;
      return single(answer);`,
    ],
  ),
  // The timer of an expiry is not stopped if the expiry is moved, so the code expires at the earlier time.
  orderBug(
    "order-late7-timer-of-the-earlier-expiry-is-not-stopped",
    "UPDATE-KEEPS UPDATE-STORED READ-STABLE",
    UPDATED,
    async ({ editCode, readCode }) => {
      await editCode({ expireTime: new Date(Date.now() + 1000).toISOString() });
      await editCode({ expireTime: inDays(3) });
      await new Promise((resolve) => setTimeout(resolve, 1300));
      return (await readCode()).result.status === "pending";
    },
    ...inCodeUpdate(
      "",
      `const expire = () => {
        try {
          database.update("payment_codes", { status: "expired" }, "id = ? AND status = 'pending'", [id]);
        } catch {}
      };
      const left = change.expires_at - Date.now();
      if (left < 3600000) setTimeout(expire, left).unref();`,
    ),
  ),
  // A code locks after three refused updates in a row, and then refuses good ones.
  orderBug(
    "order-late7-three-refused-updates-lock-the-code",
    "UPDATE-ACCEPTED",
    CODE_UPDATE,
    async ({ editCode }) => {
      for (const provider of ["MTN", "ORANGE", "MOMO"]) await editCode({ allowedProviders: [provider] });
      return (await editCode({ name: "Other" })).status === 200;
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      CHANGE,
      `const row = find(space, id);
      const refused = memory.get(id) ?? 0;
      if (refused >= 3) throw problem(423, "LOCKED", "The payment code is locked");
      memory.set(id, refused + 1);
      const change = columns(database, row, sent);
      memory.delete(id);`,
    ],
  ),
];

/** Cancels the code at the end of a page, then reads the next page. Also returns the ids that it must show. */
async function behindTheCancelled({
  get,
  cancel,
  cancellable,
}: Api): Promise<{ ids: readonly string[]; answer: Answer }> {
  const { ids } = await get(`${PENDING}&limit=50`);
  const limit = ids.indexOf(cancellable) + 1;
  const { next } = await get(`${PENDING}&limit=${limit}`);
  await cancel();
  return { ids: ids.slice(limit), answer: await get(`${PENDING}&limit=${limit}&after=${next}`) };
}
