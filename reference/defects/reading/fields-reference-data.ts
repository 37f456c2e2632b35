import { isAt, withData } from "../../hook-tools.ts";
import { isObject } from "../../json.ts";
import { BANK_SHOWN, COUNTRY_SHOWN, leaveOut, MOMO_SHOWN, oneIn, showAt } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const PROVIDER_SHOWN = [...BANK_SHOWN, ...MOMO_SHOWN];

function payoutSchemes({ data: { featureSet } }: StoredRecord): number {
  if (!isObject(featureSet) || !isObject(featureSet.payout)) return 0;
  return Array.isArray(featureSet.payout.schemes) ? featureSet.payout.schemes.length : 0;
}

/** The providers, each country's first one with another code. */
function withFirstCodes(
  providers: readonly StoredRecord[],
  codeFor: (country: string) => string,
): readonly StoredRecord[] {
  const seen = new Set<string>();
  return providers.map((record) => {
    const country = String(record.data.country);
    const isFirst = !seen.has(country);
    seen.add(country);
    return isFirst ? withData(record, { code: codeFor(country.toLowerCase()) }) : record;
  });
}

/** Defects of the fields of banks, momos and countries (rows 10 to 17). */
export const referenceDataDefects: readonly Defect[] = [
  {
    name: "inactive-bank-update-time-null",
    description: "Banks that are not active have an updateTime of null.",
    requirement: "PROVIDER-FIELDS",
    row: 10,
    level: "MUST",
    operations: BANK_SHOWN,
    hooks: showAt(BANK_SHOWN, "updateTime", (value, { record }) =>
      JSON.stringify(record.data.status).includes("false") ? null : value,
    ),
  },
  {
    name: "momo-country-in-lower-case",
    description: "A single mobile-money provider has its country in lower case.",
    requirement: "PROVIDER-FIELDS",
    alsoBreaks: ["READ-MATCHES-LIST"],
    row: 10,
    level: "MUST",
    operations: ["GET /momos/{idOrCode}"],
    hooks: showAt(["GET /momos/{idOrCode}"], "country", (value) => String(value).toLowerCase()),
  },
  {
    name: "bank-can-pay-to-as-text",
    description: "canPayTo of a bank is a text.",
    requirement: "PROVIDER-FIELDS",
    row: 10,
    level: "MUST",
    operations: BANK_SHOWN,
    hooks: showAt(BANK_SHOWN, "featureSet/payout/canPayTo", (value) => String(value)),
  },
  {
    name: "momo-create-time-with-short-offset",
    description: "createTime of a mobile-money provider ends in +00, without the minutes of the offset.",
    requirement: "PROVIDER-FIELDS",
    row: 10,
    level: "MUST",
    operations: MOMO_SHOWN,
    hooks: showAt(MOMO_SHOWN, "createTime", (value) => String(value).replace("Z", "+00")),
  },
  {
    name: "country-unit-length-as-text",
    description: "unitLength of a country's currency is a text.",
    requirement: "COUNTRY-FIELDS",
    row: 10,
    level: "MUST",
    operations: COUNTRY_SHOWN,
    hooks: showAt(COUNTRY_SHOWN, "currency/unitLength", (value) => String(value)),
  },
  {
    name: "country-supported-currencies-in-lower-case",
    description: "The supported currencies of a country, but for the first, are in lower case.",
    requirement: "COUNTRY-FIELDS",
    row: 10,
    level: "MUST",
    operations: COUNTRY_SHOWN,
    hooks: showAt(COUNTRY_SHOWN, "supportedCurrencies", (value) =>
      Array.isArray(value)
        ? value.map((code, index) => (index === 0 ? code : String(code).toLowerCase()))
        : value,
    ),
  },
  {
    name: "country-unit-null-without-digits",
    description: "Countries whose currency has no minor unit have a unit of null.",
    requirement: "COUNTRY-FIELDS",
    row: 10,
    level: "MUST",
    operations: COUNTRY_SHOWN,
    hooks: showAt(COUNTRY_SHOWN, "currency/unit", (value, { record }) =>
      JSON.stringify(record.data.currency).includes('"unitLength":0') ? null : value,
    ),
  },
  {
    name: "provider-flag-left-out-when-false",
    description: "Banks and momos whose accounts cannot be verified leave canVerifyAccount out.",
    requirement: "PROVIDER-PRESENT",
    row: 11,
    level: "MUST",
    operations: PROVIDER_SHOWN,
    hooks: leaveOut(
      PROVIDER_SHOWN,
      "featureSet/kycVerification/canVerifyAccount",
      (value) => value === false,
    ),
  },
  {
    name: "inactive-bank-with-empty-status",
    description: "Banks that are not active have an empty status.",
    requirement: "PROVIDER-PRESENT",
    row: 11,
    level: "MUST",
    operations: BANK_SHOWN,
    hooks: leaveOut(BANK_SHOWN, "status/active", (value) => value === false),
  },
  {
    name: "country-unit-length-left-out-when-zero",
    description: "Countries whose currency has no decimal digits leave unitLength out.",
    requirement: "COUNTRY-PRESENT",
    alsoBreaks: ["COUNTRY-UNIT-LENGTH"],
    row: 11,
    level: "MUST",
    operations: COUNTRY_SHOWN,
    hooks: leaveOut(COUNTRY_SHOWN, "currency/unitLength", (value) => value === 0),
  },
  {
    name: "country-without-only-currency",
    description: "Countries that support one currency leave supportedCurrencies out.",
    requirement: "COUNTRY-PRESENT",
    row: 11,
    level: "MUST",
    operations: COUNTRY_SHOWN,
    hooks: leaveOut(
      COUNTRY_SHOWN,
      "supportedCurrencies",
      (value) => Array.isArray(value) && value.length === 1,
    ),
  },
  {
    name: "bank-schemes-left-out-when-empty",
    description: "Banks without payment schemes leave the list of them out.",
    requirement: "PROVIDER-EXPECTED",
    row: 12,
    level: "SHOULD",
    operations: BANK_SHOWN,
    hooks: leaveOut(
      BANK_SHOWN,
      "featureSet/payment/schemes",
      (value) => Array.isArray(value) && value.length === 0,
    ),
  },
  {
    name: "bank-listed-once-for-each-scheme",
    description: "Banks with two payout schemes are in the list twice.",
    requirement: "LIST-IDS-UNIQUE",
    row: 16,
    level: "MUST",
    operations: ["GET /banks"],
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, ["GET /banks"])
          ? records.flatMap((record) => (payoutSchemes(record) > 1 ? [record, record] : [record]))
          : records,
    },
  },
  {
    name: "country-listed-once-for-each-currency",
    description: "Countries are in the list once for each currency they support.",
    requirement: "LIST-IDS-UNIQUE",
    row: 16,
    level: "MUST",
    operations: ["GET /countries"],
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, ["GET /countries"])
          ? records.flatMap((record) =>
              Array.isArray(record.data.supportedCurrencies)
                ? record.data.supportedCurrencies.map(() => record)
                : [record],
            )
          : records,
    },
  },
  {
    name: "provider-codes-unique-per-kind-only",
    description: "The first bank and the first momo of a country have the same code.",
    requirement: "PROVIDER-CODES-UNIQUE",
    row: 16,
    level: "MUST",
    operations: ["GET /banks", "GET /momos"],
    hooks: {
      seed: (data) => ({
        ...data,
        bank: withFirstCodes(data.bank ?? [], (country) => `${country}_001`),
        momo: withFirstCodes(data.momo ?? [], (country) => `${country}_001`),
      }),
    },
  },
  {
    name: "bank-codes-unique-per-country-only",
    description: "Each country's first bank has the code bank_001.",
    requirement: "PROVIDER-CODES-UNIQUE",
    alsoBreaks: ["READ-MATCHES-LIST"],
    row: 16,
    level: "MUST",
    operations: ["GET /banks"],
    hooks: {
      seed: (data) => ({ ...data, bank: withFirstCodes(data.bank ?? [], () => "bank_001") }),
    },
  },
  {
    name: "bank-updated-before-created",
    description: "createTime of one bank in four is that of a later move of the data.",
    requirement: "TIMES-ORDERED",
    row: 17,
    level: "SHOULD",
    operations: BANK_SHOWN,
    hooks: showAt(BANK_SHOWN, "createTime", (value, { ctx, record }) =>
      oneIn(4, ctx, record) ? "2025-11-30T00:00:00.000Z" : value,
    ),
  },
  {
    name: "every-unit-length-two",
    description: "Every country's currency has two decimal digits.",
    requirement: "COUNTRY-UNIT-LENGTH",
    row: 17,
    level: "SHOULD",
    operations: COUNTRY_SHOWN,
    hooks: showAt(COUNTRY_SHOWN, "currency/unitLength", () => 2),
  },
  {
    name: "three-digit-units-cut-to-two",
    description: "Currencies with three decimal digits are said to have two.",
    requirement: "COUNTRY-UNIT-LENGTH",
    row: 17,
    level: "SHOULD",
    operations: COUNTRY_SHOWN,
    hooks: showAt(COUNTRY_SHOWN, "currency/unitLength", (value) => (value === 3 ? 2 : value)),
  },
];
