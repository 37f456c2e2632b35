/** An eighth set of late bugs of payment codes, for a sequence of calls. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import {
  type Api,
  inCodeUpdate,
  inDays,
  LISTED_CODES,
  OLDER,
  type OrderBug,
  orderBug,
  READ_OF_CODE,
  same,
} from "./order.ts";

const UPDATED = [CODE_UPDATE, CODE, CODES];
const PENDING = "/v1/payment-codes?status=pending&limit=50";
const ANSWER = "return single(detailed(find(space, id)));";
const SAVE = 'database.update("payment_codes", change, "space_id = ? AND id = ?", [space, id]);';

export const late8CodeOrderBugs: readonly OrderBug[] = [
  // The shown code is kept by the second of its last update, so a second update within it is not read.
  orderBug(
    "order-late8-code-is-kept-by-the-second-of-its-last-update",
    "UPDATE-STORED READ-STABLE READ-MATCHES-LIST SHAPES-AGREE UPDATE-KEEPS",
    UPDATED,
    async ({ editCode, readCode }) => {
      await pause(1000 - (Date.now() % 1000));
      await editCode({ name: "Shop" });
      await readCode();
      await editCode({ name: "Market" });
      return (await readCode()).result.name === "Market";
    },
    ...inCodeUpdate(""),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        const place = [row.id, Math.trunc(row.updated_at / 1000)].join(" ");
        if (!memory.has(place)) memory.set(place, detailed(row));
        return single(memory.get(place));
      }`,
    ],
  ),
  // An update with providers is written a moment after its answer, over an update that came meanwhile.
  orderBug(
    "order-late8-update-with-providers-is-written-over-the-next",
    "UPDATE-STORED UPDATE-KEEPS READ-STABLE",
    UPDATED,
    async ({ editCode, readCode }) => {
      await editCode({ name: "Shop", allowedProviders: ["MTN_CM"] });
      await editCode({ name: "Market" });
      await pause(100);
      return (await readCode()).result.name === "Market";
    },
    [
      "payment-codes",
      SAVE,
      `const save = () => { try { ${SAVE} } catch {} };
      if (sent.allowedProviders) setTimeout(save, 50);
      else save();`,
    ],
    ["payment-codes", ANSWER, "return single(detailed({ ...find(space, id), ...change }));"],
  ),
  // Null as the name of a code also empties the metadata.
  orderBug(
    "order-late8-null-as-name-empties-the-metadata",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ editCode }) => {
      const { metadata } = (await editCode({ metadata: { till: "1" } })).result;
      return same((await editCode({ name: null })).result.metadata, metadata);
    },
    ...inCodeUpdate('if (sent.name === null) change.metadata_json ??= "{}";'),
  ),
  // The expiry is stored as the time left from the last update, so each later update moves it.
  orderBug(
    "order-late8-expiry-is-stored-as-the-time-left",
    "UPDATE-KEEPS UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      const expireTime = inDays(2);
      await editCode({ expireTime });
      await pause(20);
      const { result } = await editCode({ name: "Shop" });
      return Date.parse(String(result.expireTime)) === Date.parse(expireTime);
    },
    ...inCodeUpdate(
      `if (change.expires_at) memory.set(id, change.expires_at - change.updated_at);
      if (memory.has(id)) change.expires_at = change.updated_at + memory.get(id);`,
    ),
  ),
  // The first new expiry plans the payments of a code, and each later one counts another payment.
  orderBug(
    "order-late8-expiry-moved-again-adds-an-expected-payment",
    "UPDATE-KEEPS UPDATE-KEEPS-REST",
    UPDATED,
    async ({ editCode }) => {
      const { financialTarget } = (await editCode({ expireTime: inDays(1) })).result;
      return same((await editCode({ expireTime: inDays(2) })).result.financialTarget, financialTarget);
    },
    ...inCodeUpdate(
      `if (change.expires_at && memory.has(id) && row.target_count !== null)
        change.target_count = row.target_count + 1;
      if (change.expires_at) memory.set(id);`,
    ),
  ),
  // The older version has no phone, so an update under it stores the code without, until the next under the newer.
  orderBug(
    "order-late8-code-update-under-the-older-version-loses-the-phone",
    "UPDATE-KEEPS UPDATE-KEEPS-REST VERSION-FIELDS VERSION-VALUES",
    UPDATED,
    async ({ readCode, editCode }) => {
      const { customerTarget } = (await readCode()).result;
      return same(
        (await editCode({ name: "Shop" }, { version: OLDER })).result.customerTarget,
        customerTarget,
      );
    },
    [
      "payment-codes",
      "async ({ space, params: { id }, body: sent }) => {",
      "async ({ space, params: { id }, body: sent, headers: given }) => {",
    ],
    ...inCodeUpdate(
      `if (!memory.has(id)) memory.set(id, row.phone);
      change.phone = given["service-version"] === "${OLDER}" ? null : memory.get(id);`,
    ),
  ),
  // Cancelling a code cancels all pending codes of the customer.
  orderBug(
    "order-late8-cancelling-cancels-the-other-codes-of-the-customer",
    "READ-STABLE UPDATE-KEEPS UPDATE-KEEPS-REST CANCEL-STATUS FILTER-COMPLETE",
    UPDATED,
    async ({ get, cancel, cancellable }) => {
      const { ids } = await get(PENDING);
      await cancel();
      return same(
        (await get(PENDING)).ids,
        ids.filter((id) => id !== cancellable),
      );
    },
    ...inCodeUpdate(
      "",
      `if (change.status)
        database.update("payment_codes", { status: "cancelled" },
          "space_id = ? AND customer_reference = ? AND status = 'pending'", [space, row.customer_reference]);`,
    ),
  ),
  // Cancelling a code disables it in the list, and leaves it active for the read of the code.
  orderBug(
    "order-late8-cancelled-code-is-disabled-in-the-list-only",
    "SHAPES-AGREE UPDATE-KEEPS",
    UPDATED,
    async (api) => {
      await api.cancel();
      const { isActive } = (await api.get(`/payment-codes/${api.cancellable}`)).result;
      return (await listedCode(api, api.cancellable))?.enable === isActive;
    },
    ...inCodeUpdate("if (change.status) memory.set(id);"),
    [
      "payment-codes",
      LISTED_CODES,
      `const disabled = (row) => (memory.has(row.id) ? { ...row, enabled: 0 } : row);
      return list(rows.map(disabled).map(listed), { next });`,
    ],
  ),
  // An update stores the mode in the spelling of its answer, and the list shows it in that spelling.
  orderBug(
    "order-late8-update-stores-the-mode-as-the-single-shape-spells-it",
    "CODE-LIST-FIELDS FILTER-COMPLETE FILTER-SOUND LIST-SHOWS-ALL SHAPES-AGREE UPDATE-KEEPS",
    UPDATED,
    async (api) => {
      await api.patch(`/payment-codes/${api.cancellable}`, { name: "Shop" });
      return (await listedCode(api, api.cancellable))?.mode === "one_time";
    },
    ["payment-codes", 'row.mode === "one_time" ?', 'row.mode !== "recurrent" ?'],
    ...inCodeUpdate("change.mode = detailed(row).mode;"),
  ),
  // A cancelled code is only marked as deleted, and the read of a code passes over those.
  orderBug(
    "order-late8-cancelled-code-is-not-found-by-its-id",
    "READ-ACCEPTED READ-MATCHES-LIST SHAPES-AGREE CANCEL-STATUS CANCEL-TOGETHER UPDATE-STORED",
    [CODE, CODE_UPDATE],
    async ({ get, cancel, cancellable }) => {
      await cancel();
      return (await get(`/payment-codes/${cancellable}`)).status === 200;
    },
    ...inCodeUpdate("if (change.status) memory.set(id);"),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        if (memory.has(row.id)) throw problem(404, "NOT_FOUND", "There is no such payment code");
        return single(detailed(row));
      }`,
    ],
  ),
  // A code that was read is kept with the columns of that read, and the list shows it without the others.
  orderBug(
    "order-late8-code-read-alone-is-listed-without-its-update-time",
    "CODE-LIST-PRESENT TIMES-ORDERED READ-STABLE",
    CODES,
    async (api) => {
      await api.readCode();
      return (await listedCode(api, api.mutable))?.updateTime !== undefined;
    },
    ...inCodeUpdate("memory.delete(id);"),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        memory.set(row.id);
        return single(detailed(row));
      }`,
    ],
    [
      "payment-codes",
      LISTED_CODES,
      `const shown = (row) => {
        const { updateTime, ownershipGraph, ...rest } = listed(row);
        return memory.has(row.id) ? rest : listed(row);
      };
      return list(rows.map(shown), { next });`,
    ],
  ),
];

const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

/** The code as the list shows it. */
async function listedCode({ get }: Api, id: string) {
  const { ussdCode } = (await get(`/payment-codes/${id}`)).result;
  return (await get(`/v1/payment-codes?ussd_code=${encodeURIComponent(String(ussdCode))}`)).items[0];
}
