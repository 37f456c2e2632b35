import { overlook } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Kind, StoredRecord } from "../store.ts";
import { mapDeep, seeded, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const EVERY_KIND: readonly Kind[] = ["financialAccount", "paymentCode", "payout", "webhook", "ussdOtp"];

function withAmounts(record: StoredRecord, change: (money: JsonObject) => JsonObject): StoredRecord {
  const changed = mapDeep(record.data, (value) =>
    isObject(value) && "currency" in value && "value" in value ? change(value) : value,
  );
  return { ...record, data: isObject(changed) ? changed : record.data };
}

const NAMES = [
  "👩🏽‍🌾 Ferme 🌍",
  "مدفوعات المدرسة",
  "שכר לימוד (2025)",
  "e\u0301\u0327 combining \u0061\u030a",
  "学校費用・五月",
  "tab\tnew\nline\u0001\u001f\u007f\u0085 end",
  "\u202Eright to left\u202C\u200B\u2060",
  "<b>bold</b> & 'quoted' \"text\" \\ / --",
  "𝒜stral 𐍈 \u{10FFFF}",
  " spaces around ",
];

function owners(length: number, endsInNull: boolean): JsonObject {
  let owner: JsonObject | null = null;
  for (let level = length; level > 0; level -= 1) {
    const link: JsonObject = { id: `own-${level}`, type: level % 2 === 0 ? "platform" : "merchant" };
    if (level % 3 !== 0) link.metadata = { level: String(level) };
    owner = owner === null && !endsInNull ? link : { ...link, owner };
  }
  return owner === null && !endsInNull ? {} : { owner };
}

function withCurrencies(codes: readonly string[]): (record: StoredRecord, index: number) => StoredRecord {
  return (record, index) => {
    const currency: Json = codes[index % codes.length] ?? "XAF";
    return withAmounts(record, (money) => ({ ...money, currency }));
  };
}

function withValues(values: readonly number[]): (record: StoredRecord, index: number) => StoredRecord {
  return (record, index) =>
    withAmounts(record, (money) => ({ ...money, value: values[index % values.length] ?? 0 }));
}

const THREE_LETTERS: Readonly<Record<string, string>> = {
  CM: "CMR",
  SN: "SEN",
  CI: "CIV",
  NG: "NGA",
  GH: "GHA",
  KE: "KEN",
  RW: "RWA",
  UG: "UGA",
  TN: "TUN",
  KW: "KWT",
  ZA: "ZAF",
  US: "USA",
  FR: "FRA",
  JP: "JPN",
};

const countryCode = "Section 2.11: the code of a country has no format; the filters take alpha-2 codes (4.8)";

function countriesCoded(code: (alpha2: string) => string): Hooks {
  return seeded(["country"], (record) => withFields(record, { code: code(String(record.data.code)) }));
}

export const contentVariants: readonly Variant[] = [
  {
    name: "names-in-every-script",
    description: "Names hold emoji, right-to-left text, combining marks, control characters and markup.",
    why: "Section 2: names are strings, and JSON strings hold any character.",
    hooks: together(
      seeded(EVERY_KIND, (record, index) =>
        typeof record.data.name === "string"
          ? withFields(record, { name: NAMES[index % NAMES.length] })
          : record,
      ),
      seeded(["bank", "momo", "country"], (record, index) =>
        withFields(record, { name: `${NAMES[index % NAMES.length]} ${index}` }),
      ),
      seeded(["ussdOtp"], (record, index) =>
        withFields(record, {
          verificationMessage: index % 2 === 0 ? "é".repeat(255) : "",
          metadata: Object.fromEntries(
            Array.from({ length: 64 }, (_, place) => [`k ${place} ${NAMES[place % 10]}`, "v".repeat(100)]),
          ),
        }),
      ),
    ),
  },
  {
    name: "owners-60-deep",
    description: "Ownership graphs have up to 60 links; some have none, and some end in a null owner.",
    why: "Row 18: the chain may have any depth and ends where owner is absent or null.",
    hooks: seeded(["paymentCode"], (record, index) =>
      withFields(record, { ownershipGraph: owners([60, 0, 1, 7][index % 4] ?? 0, index % 3 === 0) }),
    ),
  },
  {
    name: "old-and-new-currencies",
    description:
      "Money is in currencies that ISO 4217 withdrew, added lately, or keeps for funds and metals.",
    why: "Section 2.3: a currency is an ISO 4217 code; those withdrawn are still listed by the standard.",
    hooks: seeded(
      ["paymentCode", "payout"],
      withCurrencies(["HRK", "SLE", "VED", "ZWL", "CUC", "XAU", "CHE", "USN", "BHD", "CLF", "XXX"]),
    ),
  },
  {
    name: "very-large-amounts",
    description: "Amounts go up to 9007199254740991.",
    why: "Section 2.3: a value is an integer without bounds.",
    hooks: seeded(
      ["paymentCode", "payout", "financialAccount"],
      withValues([9_007_199_254_740_991, 2_147_483_648, 4_294_967_296_000, 1]),
    ),
  },
  {
    name: "negative-and-zero-amounts",
    description: "Some amounts are negative, some zero.",
    why: "Section 2.3: a value is an integer without bounds.",
    hooks: seeded(
      ["paymentCode", "payout", "financialAccount"],
      withValues([-1, 0, -9_007_199_254_740_991, 50]),
    ),
  },
  {
    name: "providers-without-schemes",
    description: "Scheme lists are empty, and no provider is active or can do anything.",
    why: "Section 2.10: schemes is an array, and the flags are booleans.",
    hooks: seeded(["bank", "momo"], (record) =>
      withFields(record, {
        status: { active: false },
        featureSet: {
          payout: { canPayTo: false, schemes: [], metadata: {} },
          payment: { canPayFrom: false, schemes: [], metadata: {} },
          kycVerification: { canVerifyAccount: false, metadata: {} },
        },
      }),
    ),
  },
  {
    name: "webhooks-at-their-limits",
    description: "Webhooks have names of 100 characters, 100 events, three alert addresses and long URLs.",
    why: "Section 2.9 and 8: those are the limits.",
    hooks: seeded(["webhook"], (record, index) =>
      withFields(record, {
        name: (index % 2 === 0 ? "n" : "😀").repeat(100),
        url: `https://hooks.example.com/${"p/".repeat(400)}?q=%20${index}#part`,
        events: Array.from({ length: 100 }, (_, place) => `event.${place}`),
        alertEmails: ["a@example.com", "ü@exämple.com", `${"l".repeat(64)}@example.com`],
        customHeaders: { "X-Empty": "", "x-lower": "é", "X-Long": "v".repeat(2000) },
      }),
    ),
  },
  {
    name: "customary-digits-of-currencies",
    description: "Countries give each currency two digits, as their traders write it.",
    why: "Row 17: that unitLength is the ISO 4217 minor unit is a SHOULD.",
    warns: ["COUNTRY-UNIT-LENGTH"],
    hooks: seeded(["country"], (record) => {
      const { currency } = record.data;
      return withFields(record, { currency: { ...(isObject(currency) ? currency : {}), unitLength: 2 } });
    }),
  },
  {
    name: "country-codes-of-three-letters",
    description: "Countries have alpha-3 codes, banks and momos alpha-2 codes.",
    why: `${countryCode}.`,
    hooks: countriesCoded((code) => THREE_LETTERS[code] ?? code),
  },
  {
    name: "country-codes-in-lower-case",
    description:
      "Countries have lower-case codes; the filter takes them, and banks and momos have the usual ones.",
    why: `${countryCode}; lower-case codes are left open (ruling on row 47).`,
    hooks: {
      ...countriesCoded((code) => code.toLowerCase()),
      ...overlook(["GET /banks", "GET /momos"], { at: "query.country", rule: "enum" }),
      matches: (matches, _ctx, { parameter, value, record }) =>
        parameter === "country" ? record.data.country === value.toUpperCase() : matches,
    },
  },
  {
    name: "phone-numbers-masked",
    description: "Phone numbers are masked in whole or in part, with various signs.",
    why: "Section 2.4: authorizedPhoneNumber may be masked.",
    hooks: seeded(["ussdOtp", "paymentCode"], (record, index) =>
      withFields(record, {
        authorizedPhoneNumber: ["***", "+237 ••• ••• 012", "xxxxxxxx12", "237677000111"][index % 4],
      }),
    ),
  },
];
