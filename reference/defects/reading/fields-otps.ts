import { showField } from "../../hook-tools.ts";
import { isObject } from "../../json.ts";
import { leaveOut, OTPS, oneIn, showAt } from "../../read-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Defects of the fields of USSD OTP sessions (rows 10 to 17). */
export const otpFieldDefects: readonly Defect[] = [
  {
    name: "otp-expire-time-epoch-seconds",
    description: "expireTime of a USSD OTP session is a number of seconds.",
    requirement: "OTP-FIELDS",
    row: 10,
    level: "MUST",
    operations: OTPS,
    hooks: showField(OTPS, "expireTime", (value) =>
      typeof value === "string" ? Math.floor(Date.parse(value) / 1000) : value,
    ),
  },
  {
    name: "otp-verified-with-capital",
    description: 'The status of verified sessions is spelled "Verified".',
    requirement: "OTP-FIELDS",
    row: 10,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "status", (value) => (value === "verified" ? "Verified" : value)),
  },
  {
    name: "otp-create-time-without-zone",
    description: "createTime of one session in twelve has no time zone.",
    requirement: "OTP-FIELDS",
    row: 10,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "createTime", (value, { ctx, record }) =>
      oneIn(12, ctx, record) && typeof value === "string" ? value.replace("Z", "") : value,
    ),
  },
  {
    name: "otp-empty-metadata-as-list",
    description: "Empty metadata of a session is an empty list.",
    requirement: "OTP-FIELDS",
    row: 10,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "metadata", (value) =>
      isObject(value) && Object.keys(value).length === 0 ? [] : value,
    ),
  },
  {
    name: "otp-dial-code-null-when-expired",
    description: "Expired sessions have a dialCode of null.",
    requirement: "OTP-FIELDS",
    row: 10,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "dialCode", (value, { item }) => (item.status === "expired" ? null : value)),
  },
  {
    name: "otp-phone-number-lost-when-masked",
    description: "authorizedPhoneNumber is left out instead of masked.",
    requirement: "OTP-PRESENT",
    row: 11,
    level: "MUST",
    operations: OTPS,
    hooks: leaveOut(OTPS, "authorizedPhoneNumber", (value) => String(value).includes("*")),
  },
  {
    name: "otp-message-left-out-when-null",
    description: "Sessions without a verificationMessage leave it out.",
    requirement: "OTP-EXPECTED",
    row: 12,
    level: "SHOULD",
    operations: OTPS,
    hooks: leaveOut(OTPS, "verificationMessage", (value) => value === null),
  },
  {
    name: "otp-message-of-256-characters",
    description: "A verificationMessage that fills its limit is shown with a full stop more.",
    requirement: "OTP-MESSAGE-LENGTH",
    row: 14,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "verificationMessage", (value) =>
      typeof value === "string" && value.length === 255 ? `${value}.` : value,
    ),
  },
  {
    name: "otp-metadata-of-65-properties",
    description: "The service adds its own to the metadata: one session in fifteen has 65 properties.",
    requirement: "OTP-METADATA-COUNT",
    row: 14,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "metadata", (value, { ctx, record }) => {
      if (!oneIn(15, ctx, record)) return value;
      return Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`trace_${index}`, String(index)]));
    }),
  },
  {
    name: "otp-metadata-number",
    description: "Digits in the metadata of one session in eight are shown as a number.",
    requirement: "OTP-METADATA-VALUES",
    row: 14,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "metadata", (value, { ctx, record }) =>
      oneIn(8, ctx, record) ? { ...(isObject(value) ? value : {}), attempts: 3 } : value,
    ),
  },
  {
    name: "otp-metadata-value-too-long",
    description: "One session in ten has a metadata value of 101 characters.",
    requirement: "OTP-METADATA-VALUES",
    row: 14,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "metadata", (value, { ctx, record }) =>
      oneIn(10, ctx, record) ? { ...(isObject(value) ? value : {}), agent: "a".repeat(101) } : value,
    ),
  },
  {
    name: "otp-expires-before-it-is-created",
    description: "expireTime of sessions that are over is an hour too early.",
    requirement: "OTP-TIMES-ORDERED",
    row: 17,
    level: "SHOULD",
    operations: OTPS,
    hooks: showAt(OTPS, "expireTime", (value, { item }) =>
      typeof value === "string" && item.status !== "pending"
        ? new Date(Date.parse(value) - 3_600_000).toISOString()
        : value,
    ),
  },
];
