/** Bugs of payment codes that only a sequence of calls shows. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES, type Edit } from "./bug.ts";
import {
  inCodeUpdate,
  inDays,
  LISTED_CODES,
  NEWER,
  OLDER,
  type OrderBug,
  orderBug,
  PAGE_OF_CODES,
  READ_OF_CODE,
  remembering,
  same,
} from "./order.ts";
import { PAUSE } from "./order-late.ts";

const at = (value: unknown) => Date.parse(String(value));
const dialled = (code: unknown) => `/v1/payment-codes?ussd_code=${encodeURIComponent(String(code))}`;

/** Replaces the handler that reads one payment code. The statements may use `space`, `id` and `version`. */
export const reading = (statements: string): Edit => [
  "payment-codes",
  READ_OF_CODE,
  `async ({ space, params: { id }, headers: given }) => { const version = given["service-version"]; ${statements} }`,
];

export const late3CodeOrderBugs: readonly OrderBug[] = [
  orderBug(
    "providers-loaded-together-answer-for-each-other",
    "UPDATE-ECHO UPDATE-STORED",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      await editCode({ allowedProviders: ["ORANGE_CM", "MTN_CM"] });
      const { allowedProviders } = (await editCode({ allowedProviders: ["ORANGE_CM"] })).result;
      return same(allowedProviders, ["ORANGE_CM"]);
    },
    [
      "payment-codes",
      "(sent.allowedProviders ?? []).map((given) => providerCode(database, given))",
      `((all) => {
        const loaded = (database.loaded ??= new Map()); const missing = [...new Set(all)].filter((each) => !loaded.has(each));
        const found = missing.map((each) => providerCode(database, each)).sort();
        missing.forEach((each, n) => loaded.set(each, found[n]));
        return all.map((each) => loaded.get(each)); })(sent.allowedProviders ?? [])`,
    ],
  ),
  orderBug(
    "listing-renames-the-target-of-a-read-code",
    "READ-STABLE SHAPES-AGREE VERSION-FIELDS VERSION-VALUES",
    [CODE, CODES],
    async ({ readCode, get }) => {
      const { financialTarget } = (await readCode()).result;
      await get("/v1/payment-codes?limit=50&status=pending");
      return same((await readCode()).result.financialTarget, financialTarget);
    },
    remembering("payment-codes"),
    reading(
      `const answer = detailed(find(space, id)); const target = answer.financialTarget;
      if (target && !memory.has(id)) memory.set(id, target);
      if (target) answer.financialTarget = memory.get(id);
      return single(answer);`,
    ),
    [
      "payment-codes",
      LISTED_CODES,
      `for (const { id } of rows) {
        const target = memory.get(id); if (!target?.expectedPaymentSum) continue;
        target.expectedPaymentTotal = target.expectedPaymentSum; delete target.expectedPaymentSum;
      }
      ${LISTED_CODES}`,
    ],
  ),
  orderBug(
    "cancelling-an-inactive-code-takes-nothing-else",
    "CANCEL-TOGETHER",
    [CODE_UPDATE, CODE, CODES],
    async ({ patch, cancellable }) => {
      const edit = (fields: object) => patch(`/payment-codes/${cancellable}`, fields);
      await edit({ isActive: false });
      return (await edit({ status: "cancelled", name: "Other" })).result.name === "Other";
    },
    ...inCodeUpdate(
      `if (change.status && row.enabled === 0)
        for (const name of ["name", "expires_at", "providers_json", "metadata_json"]) delete change[name];`,
    ),
  ),
  orderBug(
    "offset-of-the-expiry-before-holds-for-the-next",
    "UPDATE-ECHO UPDATE-STORED",
    [CODE_UPDATE, CODE, CODES],
    async ({ editCode }) => {
      const [first, second] = [inDays(2), inDays(1)];
      await editCode({ expireTime: first.replace("Z", "+02:00") });
      return at((await editCode({ expireTime: second })).result.expireTime) === at(second);
    },
    ...inCodeUpdate(
      `if (change.expires_at !== undefined) {
        const [, sign, hours, minutes] = /([+-])([0-9]{2}):([0-9]{2})$/.exec(sent.expireTime) ?? [];
        if (sign) memory.set(id, Number(sign + 1) * (Number(hours) * 60 + Number(minutes)) * 60000);
        else change.expires_at -= memory.get(id) ?? 0;
      }`,
    ),
  ),
  orderBug(
    "dial-code-found-once-is-found-without-its-signs",
    "FILTER-SOUND",
    CODES,
    async ({ readCode, get }) => {
      const { ussdCode } = (await readCode()).result;
      await get(dialled(ussdCode));
      return (await get(dialled(String(ussdCode).replace("#", "")))).ids.length === 0;
    },
    remembering("payment-codes"),
    [
      "payment-codes",
      LISTED_CODES,
      `const digits = ussd_code && !mode && !status && !query.after && space + ussd_code.replace(/[^0-9]/g, "");
      if (digits && rows[0]) memory.set(digits, rows[0].id);
      else if (memory.has(digits)) rows.push(find(space, memory.get(digits)));
      ${LISTED_CODES}`,
    ],
  ),
  orderBug(
    "read-under-the-older-version-stores-its-local-expiry",
    "READ-STABLE VERSION-VALUES SHAPES-AGREE UPDATE-KEEPS",
    [CODE, CODES, CODE_UPDATE],
    async ({ readCode }) => {
      const { expireTime } = (await readCode()).result;
      await readCode({ version: OLDER });
      return (await readCode()).result.expireTime === expireTime;
    },
    reading(
      `const row = find(space, id);
      if (version === "${OLDER}")
        database.update("payment_codes", { expires_at: row.expires_at + 3600000 }, "id = ?", [id]);
      return single(detailed(row));`,
    ),
  ),
  orderBug(
    "newer-read-of-a-code-updated-under-the-older-has-no-target",
    "VERSION-FIELDS SHAPES-AGREE READ-STABLE UPDATE-KEEPS",
    [CODE, CODES, CODE_UPDATE],
    async ({ editCode, readCode }) => {
      await editCode({ name: "Other" }, { version: OLDER });
      return (await readCode({ version: NEWER })).result.financialTarget !== undefined;
    },
    ["payment-codes", "body: sent }) => {", "body: sent, headers: given }) => {"],
    ...inCodeUpdate(
      `if (given["service-version"] === "${OLDER}") memory.set(id, true); else memory.delete(id);`,
    ),
    reading(
      `const answer = detailed(find(space, id));
      if (version === "${NEWER}" && memory.has(id)) delete answer.financialTarget;
      return single(answer);`,
    ),
  ),
  orderBug(
    "moved-expiry-files-the-code-under-its-status-for-good",
    "FILTER-SOUND FILTER-COMPLETE CURSOR-FILTERED",
    [CODES, CODE_UPDATE],
    async ({ patch, cancel, cancellable, walk }) => {
      await patch(`/payment-codes/${cancellable}`, { expireTime: inDays(1) });
      await cancel();
      return (await walk("/v1/payment-codes?limit=50&status=cancelled")).includes(cancellable);
    },
    ["tables", "owner_json TEXT,", "owner_json TEXT, filed TEXT,"],
    ...inCodeUpdate("if (change.expires_at !== undefined) change.filed = row.status;"),
    [
      "payment-codes",
      PAGE_OF_CODES,
      PAGE_OF_CODES.replace("filters,", '{ ...filters, status: null, "coalesce(filed, status)": status },'),
    ],
  ),
  orderBug(
    "reads-of-a-code-at-once-share-their-answer-over-spaces",
    "ISOLATION-READS READ-ACCEPTED READ-STABLE",
    CODE,
    async ({ readCode, second: space }) => {
      const [own, other] = await Promise.all([readCode(), readCode({ space })]);
      return own?.status === 200 && other !== undefined && other.status >= 400;
    },
    remembering("payment-codes"),
    reading(
      `const load = async () => {
        try { ${PAUSE} return single(detailed(find(space, id))); } finally { memory.delete(id); } };
      if (!memory.has(id)) memory.set(id, load());
      return memory.get(id);`,
    ),
  ),
];
