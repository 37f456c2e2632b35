/** The initial data: two spaces of one tenant, one of another tenant, and the resources of some weeks. */

import { randomUUID } from "node:crypto";
import { type Database, type Row, text } from "./database.ts";
import { digest } from "./http.ts";

export const TOKEN = "sk_harbour_4b1f0c9d7a2e4f6e9b35";
export const SPACE = "spc-harbour-main";
export const SECOND_SPACE = "spc-harbour-branch";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const COUNTRIES: [
  code: string,
  name: string,
  currency: string,
  unit: string,
  digits: number,
  more: string[],
][] = [
  ["CM", "Cameroon", "XAF", "centime", 0, []],
  ["GH", "Ghana", "GHS", "pesewa", 2, ["USD"]],
  ["RW", "Rwanda", "RWF", "centime", 0, []],
  ["TN", "Tunisia", "TND", "millime", 3, ["EUR"]],
  ["KE", "Kenya", "KES", "cent", 2, ["USD"]],
];

const PROVIDERS: [kind: string, code: string, name: string, country: string, active: number, pays: number][] =
  [
    ["momo", "MTN_CM", "MTN MoMo", "CM", 1, 1],
    ["momo", "ORANGE_CM", "Orange Money", "CM", 1, 1],
    ["momo", "NEXTTEL_CM", "Possa", "CM", 0, 1],
    ["momo", "MTN_GH", "MTN MoMo", "GH", 1, 1],
    ["momo", "TELECEL_GH", "Telecel Cash", "GH", 1, 1],
    ["momo", "MTN_RW", "MTN MoMo", "RW", 1, 1],
    ["momo", "MPESA_KE", "M-PESA", "KE", 1, 1],
    ["bank", "AFRILAND_CM", "Afriland First Bank", "CM", 1, 0],
    ["bank", "SGC_CM", "Société Générale Cameroun", "CM", 1, 0],
    ["bank", "GCB_GH", "GCB Bank", "GH", 1, 0],
    ["bank", "BK_RW", "Bank of Kigali", "RW", 1, 0],
    ["bank", "BIAT_TN", "BIAT", "TN", 1, 0],
    ["bank", "EQUITY_KE", "Equity Bank", "KE", 1, 1],
  ];

function referenceData(database: Database, now: number): void {
  COUNTRIES.forEach(([code, name, currency, unit, unit_length, more], n) => {
    const supported_json = JSON.stringify([currency, ...more]);
    database.insert("countries", { id: `${n + 1}`, code, name, currency, unit, unit_length, supported_json });
  });
  PROVIDERS.forEach(([kind, code, name, country, active, pays], n) => {
    const times = { created_at: now - (400 - n) * DAY, updated_at: now - (30 - n) * DAY };
    const can = { active, pay_to: 1, pay_from: pays, verify: n % 2 };
    database.insert("providers", { id: randomUUID(), code, kind, name, country, ...can, ...times });
  });
}

const STATUSES = ["pending", "pending", "completed", "pending", "expired", "processing", "cancelled"];

function paymentCodes(database: Database, space: string, account: string, count: number, now: number): void {
  for (let n = 0; n < count; n++) {
    const status = STATUSES[n % STATUSES.length] ?? "pending";
    const recurrent = n % 3 === 1;
    // Each group of three payment codes has one time of creation, as if they were imported together.
    const created_at = now - Math.ceil((count - n) / 3) * 7 * 60 * MINUTE;
    const amount = 1500 + 250 * n;
    const done = status === "completed";
    const owner = { id: `cus_${n}`, type: "customer", metadata: { tier: "gold" } };
    database.insert("payment_codes", {
      id: `PC${space === SPACE ? "M" : "B"}${String(10_000 + 37 * n)}`,
      space_id: space,
      mode: recurrent ? "recurrent" : "one_time",
      status,
      name: `Order ${5000 + n}`,
      amount,
      currency: "XAF",
      enabled: Number(n % 5 !== 0),
      expires_at: status === "expired" ? created_at + 60 * MINUTE : now + (5 + (n % 20)) * DAY,
      customer_name: ["Awa Ndiaye", "Jean Mbarga", "Grace Fon", "Ime Okon"][n % 4] ?? "",
      customer_reference: `C-${n % 9}`,
      phone: n % 4 === 0 ? null : `+2376712345${String(10 + n)}`,
      ussd_code: `*126*${space === SPACE ? 4 : 5}*${String(2000 + n)}#`,
      providers_json: JSON.stringify(n % 4 === 2 ? [] : ["MTN_CM", "ORANGE_CM"].slice(0, 1 + (n % 2))),
      target_count: recurrent ? 12 : null,
      target_total: recurrent ? 12 * amount : null,
      account_id: account,
      paid_count: Number(done),
      paid_total: done ? amount : 0,
      processed_json: done
        ? JSON.stringify({
            amount: { currency: "XAF", value: amount },
            orderId: `ord_${n}`,
            paymentId: `pay_${n}`,
            orderNumber: `N-${70_000 + n}`,
            financialTransactionReference: `FT${n}`,
            channelData: { providerId: "MTN_CM", accountId: "+237671234500", reference: `MP${n}` },
            metadata: {},
          })
        : null,
      owner_json:
        n % 2 === 0 ? JSON.stringify({ ...owner, owner: { id: space, type: "space", metadata: {} } }) : null,
      metadata_json: JSON.stringify(n % 3 === 0 ? {} : { basket: `b-${n}` }),
      created_at,
      updated_at: created_at + n * MINUTE,
    });
  }
}

