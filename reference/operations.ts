export interface OperationFacts {
  readonly name: string;
  /** The longest space id. Null if the operation has no Service-Space-Id. */
  readonly spaceMax: 64 | 100 | null;
  readonly key: boolean;
  readonly body: boolean;
  /** True if section 4.17 names the operation without shapes. */
  readonly undocumented: boolean;
}

const documented = { undocumented: false } as const;
const undocumented = { undocumented: true, spaceMax: 64 } as const;
const read = { key: false, body: false } as const;
const create = { key: true, body: true } as const;
const update = { key: false, body: true } as const;

export const operations = [
  { ...documented, ...read, name: "GET /v1/ussd-otps", spaceMax: 64 },
  { ...documented, ...create, name: "POST /v1/financial-accounts", spaceMax: 64 },
  { ...documented, ...read, name: "GET /v1/payment-codes", spaceMax: 64 },
  { ...documented, ...read, name: "GET /payment-codes/{id}", spaceMax: 100 },
  { ...documented, ...update, name: "PATCH /payment-codes/{id}", spaceMax: 100 },
  { ...documented, ...read, name: "GET /payouts/{id}", spaceMax: 100 },
  { ...documented, ...update, name: "PATCH /payouts/{id}", spaceMax: 100 },
  { ...documented, ...read, name: "GET /banks", spaceMax: null },
  { ...documented, ...read, name: "GET /banks/{idOrCode}", spaceMax: null },
  { ...documented, ...read, name: "GET /momos", spaceMax: null },
  { ...documented, ...read, name: "GET /momos/{idOrCode}", spaceMax: null },
  { ...documented, ...read, name: "GET /countries", spaceMax: null },
  { ...documented, ...read, name: "GET /countries/{idOrCode}", spaceMax: null },
  { ...documented, ...create, name: "POST /webhooks", spaceMax: 100 },
  { ...documented, ...update, name: "PATCH /webhooks/{id}", spaceMax: 100 },
  { ...documented, ...read, name: "GET /webhooks", spaceMax: 100 },
  { ...undocumented, ...create, name: "POST /v1/payments" },
  { ...undocumented, ...read, name: "GET /v1/financial-accounts" },
  { ...undocumented, ...read, name: "GET /v1/financial-transactions" },
  { ...undocumented, ...create, name: "POST /v1/checkout-sessions" },
  { ...undocumented, ...create, name: "POST /v1/internal-transfers" },
  { ...undocumented, ...create, name: "POST /v1/ussd-otps" },
  { ...undocumented, ...read, name: "GET /v1/provider-kyc/{providerId}" },
  { ...undocumented, ...read, name: "GET /v1/receipts/{orderNumber}" },
  { ...undocumented, ...create, name: "POST /v1/receipts/{orderNumber}/redeem" },
] as const satisfies readonly OperationFacts[];

export type OperationName = (typeof operations)[number]["name"];

export type Operation = OperationFacts & { readonly name: OperationName };
