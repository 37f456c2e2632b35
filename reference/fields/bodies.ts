import type { Json } from "../json.ts";
import type { OperationName } from "../operations.ts";
import type { Rule } from "../problems.ts";

export interface BodyField {
  readonly operation: OperationName;
  readonly name: string;
  /** The name in the store: `enable` for `isActive` of a payment code. */
  readonly kept: string;
  readonly type: "text" | "flag" | "list" | "object";
  readonly required: boolean;
  readonly nullable: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly form: Extract<Rule, "format" | "enum"> | undefined;
  /** A value that a careless service might store instead. */
  readonly constant: Json;
}

type Row = readonly [
  flags: string,
  constant: Json,
  rules?: { min?: number; max?: number; form?: "format" | "enum"; kept?: string },
];

/** The flags of a row are a type and signs: `!` is required, `0` may be null. */
function bodyOf(operation: OperationName, rows: Readonly<Record<string, Row>>): BodyField[] {
  return Object.entries(rows).map(([name, [flags, constant, rules = {}]]) => ({
    operation,
    name,
    kept: rules.kept ?? name,
    type: flags.replace(/[^a-z]/g, "") as BodyField["type"],
    required: flags.includes("!"),
    nullable: flags.includes("0"),
    min: rules.min,
    max: rules.max,
    form: rules.form,
    constant,
  }));
}

const EVENTS: Json = ["payout.updated"];
const WEBHOOK_REST: Readonly<Record<string, Row>> = {
  alertEmails: ["list0", ["default@example.com"], { max: 3 }],
  verificationMethod: ["object", { hmac256: { secret: "default" } }],
  customHeaders: ["object", { "X-Default": "yes" }],
  metadata: ["object", { default: "yes" }],
};

export const BODY_FIELDS: readonly BodyField[] = [
  ...bodyOf("POST /v1/financial-accounts", {
    name: ["text!", "Account", { max: 100 }],
    currency: ["text!", "USD", { form: "format" }],
    reference: ["text0", "REF-1", { max: 64 }],
    description: ["text0", "An account", { max: 150 }],
    metadata: ["object", { default: "yes" }],
  }),
  ...bodyOf("POST /webhooks", {
    name: ["text!", "Webhook", { min: 1, max: 100 }],
    url: ["text!", "https://hooks.example.com/Default?by=Service", { form: "format" }],
    events: ["list!0", EVENTS, { min: 1, max: 100 }],
    isActive: ["flag", true],
    apiVersion: ["text", "caph.2025-08-23"],
    ...WEBHOOK_REST,
  }),
  ...bodyOf("PATCH /webhooks/{id}", {
    url: ["text!", "https://hooks.example.com/Default?by=Service", { form: "format" }],
    name: ["text0", "Webhook", { min: 1, max: 100 }],
    isActive: ["flag0", true],
    apiVersion: ["text0", "caph.2025-08-23"],
    events: ["list0", EVENTS, { min: 1, max: 100 }],
    ...WEBHOOK_REST,
  }),
  ...bodyOf("PATCH /payment-codes/{id}", {
    name: ["text0", "Payment code", { max: 100 }],
    isActive: ["flag0", true, { kept: "enable" }],
    status: ["text0", "pending", { form: "enum" }],
    expireTime: ["text", "2040-01-01T00:00:00.000Z", { form: "format" }],
    allowedProviders: ["list0", [], { min: 1, max: 10, kept: "authorizedProviders" }],
    metadata: ["object", { default: "yes" }],
  }),
  ...bodyOf("PATCH /payouts/{id}", { metadata: ["object0", { default: "yes" }] }),
];

export function prefixOf(operation: OperationName): "CREATE" | "UPDATE" {
  return operation.startsWith("POST") ? "CREATE" : "UPDATE";
}
