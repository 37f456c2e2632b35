import type { Where } from "../hook-tools.ts";
import type { Json } from "../json.ts";
import { CODE_READ, CODES, COUNTRY_SHOWN, showAt } from "../read-hook-tools.ts";
import { together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const HOUR = 3_600_000;

const OTPS: Where = ["GET /v1/ussd-otps"];
const START = Date.now();

/** Always the same, however often it is asked for. */
function fromNow(milliseconds: number): string {
  return new Date(START + milliseconds).toISOString();
}

/** What fields hold that does not go together with other fields or records, though each is of its form (rows 10 and 17). */
export const contentDefects: readonly Defect[] = [
  {
    name: "session-expires-before-its-time",
    does: "sessions are shown as expired an hour before their expireTime",
    requirements: ["OTP-STATUS-TIME"],
    operations: OTPS,
    hooks: showAt(OTPS, "expireTime", (value, { item }) =>
      item.status === "expired" ? fromNow(HOUR) : value,
    ),
  },
  {
    name: "session-pending-for-good",
    does: "sessions stay pending two days and more behind their expireTime",
    requirements: ["OTP-STATUS-TIME", "OTP-TIMES-ORDERED"],
    operations: OTPS,
    hooks: showAt(OTPS, "expireTime", (value, { item }) =>
      item.status === "pending" ? fromNow(-48 * HOUR) : value,
    ),
  },
  {
    name: "providers-under-old-codes",
    does: "payment codes name providers by codes that no bank or momo has",
    requirements: ["PROVIDERS-EXIST"],
    operations: [...CODES, ...CODE_READ],
    hooks: together(
      showAt([...CODES, ...CODE_READ], "authorizedProviders", oldCodes),
      showAt([...CODES, ...CODE_READ], "allowedProviders", oldCodes),
    ),
  },
  {
    name: "currency-that-nobody-issues",
    does: "countries support a currency that ISO 4217 does not have",
    requirements: ["COUNTRY-CURRENCIES"],
    operations: COUNTRY_SHOWN,
    hooks: showAt(COUNTRY_SHOWN, "supportedCurrencies", (value) =>
      Array.isArray(value) ? [...value, "QQQ"] : value,
    ),
  },
];

function oldCodes(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value.map((code) => `old_${String(code)}`) : value;
}
