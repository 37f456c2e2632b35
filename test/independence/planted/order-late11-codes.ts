/** An eleventh set of late bugs of payment codes, for a sequence of calls. Their author did not know the suite. */

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

const UPDATED = [CODE_UPDATE, CODE, CODES];
const LIST_OF_CODES = "async ({ space, query }) => {";

export const late11CodeOrderBugs: readonly OrderBug[] = [
  // An update checks the whole code again, and counts the quotes around the stored name too.
  orderBug(
    "order-late11-update-after-a-name-of-a-hundred-characters-is-refused",
    "UPDATE-ACCEPTED UPDATE-EDGES UPDATE-STORED",
    CODE_UPDATE,
    async ({ editCode }) => {
      await editCode({ name: "n".repeat(100) });
      return (await editCode({ metadata: { till: "1" } })).status === 200;
    },
    ...inCodeUpdate(
      `if (change.name === undefined && JSON.stringify(row.name).length > 100)
        throw problem(400, "NAME_TOO_LONG", "name must not have more than 100 characters");`,
    ),
  ),
  // The expiry that a code has already is taken for a wish to undo the last change of it.
  orderBug(
    "order-late11-expiry-that-a-code-has-already-brings-back-the-one-before",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      const expireTime = inDays(1);
      await editCode({ expireTime });
      const { result } = await editCode({ expireTime });
      return Date.parse(String(result.expireTime)) === Date.parse(expireTime);
    },
    ...inCodeUpdate(
      `const { expires_at } = change;
      if (expires_at === row.expires_at && memory.has(id)) change.expires_at = memory.get(id);
      else if (expires_at) memory.set(id, row.expires_at);`,
    ),
  ),
  // A cancellation writes with the name that was bound to the statement last, by an update of another code.
  orderBug(
    "order-late11-cancelled-code-takes-the-name-of-the-code-updated-before",
    "UPDATE-KEEPS UPDATE-KEEPS-REST CANCEL-STATUS CANCEL-TOGETHER",
    UPDATED,
    async ({ get, editCode, cancellable, cancel }) => {
      const { name } = (await get(`/payment-codes/${cancellable}`)).result;
      await editCode({ name: "Shop" });
      return (await cancel()).result.name === name;
    },
    ...inCodeUpdate(
      `if (change.status) change.name ??= memory.get(space) ?? row.name;
      if (change.name) memory.set(space, change.name);`,
    ),
  ),
  // A page of the list is kept until a newer page has another length.
  orderBug(
    "order-late11-new-name-as-long-as-the-one-before-is-not-listed",
    "SHAPES-AGREE READ-MATCHES-LIST UPDATE-STORED",
    UPDATED,
    async ({ get, editCode, mutable }) => {
      const listed = async () =>
        (await get("/v1/payment-codes?status=pending&limit=50")).items.find(({ id }) => id === mutable);
      await editCode({ name: "Shop" });
      await listed();
      await editCode({ name: "Till" });
      return (await listed())?.name === "Till";
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      LISTED_CODES,
      `const answer = list(rows.map(listed), { next });
      const asked = JSON.stringify([space, query]);
      const kept = memory.get(asked);
      const length = ({ result }) => JSON.stringify(result).length;
      if (kept && length(kept) === length(answer)) return kept;
      memory.set(asked, answer);
      return answer;`,
    ],
  ),
  // An update without fields saves the code as it was before the first update.
  orderBug(
    "order-late11-update-without-fields-brings-back-the-first-name",
    "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ name: "Shop" });
      return (await editCode({})).result.name === "Shop";
    },
    ...inCodeUpdate(
      `if (!memory.has(id)) memory.set(id, row.name);
      const isEmpty = Object.entries(sent).every(([name, value]) => name === "isActive" && value === true);
      if (isEmpty) change.name = memory.get(id);`,
    ),
  ),
  // The older version has an index of the statuses, which its first filtered list makes.
  orderBug(
    "order-late11-older-version-filters-by-the-statuses-of-its-first-list",
    "FILTER-SOUND FILTER-COMPLETE VERSION-MEMBERS VERSION-VALUES",
    [CODES, CODE, CODE_UPDATE],
    async ({ get, cancel }) => {
      const path = "/v1/payment-codes?status=pending&limit=50";
      await get(path, { version: OLDER });
      await cancel();
      return (await get(path, { version: OLDER })).items.every(({ status }) => status === "pending");
    },
    ["tables", "owner_json TEXT, metadata_json", "owner_json TEXT, first_status TEXT, metadata_json"],
    remembering("payment-codes"),
    ["payment-codes", LIST_OF_CODES, "async ({ space, query, headers: given }) => {"],
    [
      "payment-codes",
      "const filters = { space_id: space, ussd_code: ussd_code || null, mode, status };",
      `const isOlder = status && given["service-version"] === "${OLDER}";
      if (isOlder && !memory.has("index")) database.run("UPDATE payment_codes SET first_status = status");
      if (isOlder) memory.set("index", true);
      const column = isOlder ? "first_status" : "status";
      const filters = { space_id: space, ussd_code: ussd_code || null, mode, [column]: status };`,
    ],
  ),
  // Dial codes that were not found are kept without the space of the request.
  orderBug(
    "order-late11-dial-code-not-found-in-one-space-is-not-found-in-the-other",
    "FILTER-COMPLETE ISOLATION-LISTS SHAPES-AGREE READ-MATCHES-LIST LIST-SHOWS-ALL",
    CODES,
    async ({ get, readCode, second, mutable }) => {
      const dialled = encodeURIComponent(String((await readCode()).result.ussdCode));
      const path = `/v1/payment-codes?ussd_code=${dialled}`;
      await get(path, { space: second });
      return (await get(path)).ids.includes(mutable);
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `if (ussd_code && memory.has(ussd_code)) return list([], { next: null });
      ${PAGE_OF_CODES}
      if (ussd_code && !mode && !status && rows.length === 0) memory.set(ussd_code, true);`,
    ],
  ),
  // After an update, each read of the code counts as its use, and a use moves the expiry by a minute.
  orderBug(
    "order-late11-read-after-an-update-moves-the-expiry",
    "READ-STABLE UPDATE-KEEPS UPDATE-KEEPS-REST SHAPES-AGREE READ-MATCHES-LIST UPDATE-STORED",
    UPDATED,
    async ({ editCode, readCode }) => {
      const { expireTime } = (await editCode({ name: "Shop" })).result;
      await readCode();
      return (await readCode()).result.expireTime === expireTime;
    },
    ...inCodeUpdate("memory.set(id, true);"),
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params }) => {
        const row = find(space, params.id);
        const expires_at = number(row.expires_at) + 60_000;
        if (memory.has(row.id)) database.update("payment_codes", { expires_at }, "id = ?", [row.id]);
        return single(detailed(row));
      }`,
    ],
  ),
  // Updates that come at once are written in one statement for all their codes, with the status of any of them.
  orderBug(
    "order-late11-cancelling-beside-an-update-cancels-that-code-too",
    "UPDATE-KEEPS UPDATE-KEEPS-REST CANCEL-STATUS CANCEL-TOGETHER READ-STABLE UPDATE-NO-EFFECT",
    UPDATED,
    async ({ readCode, editCode, cancel }) => {
      await Promise.all([editCode({ name: "Shop" }), cancel()]);
      return (await readCode()).result.status === "pending";
    },
    ...inCodeUpdate(
      `const batch = memory.get("batch") ?? { count: 0 };
      memory.set("batch", batch);
      batch.count += 1;
      if (change.status) batch.status = change.status;
      ${PAUSE}
      if (batch.status) change.status = batch.status;
      batch.count -= 1;
      if (batch.count === 0) memory.delete("batch");`,
    ),
  ),
  // An update writes into the rows that the metadata has, and adds none.
  orderBug(
    "order-late11-metadata-of-a-code-has-no-more-names-than-before",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ metadata: { till: "1" } });
      const { metadata } = (await editCode({ metadata: { till: "2", shop: "3" } })).result;
      return (metadata as { shop?: unknown }).shop === "3";
    },
    ...inCodeUpdate(
      `const count = Object.keys(json(row.metadata_json, {})).length;
      if (change.metadata_json && count > 0)
        change.metadata_json = JSON.stringify(Object.fromEntries(Object.entries(sent.metadata).slice(0, count)));`,
    ),
  ),
];
