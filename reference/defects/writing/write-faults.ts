import { isAt } from "../../hook-tools.ts";
import { characters, isObject, type Json } from "../../json.ts";
import {
  ACCOUNT,
  CODE_UPDATE,
  crash,
  crashInstead,
  PAYOUT_UPDATE,
  WEBHOOK,
  WEBHOOK_UPDATE,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const fault = { requirement: "NO-SERVER-ERROR", row: 1, level: "MUST" } as const;

function depth(value: Json | undefined): number {
  if (Array.isArray(value)) return 1 + Math.max(0, ...value.map(depth));
  return isObject(value) ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
}

/** Requests that creates and updates answer with a server error (row 1). */
export const writeFaultDefects: readonly Defect[] = [
  {
    ...fault,
    name: "emoji-in-account-name-crashes",
    description: "A character outside the basic plane in a financial account's name is a server error.",
    alsoBreaks: ["CREATE-ECHO", "CREATE-ACCEPTED"],
    operations: ACCOUNT,
    hooks: crash(ACCOUNT, ({ body }) => /[\u{10000}-\u{10ffff}]/u.test(String(body.name))),
  },
  {
    ...fault,
    name: "quote-in-webhook-name-crashes",
    description: "An apostrophe in the new name of a webhook is a server error.",
    alsoBreaks: ["UPDATE-ECHO", "UPDATE-ACCEPTED"],
    operations: WEBHOOK_UPDATE,
    hooks: crash(WEBHOOK_UPDATE, ({ body }) => String(body.name).includes("'")),
  },
  {
    ...fault,
    name: "deep-payout-metadata-crashes",
    description: "Metadata of a payout that is nested more than one deep is a server error.",
    operations: PAYOUT_UPDATE,
    hooks: crash(PAYOUT_UPDATE, ({ body }) => depth(body.metadata) > 1),
  },
  {
    ...fault,
    name: "long-key-crashes",
    description: "An Idempotency-Key that is too long for its column is a server error.",
    alsoBreaks: ["KEY-TOO-LONG"],
    operations: ACCOUNT,
    hooks: {
      rejection: (rejection, ctx) =>
        isAt(ctx, ACCOUNT) && characters(ctx.request.headers["idempotency-key"] ?? "") > 64
          ? { ...rejection, status: 500 }
          : rejection,
    },
  },
  {
    ...fault,
    name: "taken-reference-crashes",
    description: "A reference that is taken is a server error, as the constraint of a table gives it.",
    alsoBreaks: ["UNIQUE-REJECTED", "UNIQUE-PARALLEL"],
    operations: ACCOUNT,
    hooks: crashInstead(ACCOUNT, ({ rule }) => rule === "unique"),
  },
  {
    ...fault,
    name: "null-webhook-name-crashes",
    description: "Null for the name of a new webhook is a server error.",
    alsoBreaks: ["CREATE-NULL"],
    operations: WEBHOOK,
    hooks: crashInstead(WEBHOOK, ({ at, rule }) => at === "body.name" && rule === "null"),
  },
  {
    ...fault,
    name: "wrong-provider-list-crashes",
    description: "allowedProviders that is no list is a server error.",
    alsoBreaks: ["UPDATE-TYPE"],
    operations: CODE_UPDATE,
    hooks: crashInstead(CODE_UPDATE, ({ at, rule }) => at === "body.allowedProviders" && rule === "type"),
  },
  {
    ...fault,
    name: "unknown-payout-update-crashes",
    description: "An update of a payout that does not exist is a server error.",
    alsoBreaks: ["UPDATE-UNKNOWN"],
    operations: PAYOUT_UPDATE,
    hooks: crashInstead(PAYOUT_UPDATE, ({ at, rule }) => at === "path.id" && rule === "known"),
  },
];
