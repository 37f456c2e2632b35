import { isAt, refuse, showEnvelope, type Where } from "../../hook-tools.ts";
import { leaveOut, MOMO_SHOWN, oneIn, showAt } from "../../read-hook-tools.ts";
import { PAYOUT_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const PAYOUT_READ: Where = ["GET /payouts/{id}"];
const PROVIDER_LISTS: Where = ["GET /banks", "GET /momos"];

/** Defects at one operation of what others break elsewhere: momos like banks, payouts read like updated. */
export const elsewhereDefects: readonly Defect[] = [
  {
    name: "momo-updated-before-created",
    description: "createTime of one momo in four is that of a later move of the data.",
    requirement: "TIMES-ORDERED",
    row: 17,
    level: "SHOULD",
    operations: MOMO_SHOWN,
    hooks: showAt(MOMO_SHOWN, "createTime", (value, { ctx, record }) =>
      oneIn(4, ctx, record) ? "2025-11-30T00:00:00.000Z" : value,
    ),
  },
  {
    name: "momo-schemes-left-out",
    description: "Momos with one payment scheme only leave the list of them out.",
    requirement: "PROVIDER-EXPECTED",
    row: 12,
    level: "SHOULD",
    operations: MOMO_SHOWN,
    hooks: leaveOut(
      MOMO_SHOWN,
      "featureSet/payment/schemes",
      (value) => Array.isArray(value) && value.length < 2,
    ),
  },
  {
    name: "payout-update-amount-without-currency",
    description: "The answer to an update of a payout shows charges without a currency.",
    requirement: "MONEY-PRESENT",
    alsoBreaks: ["UPDATE-KEEPS-REST"],
    row: 11,
    level: "MUST",
    operations: PAYOUT_UPDATE,
    hooks: leaveOut(PAYOUT_UPDATE, "charges/*/amount/currency"),
  },
  {
    name: "payout-read-without-source",
    description: "A payout that is read has no source.",
    requirement: "PAYOUT-PRESENT",
    alsoBreaks: ["UPDATE-KEEPS-REST"],
    row: 11,
    level: "MUST",
    operations: PAYOUT_READ,
    hooks: leaveOut(PAYOUT_READ, "source"),
  },
  {
    name: "pending-payout-not-found",
    description: "Payouts that are pending cannot be read.",
    requirement: "READ-ACCEPTED",
    row: 50,
    level: "MUST",
    operations: PAYOUT_READ,
    hooks: {
      found: (record, ctx) =>
        isAt(ctx, PAYOUT_READ) && record?.data.status === "pending" ? undefined : record,
    },
  },
  {
    name: "payout-update-of-one-entry-only",
    description: "Metadata of a payout with more than one entry is refused.",
    requirement: "UPDATE-ACCEPTED",
    row: 80,
    level: "MUST",
    operations: PAYOUT_UPDATE,
    hooks: refuse(
      PAYOUT_UPDATE,
      "body",
      { at: "body.metadata", rule: "maxProperties", message: "metadata has more than one entry" },
      ({ body: { metadata } }) =>
        typeof metadata === "object" && metadata !== null && Object.keys(metadata).length > 1,
    ),
  },
  {
    name: "momos-of-the-currency-zone",
    description: "The momos of a country that shares its currency are listed together with the others'.",
    requirement: "FILTER-SOUND",
    row: 45,
    level: "MUST",
    operations: ["GET /momos"],
    hooks: {
      matches: (matches, ctx, { value, record: { data } }) =>
        matches ||
        (isAt(ctx, ["GET /momos"]) &&
          ["SN", "CI"].includes(value) &&
          ["SN", "CI"].includes(String(data.country))),
    },
  },
  {
    name: "providers-of-countries-in-small-letters",
    description: "The lists of banks and momos take a country in small letters only.",
    requirement: "PARAMETER-ACCEPTED",
    alsoBreaks: ["FILTER-NOTHING-FOUND", "VERSION-ACCEPTED"],
    row: 47,
    level: "MUST",
    operations: PROVIDER_LISTS,
    hooks: refuse(
      PROVIDER_LISTS,
      "query",
      { at: "query.country", rule: "pattern", message: "country is not in small letters" },
      ({ query }) => /[A-Z]/.test(query.get("country")?.[0] ?? ""),
    ),
  },
  {
    name: "transaction-list-without-success",
    description: "The list of financial transactions is answered without success.",
    requirement: "NAMED-ENVELOPE",
    row: 95,
    level: "MUST",
    operations: ["GET /v1/financial-transactions"],
    hooks: showEnvelope(["GET /v1/financial-transactions"], ({ success: _, ...body }) => body),
  },
  {
    name: "provider-kyc-with-null-pagination",
    description: "A provider's KYC record is answered beside a pagination of null.",
    requirement: "NAMED-LIST",
    row: 95,
    level: "MUST",
    operations: ["GET /v1/provider-kyc/{providerId}"],
    hooks: showEnvelope(["GET /v1/provider-kyc/{providerId}"], (body) => ({ ...body, pagination: null })),
  },
];
