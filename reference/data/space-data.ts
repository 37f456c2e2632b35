import { EVENT_NAMES } from "../deliveries.ts";
import { compact, type JsonObject } from "../json.ts";
import type { Random } from "../random.ts";
import type { StoredRecord } from "../store.ts";
import { createdAt, dateTime, days } from "./clock.ts";

const CURRENCIES = ["XAF", "NGN", "TND", "XOF", "USD", "GHS"] as const;

export function financialAccounts(random: Random, count: number, space: string): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const created = createdAt(random, index, count);
    const currency = CURRENCIES[index % CURRENCIES.length] ?? "XAF";
    return {
      kind: "financialAccount",
      id: `fac_${random.token(20)}`,
      space,
      writtenAt: created,
      data: {
        uvan: `90${random.digits(12)}`,
        name: `Collections ${index + 1}`,
        currency,
        reference: index % 2 === 0 ? `acc-${index + 1}` : null,
        description: index % 3 === 0 ? "Holds what payment codes collect" : null,
        balance: { available: { currency, value: random.integer(0, 900_000) } },
        createTime: dateTime(created),
        updateTime: dateTime(created + random.integer(0, 86_400_000)),
        metadata: index % 2 === 0 ? { ledger: "main" } : {},
      },
    };
  });
}

const OTP_STATUSES = ["pending", "verified", "expired"] as const;
const LONG_MESSAGE = "Merci, votre numéro est vérifié. ".repeat(8).slice(0, 255);

export function ussdOtps(random: Random, count: number, space: string): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const created = createdAt(random, index, count);
    const status = OTP_STATUSES[index % 3] ?? "pending";
    const messages = [null, "Thank you, your number is verified.", LONG_MESSAGE, null];
    const metadata: JsonObject = { customer: `cus_${index}`, flow: "signup" };
    return {
      kind: "ussdOtp",
      id: `otp_${random.token(20)}`,
      space,
      writtenAt: created,
      data: {
        status,
        dialCode: `*126*${random.digits(4)}#`,
        authorizedPhoneNumber:
          index % 4 === 0 ? `+2376******${random.digits(2)}` : `+2376${random.digits(8)}`,
        verificationMessage: messages[index % 4] ?? null,
        createTime: dateTime(created),
        expireTime: dateTime(status === "pending" ? days(created, 3650) : created + 600_000),
        metadata: index % 3 === 1 ? null : index % 3 === 2 ? {} : metadata,
      },
    };
  });
}

export function webhooks(random: Random, count: number, space: string): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const created = createdAt(random, index, count);
    return {
      kind: "webhook",
      id: `whk_${random.token(20)}`,
      space,
      writtenAt: created,
      data: compact({
        name: `Notifications ${index + 1}`,
        url: `https://hooks.example.com/${space}/${index + 1}?source=payments`,
        events:
          index % 3 === 0 ? [...EVENT_NAMES] : [EVENT_NAMES[index % EVENT_NAMES.length] ?? "payout.updated"],
        isActive: index % 2 === 0,
        apiVersion: index % 2 === 0 ? "caph.2025-08-23" : undefined,
        alertEmails: index % 4 === 0 ? ["ops@example.com", "night@example.com"] : [],
        verificationMethod: index % 3 === 1 ? { hmac256: { secret: `s3cr3t-${index}` } } : undefined,
        customHeaders: index % 3 === 1 ? { "X-Team": "payments" } : undefined,
        createTime: dateTime(created),
        metadata: index % 2 === 0 ? { owner: "platform" } : {},
      }),
    };
  });
}

const PAYOUT_STATUSES = ["pending", "processing", "succeeded", "failed"] as const;

export function payouts(
  random: Random,
  count: number,
  space: string,
  accounts: readonly StoredRecord[],
  providerCodes: readonly [string, ...string[]],
): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const created = createdAt(random, index, count);
    const status = PAYOUT_STATUSES[index % 4] ?? "pending";
    const account = accounts[index % Math.max(1, accounts.length)];
    const currency = account?.data.currency ?? "XAF";
    const fee = { name: "Transfer fee", amount: { currency, value: 25 }, metadata: { kind: "flat" } };
    const tax = { name: "Tax", amount: { currency, value: 5 }, metadata: {} };
    return {
      kind: "payout",
      id: `pot_${random.token(20)}`,
      space,
      writtenAt: created,
      data: compact({
        status,
        amount: { currency, value: random.integer(1, 900) * 50 },
        source: {
          financialAccountId: account?.id ?? "fac_none",
          transactionReference: `FT${random.digits(12)}`,
        },
        destination: {
          providerCode: random.pick(providerCodes),
          accountId: `2376${random.digits(8)}`,
          transactionReference: `PR${random.digits(9)}`,
        },
        charges: [[fee, tax], [fee], []][index % 3] ?? [],
        delayedReason: status === "processing" ? "The provider answers slowly" : undefined,
        failureDetail:
          status === "failed" ? { code: "unknown", explanation: "The provider gave no reason" } : undefined,
        createTime: dateTime(created),
        metadata: index % 2 === 0 ? { batch: `b${index}` } : {},
      }),
    };
  });
}

/** These fields are invented: the specification shows none (section 4.17). */
export function financialTransactions(
  random: Random,
  count: number,
  space: string,
  accounts: readonly StoredRecord[],
): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const created = createdAt(random, index, count);
    const account = accounts[index % Math.max(1, accounts.length)];
    return {
      kind: "financialTransaction",
      id: `ftx_${random.token(20)}`,
      space,
      writtenAt: created,
      data: {
        type: index % 2 === 0 ? "credit" : "debit",
        financialAccountId: account?.id ?? "fac_none",
        amount: { currency: account?.data.currency ?? "XAF", value: random.integer(1, 900) * 10 },
        createTime: dateTime(created),
      },
    };
  });
}

export function receipt(random: Random, orderNumber: string, space: string): StoredRecord {
  const created = createdAt(random, 0, 1);
  const amount = { currency: "XAF", value: 12_500 };
  return {
    kind: "receipt",
    id: orderNumber,
    space,
    writtenAt: created,
    data: { status: "paid", amount, lines: [{ name: "School fees", amount }], createTime: dateTime(created) },
  };
}

export function providerKyc(providerId: string, space: string): StoredRecord {
  return {
    kind: "providerKyc",
    id: providerId,
    space,
    writtenAt: 0,
    data: { canVerifyAccount: true, fields: ["accountId", "name"] },
  };
}
