import { isAt, moveLimit, overlook, refuse } from "../../hook-tools.ts";
import { CODE_UPDATE, isOlderVersion, makeField, together, WEBHOOK_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const edge = { requirement: "UPDATE-EDGES", row: 80, level: "MUST" } as const;
const rule = { row: 82, level: "MUST" } as const;

/** Limits of updates that are drawn in the wrong place (rows 80 and 82). */
export const updateLimitDefects: readonly Defect[] = [
  {
    ...edge,
    name: "code-name-of-100-refused",
    description: "The new name of a payment code must be shorter than 100 characters.",
    operations: CODE_UPDATE,
    hooks: moveLimit(CODE_UPDATE, { at: "body.name", rule: "maxLength" }, (limit) => limit - 1),
  },
  {
    ...edge,
    name: "code-with-ten-providers-refused",
    description: "A payment code may be opened to nine providers only.",
    operations: CODE_UPDATE,
    hooks: moveLimit(CODE_UPDATE, { at: "body.allowedProviders", rule: "maxItems" }, (limit) => limit - 1),
  },
  {
    ...edge,
    name: "code-with-one-provider-refused",
    description: "A payment code must be opened to two providers at least.",
    operations: CODE_UPDATE,
    hooks: moveLimit(CODE_UPDATE, { at: "body.allowedProviders", rule: "minItems" }, () => 2),
  },
  {
    ...edge,
    name: "webhook-rename-limited-to-64",
    description: "The new name of a webhook may have 64 characters only.",
    operations: WEBHOOK_UPDATE,
    hooks: moveLimit(WEBHOOK_UPDATE, { at: "body.name", rule: "maxLength" }, () => 64),
  },
  {
    ...edge,
    name: "webhook-update-to-100-events-refused",
    description: "An updated webhook may subscribe to 50 events only.",
    operations: WEBHOOK_UPDATE,
    hooks: moveLimit(WEBHOOK_UPDATE, { at: "body.events", rule: "maxItems" }, () => 50),
  },
  {
    ...edge,
    name: "webhook-emails-cannot-be-emptied",
    description: "An updated webhook must keep an alert address: an empty list is refused.",
    operations: WEBHOOK_UPDATE,
    hooks: refuse(
      WEBHOOK_UPDATE,
      "body",
      { at: "body.alertEmails", rule: "minItems", message: "alertEmails is empty" },
      ({ body }) => Array.isArray(body.alertEmails) && body.alertEmails.length === 0,
    ),
  },
  {
    ...rule,
    name: "code-name-of-101-taken",
    description: "The new name of a payment code may have 101 characters.",
    requirement: "UPDATE-TOO-LONG",
    operations: CODE_UPDATE,
    hooks: moveLimit(CODE_UPDATE, { at: "body.name", rule: "maxLength" }, (limit) => limit + 1),
  },
  {
    ...rule,
    name: "webhook-rename-unlimited-under-older-version",
    description: "Under caph.2025-06-20 the new name of a webhook has no limit.",
    requirement: "UPDATE-TOO-LONG",
    alsoBreaks: ["WEBHOOK-FIELDS"],
    operations: WEBHOOK_UPDATE,
    hooks: {
      limit: (limit, ctx, { at, rule }) =>
        isAt(ctx, WEBHOOK_UPDATE) && isOlderVersion(ctx) && at === "body.name" && rule === "maxLength"
          ? Number.POSITIVE_INFINITY
          : limit,
    },
  },
  {
    ...rule,
    name: "webhook-rename-to-nothing",
    description: "A webhook may be given an empty name, which keeps the old one.",
    requirement: "UPDATE-TOO-SHORT",
    operations: WEBHOOK_UPDATE,
    hooks: together(
      overlook(WEBHOOK_UPDATE, { at: "body.name", rule: "minLength" }),
      makeField(WEBHOOK_UPDATE, "name", (value, _ctx, previous) => (value === "" ? previous : value)),
    ),
  },
  {
    ...rule,
    name: "code-with-eleven-providers-taken",
    description: "A payment code may be opened to eleven providers.",
    requirement: "UPDATE-TOO-MANY",
    operations: CODE_UPDATE,
    hooks: moveLimit(CODE_UPDATE, { at: "body.allowedProviders", rule: "maxItems" }, (limit) => limit + 1),
  },
  {
    ...rule,
    name: "webhook-update-to-101-events-taken",
    description: "An updated webhook may subscribe to any number of events.",
    requirement: "UPDATE-TOO-MANY",
    operations: WEBHOOK_UPDATE,
    hooks: overlook(WEBHOOK_UPDATE, { at: "body.events", rule: "maxItems" }),
  },
  {
    ...rule,
    name: "webhook-update-to-four-emails-taken",
    alsoBreaks: ["WEBHOOK-FIELDS"],
    description: "An updated webhook may have four alert addresses.",
    requirement: "UPDATE-TOO-MANY",
    operations: WEBHOOK_UPDATE,
    hooks: moveLimit(WEBHOOK_UPDATE, { at: "body.alertEmails", rule: "maxItems" }, (limit) => limit + 1),
  },
  {
    ...rule,
    name: "code-with-no-provider-taken",
    description: "A payment code may be opened to an empty list of providers.",
    requirement: "UPDATE-TOO-FEW",
    operations: CODE_UPDATE,
    hooks: overlook(CODE_UPDATE, { at: "body.allowedProviders", rule: "minItems" }),
  },
  {
    ...rule,
    name: "webhook-update-to-no-events-taken",
    description: "An updated webhook may subscribe to an empty list of events.",
    requirement: "UPDATE-TOO-FEW",
    operations: WEBHOOK_UPDATE,
    hooks: overlook(WEBHOOK_UPDATE, { at: "body.events", rule: "minItems" }),
  },
];
