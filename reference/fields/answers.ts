import type { Where } from "../hook-tools.ts";

export type FieldType =
  | "text"
  | "time"
  | "flag"
  | "integer"
  | "object"
  | "list"
  | "choice"
  | "currency"
  | "country";

export interface Field {
  readonly path: string;
  readonly type: FieldType;
  /** The requirement that breaks if the field is missing. */
  readonly presence: string | undefined;
  /** The requirement that breaks if the value is wrong. */
  readonly fields: string;
  readonly nullable: boolean;
  /** The most characters, and the requirement that breaks with more. */
  readonly longest: readonly [number, string] | undefined;
}

export interface Shape {
  readonly shown: Where;
  readonly fields: readonly Field[];
  readonly states: readonly string[];
}

/**
 * A row such as `text~0 255` has a type, signs and the most characters. `!` is always present, `~` is
 * expected, `0` may be null.
 */
function table(prefix: string, rows: Readonly<Record<string, string>>): Field[] {
  return Object.entries(rows).map(([path, text]) => {
    const [flags = "", most] = text.split(" ");
    const type = flags.replace(/[^a-z]/g, "") as FieldType;
    const isMoney =
      /(^|\/)(amount|available|expectedPaymentTotal|totalPaymentSum)(\/(currency|value))?$/.test(path);
    const own = path.startsWith("ownershipGraph") ? "OWNERSHIP-CHAIN" : isMoney ? "MONEY-FIELDS" : undefined;
    const always =
      own && type !== "object" ? own.replace("MONEY-FIELDS", "MONEY-PRESENT") : `${prefix}-PRESENT`;
    const expected = flags.includes("~") ? `${prefix}-EXPECTED` : undefined;
    const fields = own ?? `${prefix}-FIELDS`;
    return {
      path,
      type,
      presence: flags.includes("!") ? always : expected,
      fields,
      nullable: flags.includes("0"),
      longest:
        most === undefined
          ? undefined
          : [Number(most), path === "verificationMessage" ? "OTP-MESSAGE-LENGTH" : fields],
    };
  });
}

const PROVIDER = {
  id: "text!",
  code: "text!",
  name: "text!",
  country: "country!",
  status: "object!",
  "status/active": "flag!",
  featureSet: "object!",
  "featureSet/payout": "object!",
  "featureSet/payout/canPayTo": "flag!",
  "featureSet/payout/schemes": "list~",
  "featureSet/payout/metadata": "object",
  "featureSet/payment": "object!",
  "featureSet/payment/canPayFrom": "flag!",
  "featureSet/payment/schemes": "list~",
  "featureSet/payment/metadata": "object",
  "featureSet/kycVerification": "object!",
  "featureSet/kycVerification/canVerifyAccount": "flag!",
  "featureSet/kycVerification/metadata": "object",
  createTime: "time!",
  updateTime: "time!",
};

const CODE_STATES = ["pending", "processing", "expired", "cancelled", "completed"];

