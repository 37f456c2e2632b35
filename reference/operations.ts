export interface OperationFacts {
  readonly name: string;
  /** The most characters of Service-Space-Id; null without the header. */
  readonly spaceMax: 64 | 100 | null;
  readonly key: boolean;
  readonly body: boolean;
  /** The operation has no documented shape (section 4.17). */
  readonly namedOnly: boolean;
}

const shown = { namedOnly: false } as const;
const namedOnly = { namedOnly: true, spaceMax: 64 } as const;
const read = { key: false, body: false } as const;
const create = { key: true, body: true } as const;
const update = { key: false, body: true } as const;

export const operations = [
  { ...shown, ...read, name: "GET /v1/ussd-otps", spaceMax: 64 },
  { ...shown, ...create, name: "POST /v1/financial-accounts", spaceMax: 64 },
  { ...shown, ...read, name: "GET /v1/payment-codes", spaceMax: 64 },
  { ...shown, ...read, name: "GET /payment-codes/{id}", spaceMax: 100 },
  { ...shown, ...update, name: "PATCH /payment-codes/{id}", spaceMax: 100 },
  { ...shown, ...read, name: "GET /payouts/{id}", spaceMax: 100 },
  { ...shown, ...update, name: "PATCH /payouts/{id}", spaceMax: 100 },
  { ...shown, ...read, name: "GET /banks", spaceMax: null },
  { ...shown, ...read, name: "GET /banks/{idOrCode}", spaceMax: null },
  { ...shown, ...read, name: "GET /momos", spaceMax: null },
  { ...shown, ...read, name: "GET /momos/{idOrCode}", spaceMax: null },
  { ...shown, ...read, name: "GET /countries", spaceMax: null },
  { ...shown, ...read, name: "GET /countries/{idOrCode}", spaceMax: null },
  { ...shown, ...create, name: "POST /webhooks", spaceMax: 100 },
  { ...shown, ...update, name: "PATCH /webhooks/{id}", spaceMax: 100 },
  { ...shown, ...read, name: "GET /webhooks", spaceMax: 100 },
  { ...namedOnly, ...create, name: "POST /v1/payments" },
  { ...namedOnly, ...read, name: "GET /v1/financial-accounts" },
  { ...namedOnly, ...read, name: "GET /v1/financial-transactions" },
  { ...namedOnly, ...create, name: "POST /v1/checkout-sessions" },
  { ...namedOnly, ...create, name: "POST /v1/internal-transfers" },
  { ...namedOnly, ...create, name: "POST /v1/ussd-otps" },
  { ...namedOnly, ...read, name: "GET /v1/provider-kyc/{providerId}" },
  { ...namedOnly, ...read, name: "GET /v1/receipts/{orderNumber}" },
  { ...namedOnly, ...create, name: "POST /v1/receipts/{orderNumber}/redeem" },
] as const satisfies readonly OperationFacts[];

export type OperationName = (typeof operations)[number]["name"];

export type Operation = OperationFacts & { readonly name: OperationName };
