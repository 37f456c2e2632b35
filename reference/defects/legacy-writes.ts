import { isAt, moveLimit, storeOtherwise } from "../hook-tools.ts";
import { compact, isObject } from "../json.ts";
import type { LegacyDefect as Defect } from "./legacy.ts";

/** Defects of creating and updating (rows 60 to 70, 80 to 85). */
export const writeDefects: readonly Defect[] = [
  {
    name: "webhook-name-limit-off-by-one",
    alsoBreaks: ["WEBHOOK-FIELDS"],
    description: "A webhook may be created with a name of 101 characters.",
    requirement: "CREATE-TOO-LONG",
    row: 61,
    level: "MUST",
    operations: ["POST /webhooks"],
    hooks: moveLimit(["POST /webhooks"], { at: "body.name", rule: "maxLength" }, (limit) => limit + 1),
  },
  {
    name: "account-name-trimmed",
    description: "A new financial account's name loses spaces around it.",
    requirement: "CREATE-ECHO",
    row: 62,
    level: "MUST",
    operations: ["POST /v1/financial-accounts"],
    hooks: {
      made: (record, ctx) => {
        const { name } = record.data;
        const trim = isAt(ctx, ["POST /v1/financial-accounts"]) && typeof name === "string";
        return trim ? { ...record, data: { ...record.data, name: name.trim() } } : record;
      },
    },
  },
  {
    name: "payment-code-update-not-stored",
    description: "The answer to an update shows the new name, the next read the old one.",
    requirement: "UPDATE-STORED",
    row: 80,
    level: "MUST",
    operations: ["PATCH /payment-codes/{id}"],
    hooks: storeOtherwise(["PATCH /payment-codes/{id}"], (record, _ctx, previous) => ({
      ...record,
      data: compact({ ...record.data, name: previous?.data.name }),
    })),
  },
  {
    name: "webhook-update-resets-unsent",
    description: "An update of a webhook sets isActive to false when it is not sent.",
    requirement: "UPDATE-KEEPS",
    row: 81,
    level: "MUST",
    operations: ["PATCH /webhooks/{id}"],
    hooks: {
      changes: (changes, ctx) =>
        isAt(ctx, ["PATCH /webhooks/{id}"]) && changes.isActive === undefined
          ? { ...changes, isActive: false }
          : changes,
    },
  },
  {
    name: "rejected-payout-update-applied",
    description: "A payout update that is refused for its metadata empties the metadata all the same.",
    requirement: "UPDATE-NO-EFFECT",
    row: 82,
    level: "MUST",
    operations: ["PATCH /payouts/{id}"],
    hooks: {
      late: (late, ctx, stage) => late || (stage === "body" && isAt(ctx, ["PATCH /payouts/{id}"])),
      changes: (changes, ctx) =>
        isAt(ctx, ["PATCH /payouts/{id}"]) && changes.metadata !== undefined && !isObject(changes.metadata)
          ? { ...changes, metadata: {} }
          : changes,
    },
  },
];
