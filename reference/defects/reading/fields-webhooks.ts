import { leaveOut, oneIn, showAt, WEBHOOK_SHOWN, WEBHOOKS } from "../../read-hook-tools.ts";
import { WEBHOOK_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Defects of the fields of webhooks (rows 10 and 11). */
export const webhookFieldDefects: readonly Defect[] = [
  {
    name: "webhook-version-null-instead-of-absent",
    description: "A webhook without an apiVersion has one of null.",
    requirement: "WEBHOOK-FIELDS",
    row: 10,
    level: "MUST",
    operations: WEBHOOK_SHOWN,
    hooks: showAt(WEBHOOK_SHOWN, "apiVersion", (value) => value ?? null),
  },
  {
    name: "webhook-events-joined-in-one-record",
    description: "One webhook in six has its events as one text with commas.",
    requirement: "WEBHOOK-FIELDS",
    alsoBreaks: ["CREATE-LISTED", "UPDATE-STORED", "UPDATE-KEEPS"],
    row: 10,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: showAt(WEBHOOKS, "events", (value, { ctx, record }) =>
      oneIn(6, ctx, record) && Array.isArray(value) ? value.join(",") : value,
    ),
  },
  {
    name: "webhook-create-time-without-seconds",
    description: "createTime of a webhook has hours and minutes only.",
    requirement: "WEBHOOK-FIELDS",
    row: 10,
    level: "MUST",
    operations: WEBHOOK_SHOWN,
    hooks: showAt(WEBHOOK_SHOWN, "createTime", (value) => `${String(value).slice(0, 16)}Z`),
  },
  {
    name: "webhook-is-active-left-out-when-false",
    description: "A webhook that is not active leaves isActive out.",
    requirement: "WEBHOOK-PRESENT",
    alsoBreaks: ["CREATE-DEFAULT", "CREATE-ECHO", "UPDATE-ECHO", "UPDATE-STORED"],
    row: 11,
    level: "MUST",
    operations: WEBHOOK_SHOWN,
    hooks: leaveOut(WEBHOOK_SHOWN, "isActive", (value) => value === false),
  },
  {
    name: "webhook-update-without-create-time",
    description: "The answer to an update of a webhook has no createTime.",
    requirement: "WEBHOOK-PRESENT",
    alsoBreaks: ["UPDATE-IDENTITY", "UPDATE-KEEPS"],
    row: 11,
    level: "MUST",
    operations: WEBHOOK_UPDATE,
    hooks: leaveOut(WEBHOOK_UPDATE, "createTime"),
  },
];
