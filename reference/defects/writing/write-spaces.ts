import { isAt, overlook, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { Rejected, rejectionOf } from "../../problems.ts";
import {
  ACCOUNT,
  CODE_UPDATE,
  overlookWhen,
  PAYOUT_UPDATE,
  together,
  WEBHOOK_UPDATE,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const space = { row: 22, level: "MUST" } as const;
const isolation = { row: 24, level: "MUST" } as const;
const SPACE = "header.Service-Space-Id";

/** Acts on the first space where the named one does not exist. */
function firstSpaceInstead(where: Where): Hooks {
  return {
    effectiveSpace: (named, ctx) => {
      const [first = named] = [...ctx.service.spaces];
      return isAt(ctx, where) && !ctx.service.spaces.has(named) ? first : named;
    },
  };
}

/** Defects of the space header and of the separation of spaces on creates and updates (rows 22 to 25). */
export const writeSpaceDefects: readonly Defect[] = [
  {
    ...space,
    name: "webhook-update-without-space",
    description: "A webhook is updated without a space header.",
    requirement: "SPACE-MISSING",
    operations: WEBHOOK_UPDATE,
    hooks: overlook(WEBHOOK_UPDATE, { at: SPACE, rule: "required" }),
  },
  {
    ...space,
    name: "code-update-with-empty-space",
    description: "A payment code is updated with an empty space header.",
    requirement: "SPACE-MISSING",
    operations: CODE_UPDATE,
    hooks: overlookWhen(CODE_UPDATE, { at: SPACE, rule: "required" }, ({ request }) => {
      return request.headers["service-space-id"] === "";
    }),
  },
  {
    ...space,
    name: "payout-update-with-space-of-any-form",
    description:
      "A space that does not start with spc- is not refused when a payout is updated, but ignored.",
    requirement: "SPACE-PATTERN",
    operations: PAYOUT_UPDATE,
    hooks: overlook(PAYOUT_UPDATE, { at: SPACE, rule: "pattern" }),
  },
  {
    ...space,
    name: "account-space-of-any-length",
    description: "A space header that is too long is ignored when a financial account is created.",
    requirement: "SPACE-LENGTH",
    operations: ACCOUNT,
    hooks: overlook(ACCOUNT, { at: SPACE, rule: "maxLength" }),
  },
  {
    ...isolation,
    name: "payout-update-in-unknown-space",
    description: "A payout is updated when the named space does not exist.",
    requirement: "ISOLATION-UNKNOWN-SPACE",
    alsoBreaks: ["SPACE-UNKNOWN"],
    operations: PAYOUT_UPDATE,
    hooks: together(overlook(PAYOUT_UPDATE, { at: SPACE, rule: "known" }), firstSpaceInstead(PAYOUT_UPDATE)),
  },
  {
    ...isolation,
    name: "webhook-updated-from-unknown-space-unseen",
    description:
      "A webhook update that names a space that does not exist is refused after it was carried out.",
    requirement: "ISOLATION-UNKNOWN-SPACE",
    operations: WEBHOOK_UPDATE,
    hooks: together(
      { late: (late, ctx, stage) => late || (stage === "space" && isAt(ctx, WEBHOOK_UPDATE)) },
      firstSpaceInstead(WEBHOOK_UPDATE),
    ),
  },
  {
    ...isolation,
    name: "payout-update-across-spaces",
    description: "A payout is updated from another space.",
    requirement: "ISOLATION-WRITES",
    operations: PAYOUT_UPDATE,
    hooks: { visible: (visible, ctx) => visible || isAt(ctx, PAYOUT_UPDATE) },
  },
  {
    ...isolation,
    name: "code-update-across-spaces-unseen",
    description: "A payment code update from another space is refused after it was carried out.",
    requirement: "ISOLATION-WRITES",
    operations: CODE_UPDATE,
    hooks: {
      visible: (visible, ctx) => visible || isAt(ctx, CODE_UPDATE),
      written: (ctx, record) => {
        if (!isAt(ctx, CODE_UPDATE) || record.space === ctx.space) return;
        throw new Rejected(
          rejectionOf("find", [{ at: "path.id", rule: "known", message: "there is no such paymentCode" }]),
        );
      },
    },
  },
  {
    name: "account-made-in-unknown-space",
    description: "A financial account is created in a space that does not exist.",
    requirement: "SPACE-UNKNOWN",
    row: 25,
    level: "SHOULD",
    operations: ACCOUNT,
    hooks: overlook(ACCOUNT, { at: SPACE, rule: "known" }),
  },
];