export const SHAPES: readonly Shape[] = [
  {
    shown: ["GET /v1/ussd-otps"],
    states: ["pending", "verified", "expired"],
    fields: table("OTP", {
      id: "text!",
      status: "choice!",
      dialCode: "text!",
      authorizedPhoneNumber: "text!",
      verificationMessage: "text~0 255",
      createTime: "time!",
      expireTime: "time!",
      metadata: "object~0",
    }),
  },
  {
    shown: ["POST /v1/financial-accounts"],
    states: [],
    fields: table("ACCOUNT", {
      id: "text!",
      uvan: "text!",
      name: "text!",
      currency: "currency!",
      reference: "text~0",
      description: "text~0",
      balance: "object!",
      "balance/available": "object!",
      "balance/available/currency": "currency!",
      "balance/available/value": "integer!",
      createTime: "time!",
      updateTime: "time!",
      metadata: "object~",
    }),
  },
  {
    shown: ["GET /v1/payment-codes"],
    states: CODE_STATES,
    fields: table("CODE-LIST", {
      id: "text!",
      mode: "choice!",
      status: "choice!",
      name: "text!",
      amount: "object~",
      "amount/currency": "currency!",
      "amount/value": "integer!",
      enable: "flag!",
      expireTime: "time!",
      customer: "object",
      "customer/name": "text",
      ussdCode: "text!",
      reference: "text",
      authorizedProviders: "list",
      authorizedPhoneNumber: "text",
      recurrentPaymentTarget: "object",
      "recurrentPaymentTarget/expectedPaymentCount": "integer",
      "recurrentPaymentTarget/expectedPaymentTotal": "object",
      "recurrentPaymentTarget/expectedPaymentTotal/currency": "currency!",
      "recurrentPaymentTarget/expectedPaymentTotal/value": "integer!",
      financialAccountId: "text!",
      processedPaymentData: "object",
      "processedPaymentData/amount": "object",
      "processedPaymentData/amount/value": "integer!",
      "processedPaymentData/orderId": "text",
      "processedPaymentData/paymentId": "text",
      "processedPaymentData/orderNumber": "text",
      "processedPaymentData/financialTransactionReference": "text",
      "processedPaymentData/channelData": "object",
      "processedPaymentData/channelData/providerId": "text",
      "processedPaymentData/channelData/accountId": "text",
      "processedPaymentData/channelData/reference": "text",
      "processedPaymentData/metadata": "object",
      createTime: "time!",
      updateTime: "time!",
      ownershipGraph: "object",
      "ownershipGraph/owner": "object0",
      "ownershipGraph/owner/id": "text!",
      "ownershipGraph/owner/type": "text!",
      "ownershipGraph/owner/metadata": "object",
      "ownershipGraph/owner/owner": "object0",
      "ownershipGraph/owner/owner/id": "text!",
      "ownershipGraph/owner/owner/type": "text!",
      metadata: "object",
    }),
  },
  {
    shown: ["GET /payment-codes/{id}", "PATCH /payment-codes/{id}"],
    states: [],
    fields: table("CODE", {
      id: "text!",
      name: "text!",
      mode: "text!",
      isActive: "flag!",
      status: "text!",
      ussdCode: "text!",
      amount: "object~",
      "amount/currency": "currency!",
      "amount/value": "integer!",
      customerTarget: "object",
      "customerTarget/name": "text",
      "customerTarget/reference": "text",
      allowedProviders: "list",
      progress: "object~",
      "progress/isCompleted": "flag",
      "progress/totalPaymentCount": "integer",
      "progress/totalPaymentSum": "object",
      "progress/totalPaymentSum/currency": "currency!",
      "progress/totalPaymentSum/value": "integer!",
      financialAccountId: "text!",
      expireTime: "time!",
      createTime: "time!",
      metadata: "object",
    }),
  },
  {
    shown: ["GET /payouts/{id}", "PATCH /payouts/{id}"],
    states: [],
    fields: table("PAYOUT", {
      id: "text!",
      status: "text!",
      amount: "object!",
      "amount/currency": "currency!",
      "amount/value": "integer!",
      source: "object!",
      "source/financialAccountId": "text",
      "source/transactionReference": "text",
      destination: "object!",
      "destination/providerCode": "text",
      "destination/accountId": "text",
      "destination/transactionReference": "text",
      charges: "list~",
      "charges/*/name": "text",
      "charges/*/amount": "object",
      "charges/*/amount/currency": "currency!",
      "charges/*/amount/value": "integer!",
      "charges/*/metadata": "object",
      createTime: "time!",
      metadata: "object",
    }),
  },
  {
    shown: ["GET /webhooks", "POST /webhooks", "PATCH /webhooks/{id}"],
    states: [],
    fields: table("WEBHOOK", {
      id: "text!",
      name: "text! 100",
      url: "text!",
      events: "list!0",
      isActive: "flag!",
      apiVersion: "text",
      alertEmails: "list0",
      verificationMethod: "object",
      "verificationMethod/hmac256": "object",
      "verificationMethod/hmac256/secret": "text",
      customHeaders: "object",
      createTime: "time!",
      metadata: "object",
    }),
  },
  { shown: ["GET /banks", "GET /banks/{idOrCode}"], states: [], fields: table("PROVIDER", PROVIDER) },
  { shown: ["GET /momos", "GET /momos/{idOrCode}"], states: [], fields: table("PROVIDER", PROVIDER) },
  {
    shown: ["GET /countries", "GET /countries/{idOrCode}"],
    states: [],
    fields: table("COUNTRY", {
      id: "text!",
      code: "text!",
      name: "text!",
      currency: "object!",
      "currency/code": "currency!",
      "currency/unit": "text!",
      "currency/unitLength": "integer!",
      supportedCurrencies: "list!",
    }),
  },
];