function otps(database: Database, space: string, count: number, now: number): void {
  for (let n = 0; n < count; n++) {
    const created_at = now - n * 11 * MINUTE;
    const status = n % 3 === 0 ? "verified" : n < 1 ? "pending" : "expired";
    database.insert("otps", {
      id: randomUUID(),
      space_id: space,
      status,
      dial_code: `*126*9*${300 + n}#`,
      phone: `+237 6** *** *${String(10 + n)}`,
      message: n % 4 === 0 ? null : "Thank you, your number is verified.",
      metadata_json: n % 5 === 0 ? null : JSON.stringify({ session: `s${n}` }),
      created_at,
      expires_at: created_at + 10 * MINUTE,
    });
  }
}

function payouts(database: Database, space: string, account: string, count: number, now: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `${space.slice(-4)}-payout-${8100 + n}`;
    const failed = n % 4 === 3;
    database.insert("payouts", {
      id,
      space_id: space,
      status: failed ? "failed" : n % 4 === 2 ? "completed" : "pending",
      amount: 25_000 + n,
      currency: "XAF",
      source_json: JSON.stringify({ financialAccountId: account, transactionReference: `S${n}` }),
      destination_json: JSON.stringify({
        providerCode: "MTN_CM",
        accountId: "+237671234511",
        transactionReference: `D${n}`,
      }),
      charges_json: JSON.stringify(
        n % 4 !== 2 ? [{ name: "fee", amount: { currency: "XAF", value: 250 }, metadata: {} }] : [],
      ),
      delayed_reason: n % 4 === 1 ? "provider_maintenance" : null,
      failure_json: failed ? JSON.stringify({ code: "unknown", explanation: "No answer" }) : null,
      metadata_json: JSON.stringify({ batch: `${n}` }),
      created_at: now - (n + 1) * DAY,
    });
    return id;
  });
}

function accountsAndWebhooks(database: Database, space: string, now: number): string {
  const id = randomUUID();
  const row: Row = { id, space_id: space, uvan: space === SPACE ? "770001" : "770002", name: "Main" };
  database.insert("accounts", { ...row, currency: "XAF", created_at: now - 90 * DAY, updated_at: now - DAY });
  for (let n = 0; n < (space === SPACE ? 13 : 4); n++)
    database.insert("webhooks", {
      id: `whk${digest(`${space}${n}`).slice(0, 18)}`,
      space_id: space,
      name: `Shop ${n}`,
      url: `https://shop-${n}.example.com/hooks/Payments?v=${n}`,
      events_json: JSON.stringify(["payout.completed", "payout.failed"].slice(0, 1 + (n % 2))),
      active: n % 2,
      api_version: n % 3 === 0 ? "caph.2025-06-20" : null,
      emails_json: JSON.stringify(n % 3 === 1 ? ["ops@example.com"] : []),
      secret: n % 2 === 0 ? `whsec_${n}` : null,
      created_at: now - (40 - n) * DAY,
    });
  return id;
}

/** Fills the database. Returns the fixtures for a run. */
export function seed(database: Database): Record<string, string> {
  const now = Date.now();
  database.insert("tokens", { digest: digest(TOKEN), tenant: "harbour" });
  database.insert("tokens", { digest: digest("sk_other"), tenant: "other" });
  for (const [id, tenant] of [
    [SPACE, "harbour"],
    [SECOND_SPACE, "harbour"],
    ["spc-other", "other"],
  ] as const)
    database.insert("spaces", { id, tenant });
  referenceData(database, now);
  const account = accountsAndWebhooks(database, SPACE, now);
  const branch = accountsAndWebhooks(database, SECOND_SPACE, now);
  paymentCodes(database, SPACE, account, 64, now);
  paymentCodes(database, SECOND_SPACE, branch, 9, now);
  otps(database, SPACE, 27, now);
  otps(database, SECOND_SPACE, 4, now);
  const [payout = "", mutablePayout = ""] = payouts(database, SPACE, account, 6, now);
  payouts(database, SECOND_SPACE, branch, 2, now);
  const pending = database.all(
    "SELECT id FROM payment_codes WHERE space_id = ? AND status = 'pending' ORDER BY id",
    [SPACE],
  );
  const [paymentCode = "", mutablePaymentCode = "", cancellablePaymentCode = ""] = pending.map(({ id }) =>
    text(id),
  );
  return { paymentCode, mutablePaymentCode, cancellablePaymentCode, payout, mutablePayout };
}
