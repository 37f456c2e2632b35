import { Random } from "../random.ts";
import type { Dataset, StoredRecord } from "../store.ts";
import { countries, providers } from "./countries.ts";
import { paymentCodes } from "./payment-codes.ts";
import {
  financialAccounts,
  financialTransactions,
  payouts,
  providerKyc,
  receipt,
  ussdOtps,
  webhooks,
} from "./space-data.ts";

/** Sizes of the first space. The second has 30 % of them, but as many USSD OTPs. */
export interface Size {
  readonly paymentCodes?: number;
  readonly ussdOtps?: number;
  readonly webhooks?: number;
  readonly payouts?: number;
  readonly financialAccounts?: number;
  readonly financialTransactions?: number;
  /** True for banks, momos and countries. */
  readonly referenceData?: boolean;
}

const DEFAULT_SIZES = {
  paymentCodes: 130,
  ussdOtps: 35,
  webhooks: 14,
  payouts: 12,
  financialAccounts: 8,
  financialTransactions: 25,
} as const;

export interface Seed {
  readonly dataset: Dataset;
  readonly fixtures: Readonly<Record<string, string>>;
}

type Kept = Record<string, StoredRecord[]>;

function spaceData(
  random: Random,
  size: Size,
  share: number,
  space: string,
  codes: [string, ...string[]],
): Kept {
  const amount = (kind: keyof typeof DEFAULT_SIZES) => Math.ceil((size[kind] ?? DEFAULT_SIZES[kind]) * share);
  const accounts = financialAccounts(random, amount("financialAccounts"), space);
  return {
    financialAccount: accounts,
    paymentCode: paymentCodes(random, amount("paymentCodes"), { space, accounts, providerCodes: codes }),
    ussdOtp: ussdOtps(random, size.ussdOtps ?? DEFAULT_SIZES.ussdOtps, space),
    webhook: webhooks(random, amount("webhooks"), space),
    payout: payouts(random, amount("payouts"), space, accounts, codes),
    financialTransaction: financialTransactions(random, amount("financialTransactions"), space, accounts),
  };
}

function pickFixtures(
  first: Kept,
  orderNumber: string,
  providerId: string | undefined,
): Record<string, string> {
  const open = (first.paymentCode ?? []).filter(({ data }) => data.status === "pending");
  const ids: Record<string, string | undefined> = {
    paymentCode: open[0]?.id,
    mutablePaymentCode: open[1]?.id,
    cancellablePaymentCode: open[2] && [open[2], ...open.slice(3, 4)].map(({ id }) => id).join(","),
    payout: first.payout?.[0]?.id,
    mutablePayout: first.payout?.[1]?.id,
    orderNumber,
    providerId,
  };
  return Object.fromEntries(
    Object.entries(ids).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

export function makeSeed(seed: number, size: Size, [space, secondSpace]: readonly [string, string]): Seed {
  const random = new Random(seed);
  const referenceData = size.referenceData ?? true;
  const banks = referenceData ? providers(random, "bank") : [];
  const momos = referenceData ? providers(random, "momo") : [];
  const codes = [...momos, ...banks].map(({ data }) => String(data.code));
  const providerCodes: [string, ...string[]] = [codes[0] ?? "cm_m_any", ...codes.slice(1)];
  const first = spaceData(random, size, 1, space, providerCodes);
  const second = spaceData(random, size, 0.3, secondSpace, providerCodes);
  const orderNumber = `ON${random.digits(10)}`;
  const providerId = momos[0]?.id;
  const kinds = Object.keys(first).map((kind) => [kind, [...(first[kind] ?? []), ...(second[kind] ?? [])]]);
  return {
    dataset: {
      bank: banks,
      momo: momos,
      country: referenceData ? countries() : [],
      receipt: [receipt(random, orderNumber, space)],
      providerKyc: providerId ? [providerKyc(providerId, space)] : [],
      ...Object.fromEntries(kinds),
    },
    fixtures: {
      ...pickFixtures(first, orderNumber, providerId),
      // With two values, a second request can send another.
      currency: "XAF,EUR",
      country: "CM",
      webhookUrl:
        "https://hooks.example.com/Conformance?source=Suite,https://hooks.example.com/Other?source=Suite",
    },
  };
}
