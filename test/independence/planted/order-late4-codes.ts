/** More bugs of payment codes that only a sequence of calls shows. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES, first } from "./bug.ts";
import {
  inCodeUpdate,
  inDays,
  LISTED_CODES,
  OLDER,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  remembering,
  same,
} from "./order.ts";
import { reading } from "./order-late3-codes.ts";

const ALL = "/v1/payment-codes?limit=50";

export const late4CodeOrderBugs: readonly OrderBug[] = [
  // Reactivating a code brings back the providers it had when it was deactivated.
  orderBug(
    "order-late4-reactivating-brings-back-the-providers",
    "UPDATE-KEEPS",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      await editCode({ isActive: false });
      await editCode({ isActive: false, allowedProviders: ["ORANGE_CM"] });
      return same((await editCode({ isActive: true })).result.allowedProviders, ["ORANGE_CM"]);
    },
    ...inCodeUpdate(
      `if (row.enabled === 1 && change.enabled === 0) memory.set(id, row.providers_json);
      if (row.enabled === 0 && change.enabled === 1 && memory.has(id)) {
        change.providers_json ??= memory.get(id); memory.delete(id);
      }`,
    ),
  ),
  // Lists filtered by mode leave out codes that an update has deactivated.
  orderBug(
    "order-late4-deactivated-code-leaves-the-lists-of-its-mode",
    "FILTER-COMPLETE CURSOR-FILTERED",
    CODES,
    async ({ editCode, mutable, walk }) => {
      await editCode({ isActive: false });
      const modes = await Promise.all(["one_time", "recurrent"].map((mode) => walk(`${ALL}&mode=${mode}`)));
      return modes.flat().includes(mutable);
    },
    ["tables", "owner_json TEXT,", "owner_json TEXT, unlisted INTEGER,"],
    ...inCodeUpdate(
      `if (change.enabled === 1) change.unlisted = 0;
      else if (change.enabled === 0 && row.enabled === 1) change.unlisted = 1;`,
    ),
    [
      "payment-codes",
      PAGE_OF_CODES,
      PAGE_OF_CODES.replace("filters,", '{ ...filters, "coalesce(unlisted, 0)": mode ? 0 : null },'),
    ],
  ),
  // Reactivating a code moves its expiry by the time for which it was inactive, in whole minutes.
  orderBug(
    "order-late4-time-of-inactivity-moves-the-expiry",
    "UPDATE-KEEPS",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode, readCode }) => {
      const { expireTime } = (await readCode()).result;
      await editCode({ isActive: false });
      return (await editCode({ isActive: true })).result.expireTime === expireTime;
    },
    ...inCodeUpdate(
      `if (row.enabled === 1 && change.enabled === 0) memory.set(id, Date.now());
      if (row.enabled === 0 && change.enabled === 1 && memory.has(id)) {
        change.expires_at ??= row.expires_at + Math.ceil((Date.now() - memory.get(id) + 1) / 60000) * 60000;
        memory.delete(id);
      }`,
    ),
  ),
  // After `allowedProviders: null`, the next update without providers restores the old providers.
  orderBug(
    "order-late4-providers-cleared-with-null-come-back",
    "UPDATE-KEEPS",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      await editCode({ allowedProviders: ["ORANGE_CM"] });
      const { allowedProviders } = (await editCode({ allowedProviders: null })).result;
      return same((await editCode({ name: "Other" })).result.allowedProviders, allowedProviders);
    },
    ...inCodeUpdate(
      `if (sent.allowedProviders === null) memory.set(id, row.providers_json);
      else if (change.providers_json !== undefined) memory.delete(id);
      else if (memory.has(id)) { change.providers_json = memory.get(id); memory.delete(id); }`,
    ),
  ),
  // The unfiltered list shows a cancelled code twice: as it was before it was cancelled, and as it is.
  orderBug(
    "order-late4-cancelled-code-is-listed-as-it-was-too",
    "LIST-IDS-UNIQUE LIST-LIMIT-RESPECTED CURSOR-ONCE",
    CODES,
    async ({ cancel, cancellable, walk }) => {
      await cancel();
      return (await walk(ALL)).filter((id) => id === cancellable).length === 1;
    },
    ...inCodeUpdate("", "if (change.status) memory.set(id, row);"),
    [
      "payment-codes",
      LISTED_CODES,
      `if (!mode && !status && !ussd_code)
        for (const row of [...rows])
          if (memory.has(row.id)) rows.splice(rows.indexOf(row), 0, memory.get(row.id));
      ${LISTED_CODES}`,
    ],
  ),
  // If an update changes several fields, the list shows only the first change.
  orderBug(
    "order-late4-list-takes-one-change-of-an-update",
    "UPDATE-STORED SHAPES-AGREE CANCEL-TOGETHER CANCEL-STATUS",
    [CODE_UPDATE, CODES, CODE],
    async ({ editCode, get, mutable }) => {
      await editCode({ name: "Other", metadata: { basket: "other" } });
      const { items } = await get(`${ALL}&status=pending`);
      return same(items.find(({ id }) => id === mutable)?.metadata, { basket: "other" });
    },
    ...inCodeUpdate(
      `const [one, ...more] = Object.keys(change).filter((name) => name !== "updated_at" && change[name] !== row[name]);
      const older = { ...memory.get(id) };
      delete older[one];
      for (const name of more) if (!(name in older)) older[name] = row[name];
      memory.set(id, older);`,
    ),
    [
      "payment-codes",
      LISTED_CODES,
      "return list(rows.map((row) => listed({ ...row, ...memory.get(row.id) })), { next });",
    ],
  ),
  // If a code is updated twice within 0.1 s, the list shows only the first update.
  orderBug(
    "order-late4-list-ignores-the-second-of-two-quick-updates",
    "UPDATE-STORED SHAPES-AGREE",
    [CODE_UPDATE, CODES, CODE],
    async ({ editCode, get, mutable }) => {
      await editCode({ name: "One" });
      await editCode({ name: "Two" });
      const { items } = await get(`${ALL}&status=pending`);
      return items.find(({ id }) => id === mutable)?.name === "Two";
    },
    ...inCodeUpdate(
      "",
      `if (!(Date.now() - memory.get(id)?.at < 100)) memory.set(id, { at: Date.now(), row: find(space, id) });`,
    ),
    [
      "payment-codes",
      LISTED_CODES,
      "return list(rows.map((row) => listed(memory.get(row.id)?.row ?? row)), { next });",
    ],
  ),
  // The service rejects each update that changes an inactive code and leaves it inactive.
  orderBug(
    "order-late4-inactive-code-takes-activation-only",
    "UPDATE-ACCEPTED",
    CODE_UPDATE,
    async ({ editCode }) => {
      await editCode({ isActive: false });
      return (await editCode({ isActive: false, expireTime: inDays(1) })).status === 200;
    },
    ...inCodeUpdate(
      `if (row.enabled === 0 && change.enabled === 0 && Object.keys(change).length > 2)
        throw problem(409, "INACTIVE", "The code is inactive");`,
    ),
  ),
  // After an update with a malformed body, the service ignores the fields of the code's next update.
  orderBug(
    "order-late4-malformed-update-empties-the-next",
    "UPDATE-ECHO UPDATE-STORED",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode, patch, mutable }) => {
      await patch(`/payment-codes/${mutable}`, "name");
      return (await editCode({ name: "Other" })).result.name === "Other";
    },
    first(
      `const spoiled = new Set();
      const isUpdate = ({ method, url }) => method === "PATCH" && url.startsWith("/payment-codes/");
      app.addHook("onError", async (request, _, error) => {
        if (isUpdate(request) && request.body === undefined && error.statusCode === 400) spoiled.add(request.url);
      });
      app.addHook("preValidation", async (request) => {
        if (!isUpdate(request)) return;
        if (typeof request.body !== "object") spoiled.add(request.url);
        else if (spoiled.delete(request.url)) request.body = {};
      });`,
    ),
  ),
  // After a read under the older version, the list shows the mode "one_time" as "oneTime".
  orderBug(
    "order-late4-older-read-spells-the-mode-of-the-list",
    "CODE-LIST-FIELDS SHAPES-AGREE VERSION-VALUES",
    [CODES, CODE],
    async ({ get, cancellable }) => {
      await get(`/payment-codes/${cancellable}`, { version: OLDER });
      const { items } = await get(`${ALL}&status=pending`);
      return items.find(({ id }) => id === cancellable)?.mode === "one_time";
    },
    remembering("payment-codes"),
    reading(
      `const answer = detailed(find(space, id));
      if (version === "${OLDER}") memory.set(id, answer.mode);
      return single(answer);`,
    ),
    [
      "payment-codes",
      LISTED_CODES,
      "return list(rows.map((row) => ({ ...listed(row), ...(memory.has(row.id) && { mode: memory.get(row.id) }) })), { next });",
    ],
  ),
];
