import { isAt, NAMED_ONLY, overlook } from "../hook-tools.ts";
import type { OperationName } from "../operations.ts";
import type { LegacyDefect as Defect } from "./legacy.ts";

const WRITES: readonly OperationName[] = ["POST /webhooks", "POST /v1/financial-accounts"];

/** Defects of authentication and of the separation of spaces (rows 20 to 25, 95). */
export const accessDefects: readonly Defect[] = [
  {
    name: "payout-update-without-token-check",
    description: "Updating a payout accepts any bearer token.",
    requirement: "AUTH-UNKNOWN-TOKEN",
    alsoBreaks: ["AUTH-ALTERED-TOKEN", "AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: ["PATCH /payouts/{id}"],
    hooks: overlook(["PATCH /payouts/{id}"], { stage: "auth", rule: "token" }),
  },
  {
    name: "create-before-authentication",
    description: "Creating calls check the token only after they have created.",
    requirement: "AUTH-NO-EFFECT",
    row: 20,
    level: "MUST",
    operations: WRITES,
    hooks: { late: (late, ctx, stage) => late || (stage === "auth" && isAt(ctx, WRITES)) },
  },
  {
    name: "webhook-update-across-spaces",
    description: "Updating a webhook finds webhooks of every space.",
    requirement: "ISOLATION-WRITES",
    row: 24,
    level: "MUST",
    operations: ["PATCH /webhooks/{id}"],
    hooks: { visible: (visible, ctx) => visible || isAt(ctx, ["PATCH /webhooks/{id}"]) },
  },
  {
    name: "named-only-operations-are-open",
    description: "The operations named by the changelog answer without a token.",
    requirement: "AUTH-MISSING",
    alsoBreaks: [
      "AUTH-UNKNOWN-TOKEN",
      "AUTH-ALTERED-TOKEN",
      "AUTH-EMPTY-TOKEN",
      "AUTH-OTHER-SCHEME",
      "AUTH-BARE-TOKEN",
      "AUTH-NO-EFFECT",
    ],
    row: 20,
    level: "MUST",
    operations: NAMED_ONLY,
    hooks: overlook(NAMED_ONLY, { stage: "auth" }),
  },
];
