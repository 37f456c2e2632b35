import { showField } from "../hook-tools.ts";
import type { Defect } from "./defect.ts";

/** Defects of the fields that resources are shown with (rows 10 to 18). */
export const resourceDefects: readonly Defect[] = [
  {
    name: "otp-expire-time-epoch-seconds",
    description: "expireTime of a USSD OTP session is a number of seconds.",
    requirement: "OTP-FIELDS",
    row: 10,
    level: "MUST",
    operations: ["GET /v1/ussd-otps"],
    hooks: showField(["GET /v1/ussd-otps"], "expireTime", (value) =>
      typeof value === "string" ? Math.floor(Date.parse(value) / 1000) : value,
    ),
  },
  {
    name: "account-balance-in-other-currency",
    description: "The balance of a new financial account is always in XAF.",
    requirement: "ACCOUNT-ONE-CURRENCY",
    row: 15,
    level: "MUST",
    operations: ["POST /v1/financial-accounts"],
    hooks: showField(["POST /v1/financial-accounts"], "balance", (_, item) => ({
      available: { currency: item.currency === "XAF" ? "EUR" : "XAF", value: 0 },
    })),
  },
];
