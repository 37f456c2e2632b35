/** A complete, valid object of each resource in section 2 of the specification. */

const AT = "2025-08-23T10:15:30Z";
const LATER = "2025-08-24T10:15:30.250+01:00";
const money = { currency: "GHS", value: 1250 };

const provider = {
  id: "prv_1",
  code: "GH-001",
  name: "First Bank",
  country: "GH",
  status: { active: true },
  featureSet: {
    payout: { canPayTo: true, schemes: ["instant"], metadata: {} },
    payment: { canPayFrom: false, schemes: [], metadata: { note: 1 } },
    kycVerification: { canVerifyAccount: true, metadata: {} },
  },
  createTime: AT,
  updateTime: LATER,
};

export const samples = {
  UssdOtp: {
    id: "otp_1",
    status: "verified",
    dialCode: "*123*4#",
    authorizedPhoneNumber: "+23320****567",
    verificationMessage: "Thank you",
    createTime: AT,
    expireTime: LATER,
    metadata: { order: "17" },
  },
  FinancialAccount: {
    id: "fa_1",
    uvan: "0012345678",
    name: "Float",
    currency: "GHS",
    reference: null,
    description: null,
    balance: { available: money },
    createTime: AT,
    updateTime: AT,
    metadata: { any: ["thing"] },
  },
  PaymentCodeListItem: {
    id: "pc_1",
    mode: "one_time",
    status: "pending",
    name: "Rent",
    amount: money,
    enable: true,
    expireTime: LATER,
    customer: { name: "Ama" },
    ussdCode: "*123*9#",
    reference: "r-1",
    authorizedProviders: ["prv_1"],
    authorizedPhoneNumber: "+233200000000",
    recurrentPaymentTarget: { expectedPaymentCount: 3, expectedPaymentTotal: money },
    financialAccountId: "fa_1",
    processedPaymentData: {
      amount: money,
      orderId: "o-1",
      paymentId: "p-1",
      orderNumber: "n-1",
      financialTransactionReference: "t-1",
      channelData: { providerId: "prv_1", accountId: "a-1", reference: "c-1" },
      metadata: {},
    },
    createTime: AT,
    updateTime: LATER,
    ownershipGraph: {
      owner: { id: "o1", type: "user", metadata: {}, owner: { id: "o2", type: "org", owner: null } },
    },
    metadata: {},
  },
  PaymentCode: {
    id: "pc_1",
    name: "Rent",
    mode: "oneTime",
    isActive: true,
    status: "pending",
    ussdCode: "*123*9#",
    amount: money,
    customerTarget: { name: "Ama", reference: "c-1", payingPhoneNumber: "+233200000000" },
    financialTarget: { expectedPaymentCount: 3, expectedPaymentSum: money },
    allowedProviders: ["prv_1"],
    progress: { isCompleted: false, totalPaymentCount: 0, totalPaymentSum: money },
    financialAccountId: "fa_1",
    expireTime: LATER,
    createTime: AT,
    metadata: {},
  },
  Payout: {
    id: "po_1",
    status: "pending",
    amount: money,
    source: { financialAccountId: "fa_1", transactionReference: "t-1" },
    destination: { providerCode: "GH-001", accountId: "a-1", transactionReference: "t-2" },
    charges: [{ name: "fee", amount: money, metadata: {} }],
    delayedReason: "holiday",
    failureDetail: { code: "unknown", explanation: "nobody knows" },
    createTime: AT,
    metadata: {},
  },
  Webhook: {
    id: "wh_1",
    name: "Orders",
    url: "https://example.com/hook",
    events: ["payment.completed"],
    isActive: false,
    apiVersion: "caph.2025-08-23",
    alertEmails: ["ops@example.com"],
    verificationMethod: { hmac256: { secret: "s" } },
    customHeaders: { "X-One": "1" },
    createTime: AT,
    metadata: {},
  },
  Bank: provider,
  Momo: provider,
  Country: {
    id: "cty_1",
    code: "GH",
    name: "Ghana",
    currency: { code: "GHS", unit: "pesewa", unitLength: 2 },
    supportedCurrencies: ["GHS", "USD"],
  },
} as const;

/** The body of a list's answer with these items. */
export function listOf(items: readonly unknown[] | null, total?: number): Record<string, unknown> {
  const count = items?.length ?? 0;
  return {
    success: true,
    messages: [],
    result: items,
    pagination: { count, next: null, ...(total === undefined ? {} : { total }) },
  };
}

/** The body of an answer with a single resource. */
export function single(result: unknown): Record<string, unknown> {
  return { success: true, messages: ["hello", 1, null], result };
}
