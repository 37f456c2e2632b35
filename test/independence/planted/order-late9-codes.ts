/** A ninth set of late bugs of payment codes, for a sequence of calls. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES, first } from "./bug.ts";
import {
  type Api,
  inCodeUpdate,
  inDays,
  LISTED_CODES,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  READ_OF_CODE,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const UPDATED = [CODE_UPDATE, CODE, CODES];
const REMEMBER_INACTIVE =
  "if (change.enabled === 0) memory.set(id); if (change.enabled === 1) memory.delete(id);";

export const late9CodeOrderBugs: readonly OrderBug[] = [
  // A deactivated code is taken out of the index of dial codes.
  orderBug(
    "order-late9-deactivated-code-is-not-found-by-its-dial-code",
    "FILTER-COMPLETE SHAPES-AGREE UPDATE-STORED READ-MATCHES-LIST",
    UPDATED,
    async (api) => {
      await api.editCode({ isActive: false });
      return (await listedCode(api, api.mutable)) !== undefined;
    },
    ...inCodeUpdate("", REMEMBER_INACTIVE),
    [
      "payment-codes",
      LISTED_CODES,
      `const found = ussd_code ? rows.filter(({ id }) => !memory.has(id)) : rows;
      return list(found.map(listed), { next });`,
    ],
  ),
  // The list takes a code with a time of deactivation for cancelled, and the single read does not.
  orderBug(
    "order-late9-deactivated-code-is-listed-as-cancelled",
    "SHAPES-AGREE FILTER-SOUND UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED READ-MATCHES-LIST",
    UPDATED,
    async (api) => {
      await api.editCode({ isActive: false });
      return (await listedCode(api, api.mutable))?.status === "pending";
    },
    ...inCodeUpdate("", REMEMBER_INACTIVE),
    [
      "payment-codes",
      LISTED_CODES,
      `const shown = (row) => listed(memory.has(row.id) ? { ...row, status: "cancelled" } : row);
      return list(rows.map(shown), { next });`,
    ],
  ),
  // Null as providers is stored, and the list wants to copy the providers of each code.
  orderBug(
    "order-late9-list-of-codes-crashes-after-null-as-providers",
    "NO-SERVER-ERROR SHAPES-AGREE LIST-SHOWS-ALL CURSOR-COMPLETE",
    UPDATED,
    async (api) => {
      await api.editCode({ allowedProviders: null });
      return (await listedCode(api, api.mutable)) !== undefined;
    },
    ...inCodeUpdate('if (sent.allowedProviders === null) change.providers_json = "null";'),
    ["payment-codes", "allowedProviders: json", "allowedProviders: ((value) => json(value, []) ?? [])"],
    ["payment-codes", "authorizedProviders: json", "authorizedProviders: ((value) => [...json(value, [])])"],
  ),
  // The list shows the providers as the last update gave them, by id or by code.
  orderBug(
    "order-late9-providers-given-by-id-are-listed-by-id",
    "SHAPES-AGREE READ-MATCHES-LIST CODE-LIST-FIELDS UPDATE-STORED UPDATE-ECHO",
    UPDATED,
    async (api) => {
      const { id } = (await api.get("/momos/MTN_CM")).result;
      const { allowedProviders } = (await api.editCode({ allowedProviders: [id] })).result;
      return same((await listedCode(api, api.mutable))?.authorizedProviders, allowedProviders);
    },
    ...inCodeUpdate(
      "",
      `if (sent.allowedProviders) memory.set(id, sent.allowedProviders);
      if (sent.allowedProviders === null) memory.delete(id);`,
    ),
    [
      "payment-codes",
      LISTED_CODES,
      `const shown = (row) => {
        const authorizedProviders = memory.get(row.id);
        return { ...listed(row), ...(authorizedProviders && { authorizedProviders }) };
      };
      return list(rows.map(shown), { next });`,
    ],
  ),
  // Cancelling a code takes the permission from its providers, and so empties the list of them.
  orderBug(
    "order-late9-cancelled-code-allows-no-providers",
    "UPDATE-KEEPS UPDATE-KEEPS-REST CANCEL-STATUS CANCEL-TOGETHER",
    UPDATED,
    async ({ get, cancel, cancellable }) => {
      const { allowedProviders } = (await get(`/payment-codes/${cancellable}`)).result;
      await cancel();
      return same((await get(`/payment-codes/${cancellable}`)).result.allowedProviders, allowedProviders);
    },
    ...inCodeUpdate('if (change.status) change.providers_json ??= "[]";'),
  ),
  // A new expiry puts a code into an inner state, and the table of transitions has no way from it to cancelled.
  orderBug(
    "order-late9-code-of-a-moved-expiry-is-not-cancelled",
    "UPDATE-ACCEPTED CANCEL-STATUS CANCEL-TOGETHER",
    CODE_UPDATE,
    async ({ patch, cancel, cancellable }) => {
      await patch(`/payment-codes/${cancellable}`, { expireTime: inDays(3) });
      const { status, result } = await cancel();
      return status === 200 && result.status === "cancelled";
    },
    ...inCodeUpdate(
      `if (change.status && memory.has(id))
        throw problem(409, "NOT_CANCELLABLE", "An extended payment code can't be cancelled");
      if (change.expires_at) memory.set(id);`,
    ),
  ),
  // The status is written before the name is checked, and the refusal does not take it back.
  orderBug(
    "order-late9-refused-cancelling-with-a-long-name-cancels",
    "UPDATE-NO-EFFECT CANCEL-STATUS CANCEL-TOGETHER",
    UPDATED,
    async ({ get, patch, cancellable }) => {
      await patch(`/payment-codes/${cancellable}`, { status: "cancelled", name: "n".repeat(101) });
      return (await get(`/payment-codes/${cancellable}`)).result.status === "pending";
    },
    [
      "payment-codes",
      'name: { type: ["string", "null"], maxLength: 100 },',
      'name: { type: ["string", "null"] },',
    ],
    [
      "payment-codes",
      "const change = columns(database, find(space, id), sent);",
      `const change = columns(database, find(space, id), sent);
      if (change.status)
        database.update("payment_codes", { status: change.status }, "space_id = ? AND id = ?", [space, id]);
      if ([...(sent.name ?? "")].length > 100)
        throw problem(400, "NAME_TOO_LONG", "body/name must not have more than 100 characters");`,
    ],
  ),
  // The row for the list is made from the body of the update, so a body without providers lists none.
  orderBug(
    "order-late9-renamed-code-is-listed-without-providers",
    "SHAPES-AGREE READ-MATCHES-LIST UPDATE-KEEPS UPDATE-STORED",
    UPDATED,
    async (api) => {
      const { allowedProviders } = (await api.editCode({ name: "Shop" })).result;
      return same((await listedCode(api, api.mutable))?.authorizedProviders, allowedProviders);
    },
    ...inCodeUpdate("", 'memory.set(id, change.providers_json ?? "[]");'),
    [
      "payment-codes",
      LISTED_CODES,
      `const shown = (row) => listed({ ...row, providers_json: memory.get(row.id) ?? row.providers_json });
      return list(rows.map(shown), { next });`,
    ],
  ),
  // Two workers take turns, and an update drops the code only from the cache of the worker that got it.
  orderBug(
    "order-late9-each-of-two-workers-keeps-the-codes-it-has-read",
    "UPDATE-STORED READ-STABLE SHAPES-AGREE READ-MATCHES-LIST UPDATE-KEEPS",
    UPDATED,
    async ({ readCode, editCode }) => {
      await readCode();
      await editCode({ name: "Shop" });
      return (await readCode()).result.name === "Shop";
    },
    first(
      `let turn = 0;
      app.addHook("onRequest", async (request) => {
        turn = 1 - turn;
        request.worker = turn;
      });`,
    ),
    [
      "payment-codes",
      "async ({ space, params: { id }, body: sent }) => {",
      "async ({ space, params: { id }, body: sent, worker }) => {",
    ],
    ...inCodeUpdate("", 'memory.get(worker)?.delete([space, id].join(" "));'),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params, worker }) => {
        const kept = memory.get(worker) ?? new Map();
        memory.set(worker, kept);
        const place = [space, params.id].join(" ");
        if (!kept.has(place)) kept.set(place, detailed(find(space, params.id)));
        return single(kept.get(place));
      }`,
    ],
  ),
  // Lists of a space that are asked at once wait for one query, whatever their filters.
  orderBug(
    "order-late9-lists-of-codes-at-once-share-one-query",
    "FILTER-SOUND FILTER-COMPLETE LIST-LIMIT-RESPECTED CURSOR-COMPLETE CURSOR-REPEATABLE",
    CODES,
    async ({ get }) => {
      const statuses = ["pending", "cancelled"];
      const lists = await Promise.all(statuses.map((status) => get(`/v1/payment-codes?status=${status}`)));
      return lists.every(({ items }, place) => items.every(({ status }) => status === statuses[place]));
    },
    [
      "payment-codes",
      PAGE_OF_CODES,
      `const running = (database.running ??= new Map());
      const asked = async () => {
        ${PAUSE}
        running.delete(space);
        return page(database, "payment_codes", filters, query);
      };
      if (!running.has(space)) running.set(space, asked());
      const { rows, next } = await running.get(space);`,
    ],
  ),
  // The number of codes that decides about the next page is kept by space, without the filters.
  orderBug(
    "order-late9-number-of-codes-is-kept-without-the-filters",
    "CURSOR-COMPLETE CURSOR-END CURSOR-FILTERED LIST-SHOWS-ALL FILTER-COMPLETE",
    CODES,
    async ({ get }) => {
      await get("/v1/payment-codes?status=cancelled");
      return (await get("/v1/payment-codes?limit=10")).next !== null;
    },
    ...inCodeUpdate("database.counts?.clear();"),
    [
      "cursors",
      "return { rows: rows.slice(0, limit), next: rows.length > limit && last ? encode(last) : null };",
      `const end = rows.slice(0, limit).at(-1);
      if (table === "payment_codes" && end) {
        const plain = conditions.filter((each) => !each.startsWith("("));
        const count = (more, given) =>
          database.first(
            "SELECT count(*) AS n FROM payment_codes WHERE " + [...plain, ...more].join(" AND "),
            [...values.slice(0, plain.length), ...given],
          ).n;
        const counts = (database.counts ??= new Map());
        if (!counts.has(filters.space_id)) counts.set(filters.space_id, count([], []));
        const place = count(["(created_at, id) >= (?, ?)"], [end.created_at, end.id]);
        return { rows: rows.slice(0, limit), next: place < counts.get(filters.space_id) ? encode(end) : null };
      }
      return { rows: rows.slice(0, limit), next: rows.length > limit && last ? encode(last) : null };`,
    ],
  ),
];

/** The code as the list shows it. */
async function listedCode({ get }: Api, id: string) {
  const { ussdCode } = (await get(`/payment-codes/${id}`)).result;
  return (await get(`/v1/payment-codes?ussd_code=${encodeURIComponent(String(ussdCode))}`)).items[0];
}
