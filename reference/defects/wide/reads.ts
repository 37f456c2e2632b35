import { isAt, refuse, SHOWN, type Where } from "../../hook-tools.ts";
import type { Json } from "../../json.ts";
import {
  BANK_SHOWN,
  CODE_READ,
  CODES,
  COUNTRY_SHOWN,
  leaveOut,
  MOMO_SHOWN,
  NEWER,
  OLDER,
  OTPS,
  oneIn,
  REFERENCE,
  showAt,
  WEBHOOKS,
} from "../../read-hook-tools.ts";
import { together } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const version = { row: 91, level: "MUST" } as const;
const PAYOUT_READ: Where = ["GET /payouts/{id}"];
const PROVIDERS: Where = [...BANK_SHOWN, ...MOMO_SHOWN];
const MEMBERS: Where = [...CODES, "GET /momos", "GET /countries"];

/** A time so many milliseconds later. */
function later(value: Json | undefined, milliseconds: number): string {
  return new Date(Date.parse(String(value)) + milliseconds).toISOString();
}

/** Defects of reads and of versions that many operations share (rows 53, 90 and 91). */
export const wideReadDefects: readonly Defect[] = [
  {
    name: "older-version-refused",
    description: "No operation takes caph.2025-06-20 any more.",
    requirement: "VERSION-ACCEPTED",
    row: 90,
    level: "MUST",
    operations: SHOWN,
    hooks: refuse(
      SHOWN,
      "version",
      { at: "header.Service-Version", rule: "enum", message: "this version is no longer served" },
      ({ request }) => request.headers["service-version"] === OLDER,
    ),
  },
  {
    ...version,
    name: "newer-version-shows-less",
    description:
      "Version caph.2025-08-23 no longer shows metadata of sessions and providers, and who pays a payment code.",
    requirement: "VERSION-FIELDS",
    alsoBreaks: ["OTP-EXPECTED"],
    operations: [...OTPS, ...CODE_READ, ...PROVIDERS],
    hooks: together(
      leaveOut(OTPS, "metadata", (_, { ctx }) => ctx.version === NEWER),
      leaveOut(CODE_READ, "customerTarget", (_, { ctx }) => ctx.version === NEWER),
      leaveOut(PROVIDERS, "featureSet/payment/metadata", (_, { ctx }) => ctx.version === NEWER),
    ),
  },
  {
    ...version,
    name: "newer-version-without-webhook-metadata",
    description: "Version caph.2025-08-23 no longer shows the metadata of webhooks in the list.",
    requirement: "VERSION-FIELDS",
    alsoBreaks: ["UPDATE-STORED", "CREATE-ECHO"],
    operations: WEBHOOKS,
    hooks: leaveOut(WEBHOOKS, "metadata", (_, { ctx }) => ctx.version === NEWER),
  },
  {
    ...version,
    name: "newer-version-without-countries-currency",
    description: "Version caph.2025-08-23 no longer shows the currency of countries.",
    requirement: "VERSION-FIELDS",
    alsoBreaks: ["COUNTRY-PRESENT"],
    operations: COUNTRY_SHOWN,
    hooks: leaveOut(COUNTRY_SHOWN, "currency", (_, { ctx }) => ctx.version === NEWER),
  },
  {
    ...version,
    name: "older-version-in-capitals-and-later",
    description:
      "Version caph.2025-06-20 shows names of reference data in capitals, and updateTime of payment codes an hour late.",
    requirement: "VERSION-VALUES",
    operations: [...CODES, ...REFERENCE],
    hooks: together(
      showAt(REFERENCE, "name", (value, { ctx }) =>
        ctx.version === OLDER ? String(value).toUpperCase() : value,
      ),
      showAt(CODES, "updateTime", (value, { ctx }) =>
        ctx.version === OLDER ? later(value, 3_600_000) : value,
      ),
    ),
  },
  {
    ...version,
    name: "older-version-with-webhooks-made-later",
    description: "Version caph.2025-06-20 shows createTime of webhooks in the list an hour late.",
    requirement: "VERSION-VALUES",
    alsoBreaks: ["UPDATE-IDENTITY"],
    operations: WEBHOOKS,
    hooks: showAt(WEBHOOKS, "createTime", (value, { ctx }) =>
      ctx.version === OLDER ? later(value, 3_600_000) : value,
    ),
  },
  {
    ...version,
    name: "older-version-without-what-came-since",
    description: "Version caph.2025-06-20 lists about two records in three: those it was made with.",
    requirement: "VERSION-MEMBERS",
    operations: MEMBERS,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, MEMBERS) && ctx.version === OLDER
          ? records.filter((record) => !oneIn(3, ctx, record))
          : records,
    },
  },
  {
    name: "counted-at-every-read",
    description: "Each read counts as a change: what is shown of counters, references and names moves on.",
    requirement: "READ-STABLE",
    alsoBreaks: ["UPDATE-KEEPS-REST"],
    row: 53,
    level: "MUST",
    operations: [...OTPS, ...CODES, ...CODE_READ, ...PAYOUT_READ, ...REFERENCE],
    hooks: () => {
      let reads = 0;
      return together(
        showAt(OTPS, "verificationMessage", () => `message ${++reads}`),
        showAt(CODES, "updateTime", (value) => later(value, ++reads)),
        showAt(CODE_READ, "progress/totalPaymentCount", () => ++reads),
        showAt(PAYOUT_READ, "destination/transactionReference", () => `PR${++reads}`),
        showAt(REFERENCE, "name", (value) => `${String(value)} (${++reads})`),
      );
    },
  },
  {
    name: "webhook-created-when-read",
    description: "createTime of webhooks in the list moves on with every answer.",
    requirement: "READ-STABLE",
    alsoBreaks: ["UPDATE-IDENTITY"],
    row: 53,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: () => {
      let reads = 0;
      return showAt(WEBHOOKS, "createTime", (value) => later(value, ++reads));
    },
  },
];
