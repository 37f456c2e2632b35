import { overlook, UPDATES } from "../../hook-tools.ts";
import { isObject } from "../../json.ts";
import {
  CODE_UPDATE,
  coerce,
  makeField,
  overlookWhen,
  PAYOUT_UPDATE,
  parsedJson,
  rewriteBody,
  setOtherwise,
  takeNull,
  together,
  WEBHOOK_UPDATE,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const rule = { row: 82, level: "MUST" } as const;
const type = { ...rule, requirement: "UPDATE-TYPE" } as const;
const null_ = { ...rule, requirement: "UPDATE-NULL" } as const;
const invalid = { ...rule, requirement: "UPDATE-INVALID", operations: CODE_UPDATE } as const;

/** Updates of another type, value or form that are taken (row 82, and 70 for the content type). */
export const updateTypeDefects: readonly Defect[] = [
  {
    ...rule,
    name: "webhook-update-without-url",
    description: "A webhook is updated without its url.",
    requirement: "UPDATE-REQUIRED",
    operations: WEBHOOK_UPDATE,
    hooks: overlook(WEBHOOK_UPDATE, { at: "body.url", rule: "required" }),
  },
  {
    ...type,
    name: "code-name-number-becomes-text",
    description: "A number for the name of a payment code is taken as text.",
    operations: CODE_UPDATE,
    hooks: coerce(CODE_UPDATE, "name", (value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    ),
  },
  {
    ...type,
    name: "code-active-as-text",
    description:
      "Whatever is sent for isActive of a payment code counts as true unless it is false or nothing.",
    operations: CODE_UPDATE,
    hooks: coerce(CODE_UPDATE, "isActive", (value) => Boolean(value) && value !== "false", "enable"),
  },
  {
    ...type,
    name: "code-expiry-as-seconds",
    description: "A number is taken for expireTime, as seconds of the epoch.",
    operations: CODE_UPDATE,
    hooks: coerce(CODE_UPDATE, "expireTime", (value) => {
      if (typeof value === "string") return value;
      const time = new Date(Number(value) * 1000);
      return Number.isNaN(time.getTime()) ? "2099-01-01T00:00:00.000Z" : time.toISOString();
    }),
  },
  {
    ...type,
    name: "code-provider-elements-of-any-type",
    description: "Elements of allowedProviders are not checked; what is no text is left out.",
    operations: CODE_UPDATE,
    hooks: together(
      overlook(CODE_UPDATE, { at: "body.allowedProviders[]", rule: "type" }),
      makeField(CODE_UPDATE, "authorizedProviders", (value) =>
        Array.isArray(value) ? value.filter((code) => typeof code === "string") : value,
      ),
    ),
  },
  {
    ...type,
    name: "payout-metadata-of-any-type",
    description: "Metadata of a payout may be anything; what is no object changes nothing.",
    operations: PAYOUT_UPDATE,
    hooks: together(
      overlook(PAYOUT_UPDATE, { at: "body.metadata", rule: "type" }),
      setOtherwise(PAYOUT_UPDATE, (changes) => (isObject(changes.metadata) ? changes : {})),
    ),
  },
  {
    ...type,
    name: "webhook-update-with-active-as-text",
    description: 'The texts "true" and "false" are taken for isActive of a webhook.',
    operations: WEBHOOK_UPDATE,
    hooks: coerce(WEBHOOK_UPDATE, "isActive", (value) => value === true || value === "true" || value === 1),
  },
  {
    ...type,
    name: "webhook-update-with-events-as-one-text",
    description: "A single text is taken for a list of one event of a webhook.",
    operations: WEBHOOK_UPDATE,
    hooks: coerce(WEBHOOK_UPDATE, "events", (value) => (Array.isArray(value) ? value : [String(value)])),
  },
  {
    ...type,
    name: "webhook-update-ignores-wrong-metadata",
    description: "Metadata of a webhook that is no object is ignored, and the update accepted.",
    operations: WEBHOOK_UPDATE,
    hooks: together(
      overlook(WEBHOOK_UPDATE, { at: "body.metadata", rule: "type" }),
      makeField(WEBHOOK_UPDATE, "metadata", (value, _ctx, previous) => (isObject(value) ? value : previous)),
    ),
  },
  {
    ...null_,
    name: "code-metadata-null-taken",
    description: "Null is taken for the metadata of a payment code, and empties it.",
    operations: CODE_UPDATE,
    hooks: takeNull(CODE_UPDATE, "metadata", {}),
  },
  {
    ...null_,
    name: "code-expiry-null-taken",
    description: "Null is taken for expireTime of a payment code, as if it had not been sent.",
    operations: CODE_UPDATE,
    hooks: together(
      overlook(CODE_UPDATE, { at: "body.expireTime", rule: "null" }),
      makeField(CODE_UPDATE, "expireTime", (value, _ctx, previous) => value ?? previous),
    ),
  },
  {
    ...null_,
    name: "webhook-url-null-taken",
    description: "Null is taken for the url of a webhook, as if the present one had been sent.",
    operations: WEBHOOK_UPDATE,
    hooks: together(
      overlook(WEBHOOK_UPDATE, { at: "body.url", rule: "null" }),
      makeField(WEBHOOK_UPDATE, "url", (value, _ctx, previous) => value ?? previous),
    ),
  },
  {
    ...null_,
    name: "webhook-update-with-headers-null-taken",
    description: "Null is taken for customHeaders of a webhook, and takes them away.",
    operations: WEBHOOK_UPDATE,
    hooks: takeNull(WEBHOOK_UPDATE, "customHeaders", undefined),
  },
  {
    ...invalid,
    name: "code-status-of-any-state",
    description: "The status of a payment code may be set to any of its states.",
    hooks: overlookWhen(CODE_UPDATE, { at: "body.status", rule: "enum" }, ({ body }) =>
      ["pending", "processing", "expired", "completed"].includes(String(body.status)),
    ),
  },
  {
    ...invalid,
    name: "code-status-unknown-ignored",
    description: "A status that does not exist is ignored, and the update accepted.",
    hooks: together(
      overlookWhen(CODE_UPDATE, { at: "body.status", rule: "enum" }, ({ body }) =>
        ["pending", "processing", "expired", "completed"].every((status) => status !== body.status),
      ),
      makeField(CODE_UPDATE, "status", (value, _ctx, previous) => (value === "cancelled" ? value : previous)),
    ),
  },
  {
    ...invalid,
    name: "code-expiry-as-day",
    description: "Any text that can be read as a date is taken for expireTime, a day without a time too.",
    hooks: together(
      overlookWhen(CODE_UPDATE, { at: "body.expireTime", rule: "format" }, ({ body }) =>
        Number.isFinite(Date.parse(String(body.expireTime))),
      ),
      makeField(CODE_UPDATE, "expireTime", (value) =>
        typeof value === "string" && !/T.*(Z|[+-]\d\d:\d\d)$/i.test(value)
          ? new Date(value).toISOString()
          : value,
      ),
    ),
  },
  {
    ...invalid,
    name: "code-expiry-that-is-no-date-ignored",
    description: "An expireTime that is no date is ignored, and the update accepted.",
    hooks: together(
      overlookWhen(CODE_UPDATE, { at: "body.expireTime", rule: "format" }, ({ body }) =>
        Number.isNaN(Date.parse(String(body.expireTime))),
      ),
      makeField(CODE_UPDATE, "expireTime", (value, _ctx, previous) =>
        Number.isNaN(Date.parse(String(value))) ? previous : value,
      ),
    ),
  },
  {
    ...rule,
    name: "payout-malformed-body-is-empty",
    description: "A body of a payout update that is no JSON is taken for an empty one.",
    requirement: "UPDATE-MALFORMED",
    operations: PAYOUT_UPDATE,
    hooks: overlook(PAYOUT_UPDATE, { at: "body", rule: "json" }),
  },
  {
    ...rule,
    name: "code-malformed-body-is-empty",
    description: "A body of a payment code update that is no JSON is taken for an empty one.",
    requirement: "UPDATE-MALFORMED",
    operations: CODE_UPDATE,
    hooks: overlook(CODE_UPDATE, { at: "body", rule: "json" }),
  },
  {
    ...rule,
    name: "webhook-update-with-text-behind-it",
    description: "Whatever follows the JSON object in the body of a webhook update is ignored.",
    requirement: "UPDATE-MALFORMED",
    operations: WEBHOOK_UPDATE,
    hooks: rewriteBody(WEBHOOK_UPDATE, (text) =>
      parsedJson(text) === undefined ? text.slice(0, text.lastIndexOf("}") + 1) : text,
    ),
  },
  {
    ...rule,
    name: "payout-list-body-is-empty",
    description: "A list as the body of a payout update is taken for an empty update.",
    requirement: "UPDATE-NOT-OBJECT",
    operations: PAYOUT_UPDATE,
    hooks: overlookWhen(PAYOUT_UPDATE, { at: "body", rule: "object" }, ({ request }) =>
      request.body.toString("utf8").trimStart().startsWith("["),
    ),
  },
  {
    ...rule,
    name: "code-body-of-null-is-empty",
    description: "null as the body of a payment code update is taken for an empty update.",
    requirement: "UPDATE-NOT-OBJECT",
    operations: CODE_UPDATE,
    hooks: overlookWhen(
      CODE_UPDATE,
      { at: "body", rule: "object" },
      ({ request }) => request.body.toString("utf8").trim() === "null",
    ),
  },
  {
    ...rule,
    name: "webhook-update-in-a-list",
    description: "A list of objects is taken for the first of them.",
    requirement: "UPDATE-NOT-OBJECT",
    operations: WEBHOOK_UPDATE,
    hooks: rewriteBody(WEBHOOK_UPDATE, (text) => {
      const value = parsedJson(text);
      return Array.isArray(value) && value.length > 0 ? JSON.stringify(value[0]) : text;
    }),
  },
  {
    name: "updates-as-text-plain",
    description: "Updates take JSON whatever the content type says.",
    requirement: "UPDATE-TEXT-PLAIN",
    row: 70,
    level: "SHOULD",
    operations: UPDATES,
    hooks: overlook(UPDATES, { at: "body", rule: "contentType" }),
  },
  {
    ...type,
    name: "code-active-as-one",
    description: "The number 1 is taken for isActive of a payment code, and no other number.",
    operations: CODE_UPDATE,
    hooks: together(
      overlookWhen(CODE_UPDATE, { at: "body.isActive", rule: "type" }, ({ body }) => body.isActive === 1),
      makeField(CODE_UPDATE, "enable", (value) => (value === 1 ? true : value)),
    ),
  },
  {
    ...rule,
    name: "code-status-in-capitals-taken",
    description: "CANCELLED is taken for the status of a payment code.",
    requirement: "UPDATE-INVALID",
    operations: CODE_UPDATE,
    hooks: together(
      overlookWhen(
        CODE_UPDATE,
        { at: "body.status", rule: "enum" },
        ({ body }) => body.status === "CANCELLED",
      ),
      makeField(CODE_UPDATE, "status", (value) => (value === "CANCELLED" ? "cancelled" : value)),
    ),
  },
];
