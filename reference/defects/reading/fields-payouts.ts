import { isObject } from "../../json.ts";
import { leaveOut, PAYOUT_SHOWN, showAt } from "../../read-hook-tools.ts";
import { PAYOUT_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Defects of the fields of payouts (rows 10 to 12). */
export const payoutFieldDefects: readonly Defect[] = [
  {
    name: "payout-delayed-reason-null",
    description: "A payout that is not delayed has a delayedReason of null.",
    requirement: "PAYOUT-FIELDS",
    row: 10,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: showAt(PAYOUT_SHOWN, "delayedReason", (value) => value ?? null),
  },
  {
    name: "payout-empty-metadata-as-list",
    description: "Empty metadata of a payout or of its charges is an empty list.",
    requirement: "PAYOUT-FIELDS",
    alsoBreaks: ["UPDATE-ECHO", "UPDATE-STORED"],
    row: 10,
    level: "MUST",
    operations: PAYOUT_SHOWN,
    hooks: {
      item: (item, ctx) => {
        if (ctx.operation === "" || !PAYOUT_SHOWN.includes(ctx.operation)) return item;
        const emptied = JSON.stringify(item).replaceAll('"metadata":{}', '"metadata":[]');
        return JSON.parse(emptied) as typeof item;
      },
    },
  },
  {
    name: "payout-account-id-as-number",
    description: "accountId of a payout's destination is a number.",
    requirement: "PAYOUT-FIELDS",
    row: 10,
    level: "MUST",
    operations: PAYOUT_SHOWN,
    hooks: showAt(PAYOUT_SHOWN, "destination/accountId", (value) => Number(value)),
  },
  {
    name: "payout-charge-in-major-units",
    description: "The amounts of a payout's charges have decimals.",
    requirement: "MONEY-FIELDS",
    row: 10,
    level: "MUST",
    operations: PAYOUT_SHOWN,
    hooks: showAt(PAYOUT_SHOWN, "charges/*/amount/value", (value) => Number(value) / 100),
  },
  {
    name: "payout-source-lost-while-processing",
    alsoBreaks: ["UPDATE-KEEPS-REST"],
    description: "The answer to an update of a payout that is being processed has no source.",
    requirement: "PAYOUT-PRESENT",
    row: 11,
    level: "MUST",
    operations: PAYOUT_UPDATE,
    hooks: leaveOut(PAYOUT_UPDATE, "source", (_, { item }) => item.status === "processing"),
  },
  {
    name: "payout-charge-without-currency",
    description: "The last of several charges of a payout has an amount without a currency.",
    requirement: "MONEY-PRESENT",
    row: 11,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: showAt(PAYOUT_SHOWN, "charges", (value) => {
      const last = Array.isArray(value) && value.length > 1 ? value.at(-1) : undefined;
      if (!Array.isArray(value) || !isObject(last) || !isObject(last.amount)) return value;
      return [...value.slice(0, -1), { ...last, amount: { value: last.amount.value ?? 0 } }];
    }),
  },
  {
    name: "payout-update-without-charges",
    description: "The answer to an update of a payout leaves the charges out.",
    requirement: "PAYOUT-EXPECTED",
    alsoBreaks: ["UPDATE-KEEPS", "UPDATE-KEEPS-REST"],
    row: 12,
    level: "SHOULD",
    operations: PAYOUT_UPDATE,
    hooks: leaveOut(PAYOUT_UPDATE, "charges"),
  },
  {
    name: "pending-payout-without-charges",
    description: "A payout shows its charges only once it is no longer pending.",
    requirement: "PAYOUT-EXPECTED",
    row: 12,
    level: "SHOULD",
    operations: ["GET /payouts/{id}"],
    hooks: leaveOut(PAYOUT_SHOWN, "charges", (_, { item }) => item.status === "pending"),
  },
];
