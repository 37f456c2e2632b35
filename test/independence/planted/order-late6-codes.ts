/** Still more bugs of payment codes that only a sequence of calls shows. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import { inCodeUpdate, LISTED_CODES, type OrderBug, orderBug, same } from "./order.ts";

const UPDATED = [CODE_UPDATE, CODE, CODES];
const PENDING = "/v1/payment-codes?status=pending&limit=50";

export const late6CodeOrderBugs: readonly OrderBug[] = [
  // An update adds the providers that are new, so a list that only leaves some out changes nothing.
  orderBug(
    "order-late6-fewer-providers-are-not-written",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ allowedProviders: ["MTN_CM", "ORANGE_CM"] });
      const { allowedProviders } = (await editCode({ allowedProviders: ["MTN_CM"] })).result;
      return same(allowedProviders, ["MTN_CM"]);
    },
    ...inCodeUpdate(
      `if (change.providers_json) {
        const older = JSON.parse(row.providers_json);
        if (JSON.parse(change.providers_json).every((each) => older.includes(each))) delete change.providers_json;
      }`,
    ),
  ),
  // An update with null as status starts a cancellation that never ends, and the next update is refused.
  orderBug(
    "order-late6-null-as-status-refuses-the-next-update",
    "UPDATE-ACCEPTED",
    CODE_UPDATE,
    async ({ editCode }) => {
      await editCode({ status: null });
      return (await editCode({ name: "Other" })).status === 200;
    },
    ...inCodeUpdate(
      `if (memory.delete(id)) throw problem(409, "CANCELLING", "The payment code is being cancelled");
      if (sent.status === null) memory.set(id, true);`,
    ),
  ),
  // A page shows one payment code for each name, so a code that takes a name in use hides the other.
  orderBug(
    "order-late6-code-that-takes-a-name-in-use-hides-the-other",
    "LIST-SHOWS-ALL UPDATE-STORED READ-STABLE CURSOR-COMPLETE FILTER-COMPLETE",
    CODES,
    async ({ editCode, get, mutable }) => {
      const other = (await get(PENDING)).items.find(({ id }) => id !== mutable);
      await editCode({ name: other?.name });
      const { ids } = await get(PENDING);
      return ids.includes(mutable) && ids.includes(other?.id ?? "");
    },
    [
      "payment-codes",
      LISTED_CODES,
      "return list([...new Map(rows.map((row) => [row.name, row])).values()].map(listed), { next });",
    ],
  ),
  // The name is written before the providers are looked up, and stays if one of them is refused.
  orderBug(
    "order-late6-name-written-before-the-providers-are-looked-up",
    "UPDATE-NO-EFFECT",
    UPDATED,
    async ({ editCode, readCode }) => {
      const { name } = (await readCode()).result;
      const { status } = await editCode({ name: "Refused", allowedProviders: ["NO_SUCH_PROVIDER"] });
      return status >= 400 && (await readCode()).result.name === name;
    },
    [
      "payment-codes",
      "if (sent.allowedProviders !== undefined)",
      `if (sent.allowedProviders && change.name !== undefined)
        database.update("payment_codes", { name: change.name }, "id = ?", [row.id]);
      if (sent.allowedProviders !== undefined)`,
    ],
  ),
  // Codes of the same day are sorted by their last update, but the cursor goes by the time of creation.
  orderBug(
    "order-late6-updated-code-moves-within-its-day-but-not-for-the-cursor",
    "CURSOR-COMPLETE CURSOR-ONCE CURSOR-FILTERED LIST-SHOWS-ALL",
    CODES,
    async ({ editCode, walk }) => {
      await editCode({ name: "Other" });
      const all = await walk("/v1/payment-codes?status=pending&limit=50");
      return same((await walk("/v1/payment-codes?status=pending&limit=1")).sort(), all.sort());
    },
    [
      "cursors",
      "ORDER BY created_at DESC, id DESC",
      `ORDER BY \${table === "payment_codes" ? "created_at / 86400000 DESC, updated_at DESC" : "created_at DESC"}, id DESC`,
    ],
  ),
  // The list merges the metadata of all updates, and the single read shows that of the last one.
  orderBug(
    "order-late6-list-merges-the-metadata-that-the-single-read-replaces",
    "SHAPES-AGREE",
    UPDATED,
    async ({ editCode, readCode, get, mutable }) => {
      await editCode({ metadata: { one: "1" } });
      await editCode({ metadata: { two: "2" } });
      const listed = (await get(PENDING)).items.find(({ id }) => id === mutable);
      return same(listed?.metadata, (await readCode()).result.metadata);
    },
    ...inCodeUpdate(
      `if (sent.metadata)
        memory.set(id, { ...(memory.get(id) ?? JSON.parse(row.metadata_json)), ...sent.metadata });`,
    ),
    [
      "payment-codes",
      LISTED_CODES,
      `const merged = (row) => (memory.has(row.id) ? { metadata: memory.get(row.id) } : {});
      return list(rows.map((row) => ({ ...listed(row), ...merged(row) })), { next });`,
    ],
  ),
  // After an update with null as name, which changes nothing, the list shows null as the name.
  orderBug(
    "order-late6-null-as-name-shows-in-the-list",
    "CODE-LIST-FIELDS CODE-LIST-PRESENT SHAPES-AGREE",
    CODES,
    async ({ editCode, get, mutable }) => {
      await editCode({ name: null });
      return typeof (await get(PENDING)).items.find(({ id }) => id === mutable)?.name === "string";
    },
    ...inCodeUpdate("if (sent.name !== undefined) memory.set(id, sent.name);"),
    [
      "payment-codes",
      LISTED_CODES,
      `const named = (row) => (memory.get(row.id) === null ? { name: null } : {});
      return list(rows.map((row) => ({ ...listed(row), ...named(row) })), { next });`,
    ],
  ),
  // An update without providers looks up those given before by their codes only, and refuses their ids.
  orderBug(
    "order-late6-providers-given-by-id-refuse-the-next-update",
    "UPDATE-ACCEPTED",
    CODE_UPDATE,
    async ({ editCode, get }) => {
      const { id } = (await get("/momos/MTN_CM")).result;
      const { status } = await editCode({ allowedProviders: [id] });
      return status === 200 && (await editCode({ name: "Other" })).status === 200;
    },
    ...inCodeUpdate(
      `if (sent.allowedProviders !== undefined) memory.set(id, sent.allowedProviders ?? []);
      else if (memory.get(id)?.some((each) => !JSON.parse(row.providers_json).includes(each)))
        throw problem(422, "PROVIDER_UNFIT", "A provider is not known");`,
    ),
  ),
  // A code gets another USSD code if an update puts another provider first.
  orderBug(
    "order-late6-other-first-provider-gives-another-dial-code",
    "UPDATE-KEEPS UPDATE-KEEPS-REST",
    UPDATED,
    async ({ editCode }) => {
      const { ussdCode } = (await editCode({ allowedProviders: ["MTN_CM"] })).result;
      return (await editCode({ allowedProviders: ["ORANGE_CM"] })).result.ussdCode === ussdCode;
    },
    ...inCodeUpdate(
      `if (change.providers_json) {
        const [[older], [newer]] = [JSON.parse(row.providers_json), JSON.parse(change.providers_json)];
        if (older && newer && older !== newer)
          change.ussd_code = row.ussd_code.replace(/^[*][0-9]+/, "*" + (100 + newer.charCodeAt(0)));
      }`,
    ),
  ),
  // The list of cancelled codes shows a code as it was before the call that cancelled it.
  orderBug(
    "order-late6-cancelled-codes-are-listed-as-before-the-cancelling",
    "CANCEL-TOGETHER SHAPES-AGREE UPDATE-STORED LIST-SHOWS-ALL",
    UPDATED,
    async ({ patch, get, cancellable }) => {
      await patch(`/payment-codes/${cancellable}`, { status: "cancelled", name: "Cancelled" });
      const { items } = await get("/v1/payment-codes?status=cancelled&limit=50");
      return items.find(({ id }) => id === cancellable)?.name === "Cancelled";
    },
    ...inCodeUpdate('if (change.status === "cancelled") memory.set(id, { ...row, status: "cancelled" });'),
    [
      "payment-codes",
      LISTED_CODES,
      `const filed = (row) => (status === "cancelled" ? (memory.get(row.id) ?? row) : row);
      return list(rows.map((row) => listed(filed(row))), { next });`,
    ],
  ),
];
