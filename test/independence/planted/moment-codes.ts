/** Bugs of payment codes that one moment shows. Their author did not know the suite. */

import { CODE, CODE_UPDATE, CODES } from "./bug.ts";
import { inDays, NEWER, OLDER, type OrderBug, orderBug, READ_OF_CODE, same } from "./order.ts";

const SINGLE = [CODE, CODE_UPDATE];
const PENDING = "/v1/payment-codes?status=pending&limit=50";
const EXPIRY = 'expireTime: { type: "string", format: "date-time" }';

export const momentCodeBugs: readonly OrderBug[] = [
  // The list shows null for the providers of a code that has none.
  orderBug(
    "moment-code-without-providers-lists-null",
    "CODE-LIST-FIELDS SHAPES-AGREE",
    [CODES, CODE],
    async ({ get }) => (await get(PENDING)).items.every((each) => each.authorizedProviders !== null),
    ["payment-codes", "authorizedProviders:", 'authorizedProviders: row.providers_json === "[]" ? null :'],
  ),
  // The single read shows null for the phone number of a customer that has none.
  orderBug(
    "moment-customer-without-phone-shows-null",
    "CODE-FIELDS SHAPES-CUSTOMER",
    SINGLE,
    async ({ get }) => {
      const code = (await get(PENDING)).items.find((each) => each.authorizedPhoneNumber === undefined);
      const { customerTarget } = (await get(`/payment-codes/${code?.id}`)).result;
      return (customerTarget as { payingPhoneNumber?: unknown }).payingPhoneNumber !== null;
    },
    [
      "payment-codes",
      "...(row.phone !== null && { payingPhoneNumber: masked(text(row.phone)) })",
      "payingPhoneNumber: row.phone === null ? null : masked(text(row.phone))",
    ],
  ),
  // The single read of a reusable code has no time of expiry.
  orderBug(
    "moment-reusable-code-has-no-expiry",
    "CODE-PRESENT SHAPES-AGREE UPDATE-ECHO UPDATE-STORED",
    [...SINGLE, CODES],
    async ({ readCode }) => typeof (await readCode()).result.expireTime === "string",
    [
      "payment-codes",
      "isActive: flag(row.enabled)",
      'isActive: flag(row.enabled), ...(row.mode === "recurrent" && { expireTime: undefined })',
    ],
  ),
  // The single read shows the amount of one payment as the sum that all payments are to reach.
  orderBug(
    "moment-expected-sum-is-that-of-one-payment",
    "SHAPES-AGREE",
    [CODE, CODES],
    async ({ readCode, get, mutable }) => {
      const listed = (await get(PENDING)).items.find(({ id }) => id === mutable);
      const target = listed?.recurrentPaymentTarget as { expectedPaymentTotal: unknown };
      const { financialTarget } = (await readCode()).result;
      return same(
        target.expectedPaymentTotal,
        (financialTarget as { expectedPaymentSum: unknown }).expectedPaymentSum,
      );
    },
    [
      "payment-codes",
      "expectedPaymentSum: money(row.target_total, row)",
      "expectedPaymentSum: money(row.amount, row)",
    ],
  ),
  // The answer to a cancellation has a text as messages.
  orderBug(
    "moment-message-of-a-cancellation-is-a-text",
    "MESSAGES-ARRAY",
    CODE_UPDATE,
    async ({ raw, cancellable }) => {
      const answer = await raw("PATCH", `/payment-codes/${cancellable}`, {}, '{"status":"cancelled"}');
      const { messages } = (await answer.json()) as { messages: unknown };
      return Array.isArray(messages);
    },
    [
      "payment-codes",
      "return single(detailed(find(space, id)));",
      `const answer = single(detailed(find(space, id)));
      return change.status === "cancelled" ? { ...answer, messages: "The payment code is cancelled" } : answer;`,
    ],
  ),
  // An expiry is accepted in UTC only.
  orderBug(
    "moment-expiry-in-another-zone-is-refused",
    "UPDATE-ACCEPTED UPDATE-ECHO",
    CODE_UPDATE,
    async ({ editCode }) => {
      const expireTime = inDays(20).replace("Z", "+01:00");
      return (await editCode({ expireTime })).status === 200;
    },
    ["payment-codes", EXPIRY, 'expireTime: { type: "string", format: "date-time", pattern: "Z$" }'],
  ),
  // An update with false as isActive does not deactivate the code.
  orderBug(
    "moment-false-as-is-active-is-taken-for-nothing",
    "UPDATE-ECHO UPDATE-STORED",
    CODE_UPDATE,
    async ({ editCode }) => (await editCode({ isActive: false })).result.isActive === false,
    ["payment-codes", 'if (typeof sent.isActive === "boolean")', "if (sent.isActive)"],
  ),
  // An update of the name renames the customer too.
  orderBug(
    "moment-new-name-is-that-of-the-customer-too",
    "UPDATE-KEEPS-REST UPDATE-KEEPS",
    [CODE_UPDATE, CODE, CODES],
    async ({ readCode, editCode }) => {
      const { customerTarget } = (await readCode()).result;
      return same((await editCode({ name: "Other" })).result.customerTarget, customerTarget);
    },
    [
      "payment-codes",
      'if (typeof sent.name === "string") change.name = sent.name;',
      'if (typeof sent.name === "string") change.name = change.customer_name = sent.name;',
    ],
  ),
  // A date without a time is accepted as an expiry.
  orderBug(
    "moment-date-without-time-is-an-expiry",
    "UPDATE-INVALID",
    CODE_UPDATE,
    async ({ editCode }) => (await editCode({ expireTime: inDays(20).slice(0, 10) })).status >= 400,
    [
      "payment-codes",
      EXPIRY,
      'expireTime: { type: "string", anyOf: [{ format: "date-time" }, { format: "date" }] }',
    ],
  ),
  // A cancellation that deactivates the code too only deactivates it.
  orderBug(
    "moment-cancellation-with-false-as-is-active-only-deactivates",
    "CANCEL-STATUS CANCEL-TOGETHER UPDATE-ECHO",
    CODE_UPDATE,
    async ({ patch, cancellable }) => {
      const { result } = await patch(`/payment-codes/${cancellable}`, {
        status: "cancelled",
        isActive: false,
      });
      return result.status === "cancelled";
    },
    [
      "payment-codes",
      'change.status = "cancelled";',
      'if (sent.isActive !== false) change.status = "cancelled";',
    ],
  ),
  // An expiry that is sent with a cancellation is ignored.
  orderBug(
    "moment-cancellation-ignores-the-expiry",
    "CANCEL-TOGETHER UPDATE-ECHO",
    CODE_UPDATE,
    async ({ patch, cancellable }) => {
      const expireTime = inDays(40);
      const { result } = await patch(`/payment-codes/${cancellable}`, { status: "cancelled", expireTime });
      return Date.parse(String(result.expireTime)) === Date.parse(expireTime);
    },
    [
      "payment-codes",
      "if (sent.expireTime !== undefined)",
      'if (sent.expireTime !== undefined && sent.status !== "cancelled")',
    ],
  ),
  // The newer version spells the mode in the single read as in the list.
  orderBug(
    "moment-newer-version-spells-the-single-mode-otherwise",
    "VERSION-VALUES",
    CODE,
    async ({ get }) => {
      const code = (await get(PENDING)).items.find(({ mode }) => mode === "one_time");
      const older = await get(`/payment-codes/${code?.id}`, { version: OLDER });
      const newer = await get(`/payment-codes/${code?.id}`, { version: NEWER });
      return older.result.mode === newer.result.mode;
    },
    [
      "payment-codes",
      READ_OF_CODE,
      `async ({ space, params, headers: sent }) => {
        const { mode, ...rest } = detailed(find(space, params.id));
        const isNewer = sent["service-version"] === "caph.2025-08-23";
        return single({ ...rest, mode: isNewer && mode === "oneTime" ? "one_time" : mode });
      }`,
    ],
  ),
];
