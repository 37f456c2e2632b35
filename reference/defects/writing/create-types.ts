import { overlook } from "../../hook-tools.ts";
import { isObject } from "../../json.ts";
import {
  ACCOUNT,
  coerce,
  fillIn,
  isOlderVersion,
  makeField,
  overlookWhen,
  takeNull,
  together,
  WEBHOOK,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const rule = { row: 61, level: "MUST" } as const;
const type = { ...rule, requirement: "CREATE-TYPE" } as const;
const required = { ...rule, requirement: "CREATE-REQUIRED" } as const;
const null_ = { ...rule, requirement: "CREATE-NULL" } as const;
/** Creating bodies that lack fields or have them of another type, and are taken (row 61). */
export const createTypeDefects: readonly Defect[] = [
  {
    ...required,
    name: "account-without-name-taken",
    description: "A financial account without a name is named after its currency.",
    operations: ACCOUNT,
    hooks: fillIn(ACCOUNT, "name", ({ body }) => `Account ${String(body.currency)}`),
  },
  {
    ...required,
    name: "account-without-currency-is-in-xaf",
    description: "A financial account without a currency is opened in XAF.",
    operations: ACCOUNT,
    hooks: together(
      fillIn(ACCOUNT, "currency", () => "XAF"),
      makeField(ACCOUNT, "balance", (value, { body }) =>
        Object.hasOwn(body, "currency") ? value : { available: { currency: "XAF", value: 0 } },
      ),
    ),
  },
  {
    ...required,
    name: "webhook-without-events-field-taken",
    description: "A webhook without the field events subscribes to everything, as if null had been sent.",
    operations: WEBHOOK,
    hooks: overlook(WEBHOOK, { at: "body.events", rule: "required" }),
  },
  {
    ...required,
    name: "webhook-without-url-taken",
    description: "A webhook may be created as a draft, without a url.",
    alsoBreaks: ["WEBHOOK-PRESENT"],
    operations: WEBHOOK,
    hooks: overlook(WEBHOOK, { at: "body.url", rule: "required" }),
  },
  {
    ...required,
    name: "webhook-without-name-under-older-version",
    description: "Under caph.2025-06-20 a webhook without a name is named after its host.",
    operations: WEBHOOK,
    hooks: together(
      overlookWhen(WEBHOOK, { at: "body.name", rule: "required" }, isOlderVersion),
      makeField(WEBHOOK, "name", (value) => value ?? "Webhook"),
    ),
  },
  {
    ...type,
    name: "account-name-number-becomes-text",
    description: "A number for the name of a financial account is taken as text.",
    operations: ACCOUNT,
    hooks: coerce(ACCOUNT, "name", (value) => (typeof value === "string" ? value : JSON.stringify(value))),
  },
  {
    ...type,
    name: "account-reference-number-becomes-text",
    description: "A number for the reference of a financial account is taken as text.",
    operations: ACCOUNT,
    hooks: coerce(ACCOUNT, "reference", (value) =>
      typeof value === "string" || value === null ? value : JSON.stringify(value),
    ),
  },
  {
    ...type,
    name: "account-metadata-text-taken",
    description: "Metadata of a financial account may be anything; what is no object is dropped.",
    operations: ACCOUNT,
    hooks: coerce(ACCOUNT, "metadata", (value) => (isObject(value) ? value : {})),
  },
  {
    ...type,
    name: "webhook-active-as-text",
    description: 'The texts "true" and "false" and the numbers 1 and 0 are taken for isActive.',
    operations: WEBHOOK,
    hooks: coerce(WEBHOOK, "isActive", (value) => value === true || value === "true" || value === 1),
  },
  {
    ...type,
    name: "webhook-events-as-one-text",
    description: "A single text is taken for a list of one event.",
    operations: WEBHOOK,
    hooks: coerce(WEBHOOK, "events", (value) => (Array.isArray(value) ? value : [String(value)])),
  },
  {
    ...type,
    name: "webhook-event-elements-of-any-type",
    description: "Elements of events are not checked, and made into text.",
    operations: WEBHOOK,
    hooks: together(
      overlook(WEBHOOK, { at: "body.events[]", rule: "type" }),
      makeField(WEBHOOK, "events", (value) =>
        Array.isArray(value)
          ? value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)))
          : value,
      ),
    ),
  },
  {
    ...type,
    name: "webhook-headers-as-list-taken",
    description: "A list for customHeaders is taken as if nothing had been sent.",
    operations: WEBHOOK,
    hooks: together(
      overlookWhen(WEBHOOK, { at: "body.customHeaders", rule: "type" }, ({ body }) =>
        Array.isArray(body.customHeaders),
      ),
      makeField(WEBHOOK, "customHeaders", (value) => (Array.isArray(value) ? undefined : value)),
    ),
  },
  {
    ...type,
    name: "webhook-secret-as-verification-method",
    description: "A text is taken for verificationMethod, and understood as the secret.",
    operations: WEBHOOK,
    hooks: coerce(WEBHOOK, "verificationMethod", (value) =>
      isObject(value) ? value : { hmac256: { secret: String(value) } },
    ),
  },
  {
    ...type,
    name: "webhook-api-version-number-taken",
    description: "A number for apiVersion is taken as text.",
    operations: WEBHOOK,
    hooks: coerce(WEBHOOK, "apiVersion", (value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    ),
  },
  {
    ...null_,
    name: "account-metadata-null-taken",
    description: "Null is taken for the metadata of a financial account.",
    operations: ACCOUNT,
    hooks: overlook(ACCOUNT, { at: "body.metadata", rule: "null" }),
  },
  {
    ...null_,
    name: "account-name-null-taken",
    description: "Null is taken for the name of a financial account, which is then empty.",
    operations: ACCOUNT,
    hooks: takeNull(ACCOUNT, "name", ""),
  },
  {
    ...null_,
    name: "webhook-active-null-taken",
    description: "Null is taken for isActive of a webhook, as if it were false.",
    operations: WEBHOOK,
    hooks: overlook(WEBHOOK, { at: "body.isActive", rule: "null" }),
  },
  {
    ...null_,
    name: "webhook-headers-null-taken",
    description: "Null is taken for customHeaders of a webhook.",
    operations: WEBHOOK,
    hooks: takeNull(WEBHOOK, "customHeaders", undefined),
  },
  {
    ...null_,
    name: "webhook-metadata-null-under-older-version",
    description: "Under caph.2025-06-20 null is taken for the metadata of a webhook.",
    operations: WEBHOOK,
    hooks: overlookWhen(WEBHOOK, { at: "body.metadata", rule: "null" }, isOlderVersion),
  },
  {
    ...type,
    name: "webhook-active-as-the-word-true",
    description: 'The text "true" is taken for isActive of a webhook, and no other text.',
    operations: WEBHOOK,
    hooks: together(
      overlookWhen(WEBHOOK, { at: "body.isActive", rule: "type" }, ({ body }) => body.isActive === "true"),
      makeField(WEBHOOK, "isActive", (value) => (value === "true" ? true : value)),
    ),
  },
];
