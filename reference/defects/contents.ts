import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json } from "../json.ts";
import { ALWAYS, tabled } from "../operators/operator.ts";
import { CODE_READ, CODES, COUNTRY_SHOWN, showAt } from "../read-hook-tools.ts";
import { together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const HOUR = 3_600_000;

const START = Date.now();

function expiring(status: string, milliseconds: number): (where: Where) => Hooks {
  const time = new Date(START + milliseconds).toISOString();
  return (where) => showAt(where, "expireTime", (value, { item }) => (item.status === status ? time : value));
}

export const contentDefects: readonly Defect[] = [
  ...tabled(["GET /v1/ussd-otps"], ALWAYS, {
    "expired-before-its-time": [
      "OTP-STATUS-TIME",
      "sessions are shown as expired an hour before their expireTime",
      expiring("expired", HOUR),
    ],
    "pending-for-good": [
      ["OTP-STATUS-TIME", "OTP-TIMES-ORDERED"],
      "sessions stay pending two days and more behind their expireTime",
      expiring("pending", -48 * HOUR),
    ],
  }),
  ...tabled([...CODES, ...CODE_READ], ALWAYS, {
    "providers-under-old-codes": [
      "PROVIDERS-EXIST",
      "payment codes name providers by codes that no bank or momo has",
      (where) =>
        together(showAt(where, "authorizedProviders", oldCodes), showAt(where, "allowedProviders", oldCodes)),
    ],
  }),
  ...tabled(COUNTRY_SHOWN, ALWAYS, {
    "currency-that-nobody-issues": [
      "COUNTRY-CURRENCIES",
      "a country supports a currency that ISO 4217 does not have",
      (where) => showAt(where, "supportedCurrencies", (all) => (Array.isArray(all) ? [...all, "QQQ"] : all)),
    ],
  }),
];

function oldCodes(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value.map((code) => `old_${String(code)}`) : value;
}
