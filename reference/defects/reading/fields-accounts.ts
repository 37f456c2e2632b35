import { showField } from "../../hook-tools.ts";
import { leaveOut, showAt } from "../../read-hook-tools.ts";
import { ACCOUNT } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Defects of the fields of financial accounts (rows 10 to 17). */
export const accountFieldDefects: readonly Defect[] = [
  {
    name: "account-update-time-null",
    description: "A new financial account has an updateTime of null, as it was never updated.",
    requirement: "ACCOUNT-FIELDS",
    row: 10,
    level: "MUST",
    operations: ACCOUNT,
    hooks: showAt(ACCOUNT, "updateTime", () => null),
  },
  {
    name: "account-number-as-number",
    description: "uvan of a financial account is a number.",
    requirement: "ACCOUNT-FIELDS",
    row: 10,
    level: "MUST",
    operations: ACCOUNT,
    hooks: showAt(ACCOUNT, "uvan", (value) => Number(value)),
  },
  {
    name: "account-balance-as-text",
    description: 'The balance of a new financial account has the value "0".',
    requirement: "MONEY-FIELDS",
    row: 10,
    level: "MUST",
    operations: ACCOUNT,
    hooks: showAt(ACCOUNT, "balance/available/value", (value) => String(value)),
  },
  {
    name: "account-without-available-balance",
    description: "The balance of a new financial account is empty.",
    requirement: "ACCOUNT-PRESENT",
    row: 11,
    level: "MUST",
    operations: ACCOUNT,
    hooks: leaveOut(ACCOUNT, "balance/available"),
  },
  {
    name: "account-balance-without-currency",
    description: "The available balance of a new financial account has a value only.",
    requirement: "MONEY-PRESENT",
    alsoBreaks: ["ACCOUNT-ONE-CURRENCY"],
    row: 11,
    level: "MUST",
    operations: ACCOUNT,
    hooks: leaveOut(ACCOUNT, "balance/available/currency"),
  },
  {
    name: "account-reference-left-out-when-not-sent",
    description: "A financial account created without a reference shows none, instead of null.",
    requirement: "ACCOUNT-EXPECTED",
    row: 12,
    level: "SHOULD",
    operations: ACCOUNT,
    hooks: leaveOut(ACCOUNT, "reference", (value, { ctx }) => value === null && !("reference" in ctx.body)),
  },
  {
    name: "account-balance-in-other-currency",
    description: "The balance of a new financial account is always in XAF.",
    requirement: "ACCOUNT-ONE-CURRENCY",
    row: 15,
    level: "MUST",
    operations: ACCOUNT,
    hooks: showField(ACCOUNT, "balance", (_, item) => ({
      available: { currency: item.currency === "XAF" ? "EUR" : "XAF", value: 0 },
    })),
  },
  {
    name: "account-updated-before-created",
    description: "updateTime of a new financial account is cut to whole seconds, createTime is not.",
    requirement: "TIMES-ORDERED",
    row: 17,
    level: "SHOULD",
    operations: ACCOUNT,
    hooks: showAt(ACCOUNT, "updateTime", (value) => String(value).replace(/\.\d+Z$/, "Z")),
  },
];
