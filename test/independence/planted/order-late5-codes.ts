/** Further bugs of payment codes that only a sequence of calls shows. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import { inCodeUpdate, LISTED_CODES, type OrderBug, orderBug, PAGE_OF_CODES, same } from "./order.ts";
import { PAUSE } from "./order-late.ts";
import { reading } from "./order-late3-codes.ts";

const UPDATED = [CODE_UPDATE, CODE, CODES];

export const late5CodeOrderBugs: readonly OrderBug[] = [
  // New providers of an inactive code are added to its providers and do not replace them.
  orderBug(
    "order-late5-providers-are-only-added-to-an-inactive-code",
    "UPDATE-ECHO UPDATE-STORED",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ isActive: false, allowedProviders: ["ORANGE_CM"] });
      const { allowedProviders } = (await editCode({ allowedProviders: ["MTN_CM"] })).result;
      return same(allowedProviders, ["MTN_CM"]);
    },
    ...inCodeUpdate(
      `if (row.enabled === 0 && change.providers_json) {
        const all = [...JSON.parse(row.providers_json), ...JSON.parse(change.providers_json)];
        change.providers_json = JSON.stringify([...new Set(all)]);
      }`,
    ),
  ),
  // If a code is renamed a second time, its customer gets the new name, too.
  orderBug(
    "order-late5-second-rename-goes-to-the-customer",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ editCode }) => {
      const { customerTarget } = (await editCode({ name: "One" })).result;
      return same((await editCode({ name: "Two" })).result.customerTarget, customerTarget);
    },
    ...inCodeUpdate(
      `if (change.name !== undefined && change.name !== row.name) {
        if (memory.has(id)) change.customer_name = change.name;
        memory.set(id, true);
      }`,
    ),
  ),
  // If a page ends with an updated code, its cursor has the time of the update instead of the creation.
  orderBug(
    "order-late5-cursor-of-an-updated-code-starts-anew",
    "CURSOR-END CURSOR-ONCE CURSOR-COMPLETE CURSOR-FILTERED",
    CODES,
    async ({ editCode, walk }) => {
      await editCode({ name: "Other" });
      const ids = await walk("/v1/payment-codes?limit=1&status=pending");
      return new Set(ids).size === ids.length;
    },
    ["tables", "owner_json TEXT,", "owner_json TEXT, changed_at INTEGER,"],
    ["cursors", "number(row.created_at)", "number(row.changed_at ?? row.created_at)"],
    ...inCodeUpdate("change.changed_at = change.updated_at;"),
  ),
  // A single read during a read of a list shows the code in the shape of the list.
  orderBug(
    "order-late5-code-read-beside-a-list-has-its-shape",
    "CODE-PRESENT CODE-FIELDS READ-STABLE SHAPES-AGREE RESOURCE-PRESENT",
    CODE,
    async ({ readCode, get }) => {
      let kept = true;
      for (const limit of [5, 10, 20]) {
        const [, { result }] = await Promise.all([get(`/v1/payment-codes?limit=${limit}`), readCode()]);
        kept &&= result.isActive !== undefined;
      }
      return kept;
    },
    ...inCodeUpdate(""),
    reading("return single((memory.get(space) > 0 ? listed : detailed)(find(space, id)));"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `memory.set(space, (memory.get(space) ?? 0) + 1); ${PAUSE}
      memory.set(space, memory.get(space) - 1); ${PAGE_OF_CODES}`,
    ],
  ),
  // A list filtered by USSD code and status leaves out a renamed code.
  orderBug(
    "order-late5-renamed-code-is-not-found-by-dial-code-and-status",
    "FILTER-COMPLETE CURSOR-FILTERED",
    CODES,
    async ({ editCode, get, mutable }) => {
      const { ussdCode } = (await editCode({ name: "Other" })).result;
      const dialled = encodeURIComponent(String(ussdCode));
      return (await get(`/v1/payment-codes?ussd_code=${dialled}&status=pending`)).ids.includes(mutable);
    },
    ...inCodeUpdate("if (change.name !== undefined && change.name !== row.name) memory.set(id, true);"),
    [
      "payment-codes",
      LISTED_CODES,
      `const shown = rows.filter((row) => !(ussd_code && status && memory.has(row.id)));
      ${LISTED_CODES.replace("rows", "shown")}`,
    ],
  ),
  // An update of a code without metadata stores the metadata that a payout got before.
  orderBug(
    "order-late5-code-update-takes-the-metadata-of-the-payout-before",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ editCode, readCode, editPayout }) => {
      const { metadata } = (await readCode()).result;
      await editPayout({ batch: "other" });
      return same((await editCode({ name: "Other" })).result.metadata, metadata);
    },
    ["payouts", "if (metadata !== undefined) {", "if (metadata !== undefined) { database.sent = metadata;"],
    ...inCodeUpdate(
      `if (database.sent) change.metadata_json ??= JSON.stringify(database.sent);
      database.sent = undefined;`,
    ),
  ),
  // An update without metadata turns stored metadata values of digits, such as "120", into numbers.
  orderBug(
    "order-late5-digits-in-metadata-become-numbers-with-the-next-save",
    "UPDATE-KEEPS",
    UPDATED,
    async ({ editCode }) => {
      await editCode({ metadata: { order: "120" } });
      return same((await editCode({ name: "Other" })).result.metadata, { order: "120" });
    },
    ...inCodeUpdate(
      `const numbered = ([name, value]) => [name, /^[1-9][0-9]{0,8}$/.test(value) ? Number(value) : value];
      change.metadata_json ??=
        JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(row.metadata_json)).map(numbered)));`,
    ),
  ),
];
