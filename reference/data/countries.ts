import type { JsonObject } from "../json.ts";
import type { Random } from "../random.ts";
import type { StoredRecord } from "../store.ts";
import { dateTime } from "./clock.ts";

interface CountryFacts {
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly unit: string;
  readonly unitLength: number;
  readonly others?: readonly string[];
  readonly banks: readonly string[];
  readonly momos: readonly string[];
}

/** The currencies have 0, 2 or 3 decimal places. */
const COUNTRIES: readonly CountryFacts[] = [
  {
    code: "CM",
    name: "Cameroon",
    currency: "XAF",
    unit: "franc",
    unitLength: 0,
    others: ["EUR", "USD"],
    banks: ["Afriland First Bank", "Ecobank Cameroun", "UBA Cameroun", "BICEC"],
    momos: ["MTN Mobile Money", "Orange Money", "Express Union Mobile"],
  },
  {
    code: "SN",
    name: "Senegal",
    currency: "XOF",
    unit: "franc",
    unitLength: 0,
    others: ["EUR"],
    banks: ["CBAO", "Ecobank Sénégal", "Banque Atlantique"],
    momos: ["Orange Money", "Wave", "Free Money"],
  },
  {
    code: "CI",
    name: "Côte d’Ivoire",
    currency: "XOF",
    unit: "franc",
    unitLength: 0,
    banks: ["NSIA Banque", "SIB", "Ecobank Côte d’Ivoire"],
    momos: ["MTN MoMo", "Moov Money", "Orange Money", "Wave"],
  },
  {
    code: "NG",
    name: "Nigeria",
    currency: "NGN",
    unit: "kobo",
    unitLength: 2,
    others: ["USD", "GBP"],
    banks: ["Access Bank", "GTBank", "Zenith Bank", "First Bank", "UBA", "Fidelity Bank"],
    momos: ["OPay", "PalmPay", "MoMo PSB"],
  },
  {
    code: "GH",
    name: "Ghana",
    currency: "GHS",
    unit: "pesewa",
    unitLength: 2,
    others: ["USD"],
    banks: ["GCB Bank", "Ecobank Ghana", "Absa Ghana"],
    momos: ["MTN MoMo", "Telecel Cash", "AT Money"],
  },
  {
    code: "KE",
    name: "Kenya",
    currency: "KES",
    unit: "cent",
    unitLength: 2,
    banks: ["KCB", "Equity Bank", "Co-operative Bank"],
    momos: ["M-Pesa", "Airtel Money", "T-Kash"],
  },
  {
    code: "RW",
    name: "Rwanda",
    currency: "RWF",
    unit: "franc",
    unitLength: 0,
    banks: ["Bank of Kigali", "I&M Bank", "Equity Bank Rwanda"],
    momos: ["MTN MoMo", "Airtel Money"],
  },
  {
    code: "UG",
    name: "Uganda",
    currency: "UGX",
    unit: "shilling",
    unitLength: 0,
    banks: ["Stanbic Uganda", "Centenary Bank", "dfcu Bank"],
    momos: ["MTN MoMo", "Airtel Money", "M-Sente"],
  },
  {
    code: "TN",
    name: "Tunisia",
    currency: "TND",
    unit: "millime",
    unitLength: 3,
    others: ["EUR"],
    banks: ["BIAT", "Amen Bank", "Attijari Bank"],
    momos: ["D17"],
  },
  { code: "KW", name: "Kuwait", currency: "KWD", unit: "fils", unitLength: 3, banks: ["NBK"], momos: [] },
  {
    code: "ZA",
    name: "South Africa",
    currency: "ZAR",
    unit: "cent",
    unitLength: 2,
    banks: ["FNB", "Nedbank", "Capitec"],
    momos: [],
  },
  {
    code: "US",
    name: "United States",
    currency: "USD",
    unit: "cent",
    unitLength: 2,
    banks: [],
    momos: [],
  },
  {
    code: "FR",
    name: "France",
    currency: "EUR",
    unit: "cent",
    unitLength: 2,
    banks: ["BNP Paribas"],
    momos: [],
  },
  { code: "JP", name: "Japan", currency: "JPY", unit: "yen", unitLength: 0, banks: [], momos: [] },
];

const ADDED = Date.parse("2024-08-01T09:00:00Z");

function idPart(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "");
}

export function countries(): StoredRecord[] {
  return COUNTRIES.map(({ code, name, currency, unit, unitLength, others = [] }) => ({
    kind: "country",
    id: `ctr_${idPart(name)}`,
    space: "",
    writtenAt: ADDED,
    data: {
      code,
      name,
      currency: { code: currency, unit, unitLength },
      supportedCurrencies: [currency, ...others],
    },
  }));
}

function featureSet(random: Random, kind: "bank" | "momo", index: number): JsonObject {
  const schemes: [string, ...string[]] =
    kind === "bank" ? ["instant", "rtgs", "batch"] : ["push", "ussd", "qr"];
  const [first] = schemes;
  return {
    payout: {
      canPayTo: index % 4 !== 3,
      schemes: [first, random.pick(schemes)].slice(0, 1 + (index % 2)),
      metadata: {},
    },
    payment: {
      canPayFrom: kind === "momo" || index % 3 === 0,
      schemes: kind === "momo" ? [first] : [],
      metadata: { settlement: index % 2 === 0 ? "T+1" : "T+0" },
    },
    kycVerification: { canVerifyAccount: index % 2 === 0, metadata: {} },
  };
}

export function providers(random: Random, kind: "bank" | "momo"): StoredRecord[] {
  return COUNTRIES.flatMap((country) =>
    country[kind === "bank" ? "banks" : "momos"].map((name, index) => {
      const created = ADDED + random.integer(0, 300) * 86_400_000;
      return {
        kind,
        id: `${kind === "bank" ? "bnk" : "mmo"}_${random.token(16)}`,
        space: "",
        writtenAt: created,
        data: {
          code: `${country.code.toLowerCase()}_${kind === "bank" ? "b" : "m"}_${idPart(name)}`,
          name,
          country: country.code,
          status: { active: index !== 3 },
          featureSet: featureSet(random, kind, index),
          createTime: dateTime(created),
          updateTime: dateTime(created + random.integer(0, 60) * 86_400_000),
        },
      };
    }),
  );
}
