import { isAt, refuse } from "../hook-tools.ts";
import type { Variant } from "./variant.ts";

const NOTHING = {
  paymentCodes: 0,
  ussdOtps: 0,
  webhooks: 0,
  payouts: 0,
  financialAccounts: 0,
  financialTransactions: 0,
} as const;

const empty = "Section 2.1: a list may be empty; what cannot be tested is skipped for want of data.";

export const sizeVariants: readonly Variant[] = [
  {
    name: "nothing-at-all",
    description: "There is no data whatever, no reference data either.",
    why: empty,
    options: { size: { ...NOTHING, referenceData: false } },
    hooks: {},
  },
  {
    name: "no-countries-yet",
    description:
      "There is no reference data; of all countries one is taken as a filter, which no list names.",
    why: "Row 48: the empty success for an assigned code is a SHOULD, and no code is one that the service names.",
    options: { size: { referenceData: false } },
    fixtures: (given) => Object.fromEntries(Object.entries(given).filter(([name]) => name !== "country")),
    hooks: refuse(
      ["GET /banks", "GET /momos"],
      "query",
      { at: "query.country", rule: "enum", message: "this country is not supported" },
      (ctx) => ctx.query.get("country")?.[0] !== "CM",
    ),
  },
  {
    name: "nothing-but-countries",
    description: "There are countries, and nothing else.",
    why: empty,
    options: { size: NOTHING },
    hooks: { seed: (data) => ({ ...data, bank: [], momo: [], providerKyc: [] }) },
  },
  {
    name: "one-of-each",
    description: "There is one thing of each kind.",
    why: "Section 2.2 sets no least size of a list.",
    options: {
      size: { ...NOTHING, paymentCodes: 1, ussdOtps: 1, webhooks: 1, payouts: 1, financialAccounts: 1 },
    },
    hooks: {},
  },
  {
    name: "full-pages-exactly",
    description: "Lists hold exactly ten, fifty or a hundred items.",
    why: "Section 2.2: the last page may be a full one.",
    options: { size: { paymentCodes: 100, ussdOtps: 50, webhooks: 10 } },
    hooks: {},
  },
  {
    name: "very-many-payment-codes",
    description: "There are 30,000 payment codes.",
    why: "Section 2.2 sets no bound; row 34 has a bounded prefix compared.",
    options: { size: { paymentCodes: 30_000 } },
    hooks: {},
  },
  {
    name: "very-many-webhooks",
    description: "There are 3,000 webhooks and as many sessions.",
    why: "Section 2.2 sets no bound; row 34 has a bounded prefix compared.",
    options: { size: { webhooks: 3000, ussdOtps: 3000 } },
    hooks: {},
  },
  {
    name: "littered-by-a-thousand-runs",
    description: "Earlier runs have left 3,000 webhooks, and new ones come behind them.",
    why: "Section 2.2 sets no bound, and no order; what a run makes can't be removed.",
    options: { size: { webhooks: 3000 } },
    hooks: {
      members: (records, ctx) => (isAt(ctx, ["GET /webhooks"]) ? records.toReversed() : records),
    },
  },
  {
    name: "ten-thousand-of-each",
    description: "There are 10,000 payment codes, sessions and webhooks.",
    why: "Section 2.2 sets no bound; row 34 has a bounded prefix compared.",
    options: { size: { paymentCodes: 10_000, ussdOtps: 10_000, webhooks: 10_000 } },
    hooks: {},
  },
];
