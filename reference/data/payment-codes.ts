import { compact, type Json, type JsonObject } from "../json.ts";
import type { Random } from "../random.ts";
import { PAYMENT_CODE_MODES, PAYMENT_CODE_STATUSES } from "../resources/payment-codes.ts";
import type { StoredRecord } from "../store.ts";
import { createdAt, dateTime, days, farAhead } from "./clock.ts";

export interface Surroundings {
  readonly space: string;
  readonly accounts: readonly StoredRecord[];
  readonly providerCodes: readonly [string, ...string[]];
}

const PURPOSES = [
  "School fees",
  "Market stall rent",
  "Électricité",
  "Church offering",
  "Taxi fare",
  "Water bill",
] as const;
const PEOPLE = [
  "Ngo Bassong",
  "Aïcha Diallo",
  "Chinedu Okafor",
  "Ama Mensah",
  "Jean-Paul N’Guessan",
] as const;

const SHARED_USSD_CODE = "*126*4400#";

function ownershipGraph(random: Random, index: number): JsonObject | undefined {
  if (index % 4 !== 1) return undefined;
  const types = ["user", "merchant", "organization"];
  const depth = 1 + (index % 3);
  let owner: JsonObject | undefined;
  for (let level = depth; level > 0; level -= 1) {
    const link: Record<string, Json | undefined> = {
      id: `own_${random.token(12)}`,
      type: types[level - 1] ?? "platform",
      metadata: level === 2 ? {} : { level: String(level) },
      owner,
    };
    owner = compact(link);
  }
  return owner ? { owner } : undefined;
}

function processed(random: Random, amount: JsonObject, providerId: string): JsonObject {
  return {
    amount,
    orderId: `ord_${random.token(16)}`,
    paymentId: `pay_${random.token(16)}`,
    orderNumber: `ON${random.digits(10)}`,
    financialTransactionReference: `FT${random.digits(12)}`,
    channelData: { providerId, accountId: `2376${random.digits(8)}`, reference: random.token(10) },
    metadata: { channel: "ussd" },
  };
}

function paymentCode(random: Random, index: number, count: number, around: Surroundings): StoredRecord {
  const mode = PAYMENT_CODE_MODES[index % 2] ?? "one_time";
  const status = PAYMENT_CODE_STATUSES[Math.floor(index / 2) % 5] ?? "pending";
  const account = around.accounts[index % Math.max(1, around.accounts.length)];
  const currency = account?.data.currency ?? "XAF";
  const amount = { currency, value: random.integer(1, 500) * 100 };
  const created = createdAt(random, index, count);
  const paid = status === "completed" || (status === "processing" && mode === "recurrent");
  const times = paid ? (mode === "recurrent" ? random.integer(1, 4) : 1) : 0;
  const provider = random.pick(around.providerCodes);
  return {
    kind: "paymentCode",
    id: `pyc_${random.token(20)}`,
    space: around.space,
    writtenAt: created,
    data: compact({
      mode,
      status,
      name: `${random.pick(PURPOSES)} ${index + 1}`,
      amount,
      enable: status === "pending" || status === "processing" || index % 3 === 0,
      expireTime: dateTime(status === "expired" ? days(created, 1) : farAhead(random)),
      customer: { name: random.pick(PEOPLE) },
      ussdCode: index % 9 === 4 ? SHARED_USSD_CODE : `*126*${50_000 + index}#`,
      reference: `INV-${around.space.slice(-4)}-${index + 1}`,
      authorizedProviders: index % 5 === 0 ? [] : [provider],
      authorizedPhoneNumber: index % 3 === 0 ? `+2376${random.digits(8)}` : undefined,
      recurrentPaymentTarget:
        mode === "recurrent"
          ? { expectedPaymentCount: 5, expectedPaymentTotal: { currency, value: amount.value * 5 } }
          : undefined,
      financialAccountId: account?.id ?? "fac_none",
      processedPaymentData: paid ? processed(random, amount, provider) : undefined,
      createTime: dateTime(created),
      updateTime: dateTime(created + random.integer(0, 3_600_000)),
      ownershipGraph: ownershipGraph(random, index),
      metadata: index % 2 === 0 ? { campaign: `c${index % 7}`, channel: "agent" } : {},
      progress: {
        isCompleted: status === "completed",
        totalPaymentCount: times,
        totalPaymentSum: { currency, value: amount.value * times },
      },
    }),
  };
}

export function paymentCodes(random: Random, count: number, around: Surroundings): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => paymentCode(random, index, count, around));
}
