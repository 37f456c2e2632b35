import { isAt, overlook, PAGED, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { CODE_READ, CODES, OTPS, spacesOf, WEBHOOKS } from "../../read-hook-tools.ts";
import { ACCOUNT, together, WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Takes a space that does not exist; `instead` gives the one to act on. */
function takeUnknown(where: Where, instead: (space: string, first: string) => string): Hooks {
  return together(overlook(where, { stage: "space", rule: "known" }), {
    effectiveSpace: (space, ctx) =>
      isAt(ctx, where) && !ctx.service.spaces.has(space) ? instead(space, spacesOf(ctx)[0] ?? "") : space,
  });
}

/** Defects of the separation of spaces in reads, and of spaces that do not exist (rows 24 and 25). */
export const isolationDefects: readonly Defect[] = [
  {
    name: "unknown-space-lists-the-first",
    description: "Under a space that does not exist, lists show what the token's first space holds.",
    requirement: "ISOLATION-UNKNOWN-SPACE",
    alsoBreaks: ["SPACE-UNKNOWN"],
    row: 24,
    level: "MUST",
    operations: PAGED,
    hooks: takeUnknown(PAGED, (_space, first) => first),
  },
  {
    name: "unknown-space-reads-the-first",
    description: "Under a space that does not exist, single reads find what the token's first space holds.",
    requirement: "ISOLATION-UNKNOWN-SPACE",
    alsoBreaks: ["SPACE-UNKNOWN"],
    row: 24,
    level: "MUST",
    operations: ["GET /payment-codes/{id}", "GET /payouts/{id}"],
    hooks: takeUnknown(["GET /payment-codes/{id}", "GET /payouts/{id}"], (_space, first) => first),
  },
  {
    name: "otp-pages-of-every-space",
    description: "Pages of USSD OTP sessions behind a cursor go on with those of other spaces.",
    requirement: "ISOLATION-LISTS",
    alsoBreaks: ["CURSOR-COMPLETE", "CURSOR-END", "LIST-ORDER"],
    row: 24,
    level: "MUST",
    operations: OTPS,
    hooks: {
      visible: (visible, ctx, _record, purpose) =>
        visible || (purpose === "list" && isAt(ctx, OTPS) && ctx.query.has("after")),
    },
  },
  {
    name: "ussd-code-found-in-every-space",
    description: "The filter ussd_code finds payment codes of every space.",
    requirement: "ISOLATION-LISTS",
    alsoBreaks: ["CURSOR-FILTERED"],
    row: 24,
    level: "MUST",
    operations: CODES,
    hooks: {
      visible: (visible, ctx, _record, purpose) =>
        visible || (purpose === "list" && isAt(ctx, CODES) && Boolean(ctx.query.get("ussd_code")?.[0])),
    },
  },
  {
    name: "webhooks-of-all-the-tokens-spaces",
    description: "The list of webhooks shows those of every space that the token may act on.",
    requirement: "ISOLATION-LISTS",
    row: 24,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: {
      visible: (visible, ctx, record) =>
        visible || (isAt(ctx, WEBHOOKS) && spacesOf(ctx).includes(record.space)),
    },
  },
  {
    name: "payout-read-across-spaces",
    description: "A payout is shown in every space that the token may act on.",
    requirement: "ISOLATION-READS",
    row: 24,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: {
      visible: (visible, ctx, record) =>
        visible || (isAt(ctx, ["GET /payouts/{id}"]) && spacesOf(ctx).includes(record.space)),
    },
  },
  {
    name: "pending-code-read-across-spaces",
    description: "A payment code that is pending is shown in every space.",
    requirement: "ISOLATION-READS",
    row: 24,
    level: "MUST",
    operations: CODE_READ,
    hooks: {
      visible: (visible, ctx, record) =>
        visible || (isAt(ctx, CODE_READ) && record.data.status === "pending"),
    },
  },
  {
    name: "unknown-space-lists-nothing",
    description: "Under a space that does not exist, lists are empty instead of refused.",
    requirement: "SPACE-UNKNOWN",
    row: 25,
    level: "SHOULD",
    operations: PAGED,
    hooks: takeUnknown(PAGED, (space) => space),
  },
  {
    name: "unknown-space-is-made-by-a-create",
    description: "Creating in a space that does not exist is accepted.",
    requirement: "SPACE-UNKNOWN",
    row: 25,
    level: "SHOULD",
    operations: [...ACCOUNT, ...WEBHOOK],
    hooks: takeUnknown([...ACCOUNT, ...WEBHOOK], (space) => space),
  },
];
