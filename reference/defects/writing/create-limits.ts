import { isAt, moveLimit, overlook } from "../../hook-tools.ts";
import {
  ACCOUNT,
  isOlderVersion,
  makeField,
  makeText,
  overlookWhen,
  together,
  WEBHOOK,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const edge = { requirement: "CREATE-EDGES", row: 60, level: "MUST" } as const;
const rule = { row: 61, level: "MUST" } as const;

/** Limits of creating bodies that are drawn in the wrong place (rows 60 and 61). */
export const createLimitDefects: readonly Defect[] = [
  {
    ...edge,
    name: "account-name-of-100-refused",
    description: "The name of a new financial account must be shorter than 100 characters.",
    operations: ACCOUNT,
    hooks: moveLimit(ACCOUNT, { at: "body.name", rule: "maxLength" }, (limit) => limit - 1),
  },
  {
    ...edge,
    name: "account-reference-limit-of-uuid",
    description: "The reference of a new financial account may have 36 characters only.",
    operations: ACCOUNT,
    hooks: moveLimit(ACCOUNT, { at: "body.reference", rule: "maxLength" }, () => 36),
  },
  {
    ...edge,
    name: "account-description-limited-to-140",
    description: "The description of a new financial account may have 140 characters only.",
    operations: ACCOUNT,
    hooks: moveLimit(ACCOUNT, { at: "body.description", rule: "maxLength" }, () => 140),
  },
  {
    ...edge,
    name: "webhook-name-of-one-character-refused",
    description: "The name of a new webhook must have two characters.",
    operations: WEBHOOK,
    hooks: moveLimit(WEBHOOK, { at: "body.name", rule: "minLength" }, () => 2),
  },
  {
    ...edge,
    name: "webhook-with-100-events-refused",
    description: "A new webhook may subscribe to fewer than 100 events only.",
    operations: WEBHOOK,
    hooks: moveLimit(WEBHOOK, { at: "body.events", rule: "maxItems" }, (limit) => limit - 1),
  },
  {
    ...edge,
    name: "webhook-with-three-alert-emails-refused",
    description: "A new webhook may have two alert addresses only.",
    operations: WEBHOOK,
    hooks: moveLimit(WEBHOOK, { at: "body.alertEmails", rule: "maxItems" }, (limit) => limit - 1),
  },
  {
    ...edge,
    name: "key-of-64-refused",
    description: "An Idempotency-Key must be shorter than 64 characters.",
    operations: ACCOUNT,
    hooks: moveLimit(ACCOUNT, { at: "header.Idempotency-Key", rule: "maxLength" }, (limit) => limit - 1),
  },
  {
    ...rule,
    name: "account-name-of-101-under-older-version",
    description: "Under caph.2025-06-20 the name of a new financial account may have 101 characters.",
    requirement: "CREATE-TOO-LONG",
    operations: ACCOUNT,
    hooks: {
      limit: (limit, ctx, { at, rule }) =>
        isAt(ctx, ACCOUNT) && isOlderVersion(ctx) && at === "body.name" && rule === "maxLength"
          ? limit + 1
          : limit,
    },
  },
  {
    ...rule,
    name: "account-reference-of-65-taken",
    description: "The reference of a new financial account may have 65 characters.",
    requirement: "CREATE-TOO-LONG",
    operations: ACCOUNT,
    hooks: moveLimit(ACCOUNT, { at: "body.reference", rule: "maxLength" }, (limit) => limit + 1),
  },
  {
    ...rule,
    name: "account-description-unlimited",
    description: "The description of a new financial account has no limit.",
    requirement: "CREATE-TOO-LONG",
    operations: ACCOUNT,
    hooks: overlook(ACCOUNT, { at: "body.description", rule: "maxLength" }),
  },
  {
    ...rule,
    name: "account-name-measured-when-trimmed",
    description: "Spaces around the name of a new financial account do not count against its limit.",
    requirement: "CREATE-TOO-LONG",
    operations: ACCOUNT,
    hooks: overlookWhen(ACCOUNT, { at: "body.name", rule: "maxLength" }, ({ body }) => {
      return typeof body.name === "string" && body.name.trim().length <= 100;
    }),
  },
  {
    ...rule,
    name: "account-description-cut-to-fit",
    description: "A description that is too long for a new financial account is cut instead of refused.",
    requirement: "CREATE-TOO-LONG",
    alsoBreaks: ["CREATE-ECHO"],
    operations: ACCOUNT,
    hooks: together(
      overlook(ACCOUNT, { at: "body.description", rule: "maxLength" }),
      makeText(ACCOUNT, "description", (text) => text.slice(0, 150)),
    ),
  },
  {
    ...rule,
    name: "webhook-without-a-letter-in-its-name",
    description: "A new webhook may have an empty name.",
    requirement: "CREATE-TOO-SHORT",
    alsoBreaks: ["WEBHOOK-FIELDS"],
    operations: WEBHOOK,
    hooks: overlook(WEBHOOK, { at: "body.name", rule: "minLength" }),
  },
  {
    ...rule,
    name: "webhook-with-101-events-taken",
    description: "A new webhook may subscribe to 101 events.",
    requirement: "CREATE-TOO-MANY",
    operations: WEBHOOK,
    hooks: moveLimit(WEBHOOK, { at: "body.events", rule: "maxItems" }, (limit) => limit + 1),
  },
  {
    ...rule,
    name: "webhook-with-four-alert-emails-taken",
    description: "A new webhook may have any number of alert addresses; the first three are kept.",
    requirement: "CREATE-TOO-MANY",
    alsoBreaks: ["CREATE-ECHO"],
    operations: WEBHOOK,
    hooks: together(
      overlook(WEBHOOK, { at: "body.alertEmails", rule: "maxItems" }),
      makeField(WEBHOOK, "alertEmails", (value) => (Array.isArray(value) ? value.slice(0, 3) : value)),
    ),
  },
  {
    ...rule,
    name: "webhook-without-events-taken",
    description: "A new webhook may have an empty list of events.",
    requirement: "CREATE-TOO-FEW",
    operations: WEBHOOK,
    hooks: overlook(WEBHOOK, { at: "body.events", rule: "minItems" }),
  },
];
