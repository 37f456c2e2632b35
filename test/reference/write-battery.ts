import type { IncomingRequest } from "../../reference/context.ts";
import { SIGNATURE_HEADER } from "../../reference/deliveries.ts";
import { dispatch } from "../../reference/dispatch.ts";
import { isObject, type Json, type JsonObject } from "../../reference/json.ts";
import type { OperationName } from "../../reference/operations.ts";
import type { Service } from "../../reference/service.ts";
import { ACCESS, prepare } from "../../reference/start.ts";

/** Header values; null leaves a usual header out. */
export type Headers = Readonly<Record<string, string | null>>;

/** One request of a battery: the body as JSON, or as it is when it is text. */
export interface Step {
  readonly body: Json;
  readonly headers?: Headers;
}

/** What is seen of an answer; ids are alike in all services, recent times are masked. */
export interface Seen {
  readonly status: number;
  readonly type: unknown;
  readonly body: string;
}

const HOUR = 3_600_000;

/** Present times differ from run to run: they are told by their distance in hours. */
function masked(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => {
    const hours = Math.round((Date.parse(time) - Date.now()) / HOUR);
    return Math.abs(hours) <= 48 ? `now ${hours} h` : time;
  });
}

/** A service without a network: requests go straight to its dispatcher. */
export class Bench {
  readonly service: Service;
  readonly fixtures: Readonly<Record<string, string>>;
  #count = 0;

  constructor(defects: readonly string[]) {
    const size = { paymentCodes: 30, ussdOtps: 0, webhooks: 2, payouts: 3, financialAccounts: 2 };
    const { service, fixtures } = prepare({ defects, size: { ...size, financialTransactions: 0 } });
    this.service = service;
    this.fixtures = fixtures;
  }

  async send(operation: string, body?: Json, headers: Headers = {}): Promise<Seen> {
    const [method = "", target = ""] = operation.split(" ");
    const [path = "", query = ""] = target.split("?");
    this.#count += 1;
    const sent: Record<string, string | null> = {
      authorization: `Bearer ${ACCESS.token}`,
      "service-space-id": ACCESS.space,
      "idempotency-key": `key-${this.#count}`,
      "content-type": "application/json",
      ...headers,
    };
    const request: IncomingRequest = {
      method,
      path,
      query,
      headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, value ?? undefined])),
      body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)),
      tooLarge: false,
    };
    const answer = await dispatch(this.service, request);
    return {
      status: answer.status,
      type: answer.headers["Content-Type"],
      body: masked(String(answer.body)),
    };
  }
}

/** The result in a seen answer, else an empty object. */
export function resultOf({ body }: Seen): JsonObject {
  try {
    const parsed = JSON.parse(body) as Json;
    return isObject(parsed) && isObject(parsed.result) ? parsed.result : {};
  } catch {
    return {};
  }
}

const OLDER = { "service-version": "caph.2025-06-20" };
const NEWER = { "service-version": "caph.2025-08-23" };

/** Ways to ask that are wrong or unusual whatever the body. */
export const ACCESS_HEADERS: readonly Headers[] = [
  OLDER,
  NEWER,
  { "service-version": "caph.1999-01-01" },
  { authorization: null },
  { authorization: "Bearer" },
  { authorization: "Bearer nobody" },
  { authorization: `Bearer ${ACCESS.token.toUpperCase()}` },
  { authorization: `Bearer ${ACCESS.token.slice(0, -1)}` },
  { authorization: `Bearer ${ACCESS.token}x` },
  { authorization: `Basic ${ACCESS.token}` },
  { authorization: `Basic ${Buffer.from(`any:${ACCESS.token}`).toString("base64")}` },
  { authorization: ACCESS.token },
  { authorization: `bearer ${ACCESS.token}` },
  { "service-space-id": null },
  { "service-space-id": "" },
  { "service-space-id": "space" },
  { "service-space-id": `x${ACCESS.space}` },
  { "service-space-id": `spc-${"a".repeat(61)}` },
  { "service-space-id": `spc-${"a".repeat(97)}` },
  { "service-space-id": "spc-nowhere" },
  { "service-space-id": ACCESS.secondSpace },
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-8" },
];

const TEXTS: readonly string[] = [
  "  spaced  ",
  "e\u0301",
  "a".repeat(60),
  "a".repeat(100),
  "a".repeat(101),
  `${"a".repeat(100)} `,
  "Market 😀",
  "<b>bold</b> & \"quoted\" 'too'",
  "x' or 1=1; --",
  "Éàü",
  "",
];

const WRONG: readonly Json[] = [null, 7, true, ["a"], { a: "b" }, "text", "true"];

const ATTRIBUTES: readonly Json[] = [
  {},
  { A: "1", "b.c": "true", d: "", e: "it's" },
  { nested: { deep: { deeper: "x" } } },
  [],
];

/** Bodies that are no JSON object. */
export const RAW_BODIES: readonly string[] = ["", "null", "[]", "7", '"text"', "{", '{"a":1,}', "{} {}"];

function variations(valid: JsonObject, fields: Readonly<Record<string, readonly Json[]>>): JsonObject[] {
  return Object.entries(fields).flatMap(([field, values]) =>
    values.map((value) => ({ ...valid, [field]: value })),
  );
}

/** The object with each of its fields left out in turn. */
function lacking(object: JsonObject): JsonObject[] {
  return Object.keys(object).map((left) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => name !== left)),
  );
}

function list(length: number): string[] {
  return Array.from({ length }, (_, index) => `a${index}+b@example.com`);
}

const ACCOUNT_BODY = { name: "Till", currency: "XAF" };
const FULL_ACCOUNT = {
  ...ACCOUNT_BODY,
  reference: "full",
  description: "A note 😀",
  metadata: { Team: "payments", size: "12" },
};
const WEBHOOK_BODY = { name: "Hook", url: "https://example.com/Path?q=1", events: null };
const FULL_WEBHOOK = {
  ...WEBHOOK_BODY,
  events: ["a.b", "c.d"],
  isActive: true,
  apiVersion: "caph.2025-06-20",
  alertEmails: list(3),
  verificationMethod: { hmac256: { secret: "hush" } },
  customHeaders: { "X-Team": "a", "X-Other": "b" },
  metadata: { Team: "payments" },
};
const CODE_BODY = {
  name: "Fees",
  isActive: false,
  expireTime: "2033-02-27T23:59:59+05:30",
  allowedProviders: ["a", "b"],
  metadata: { Team: "payments" },
};

/** Variations of the fields that a webhook takes on creation and update alike. */
const WEBHOOK_FIELDS = {
  name: [...TEXTS, ...WRONG],
  url: ["example.com/path", "nowhere at all", "https://Example.com/A?b=C#d", ...WRONG],
  events: [[], list(1), list(51), list(100), list(101), [1, "a"], ...WRONG],
  isActive: [true, false, 1, 0, "true", "false", ...WRONG],
  apiVersion: ["caph.2025-06-20", "caph.2025-08-23", ...WRONG],
  alertEmails: [[], list(1), list(3), list(4), ["Ops@example.com"], [1], ...WRONG],
  verificationMethod: [{}, { hmac256: {} }, { hmac256: { secret: "s" } }, ...WRONG],
  customHeaders: [...ATTRIBUTES, { "X-Team": "b" }, ...WRONG],
  metadata: [...ATTRIBUTES, ...WRONG],
};

/** Bodies for each writing operation, valid and not. */
export const BODIES = {
  "POST /v1/financial-accounts": [
    FULL_ACCOUNT,
    { ...FULL_ACCOUNT, name: "Other", currency: "EUR" },
    { ...ACCOUNT_BODY, reference: "late" },
    { ...FULL_ACCOUNT, description: null, metadata: {} },
    ...lacking(ACCOUNT_BODY),
    ...variations(ACCOUNT_BODY, {
      name: [...TEXTS, ...WRONG],
      currency: ["ZZZ", "USDT", "XA", "Euro", "EUR", ...WRONG],
      reference: ["r".repeat(37), "R".repeat(64), "r".repeat(65), " r ", null, ...WRONG],
      description: ["d".repeat(141), "d".repeat(150), "d".repeat(151), "Ho 😀", ...WRONG],
      metadata: [...ATTRIBUTES, ...WRONG],
    }),
    { ...ACCOUNT_BODY, currency: "ZZZ", reference: "left-behind" },
    { ...ACCOUNT_BODY, reference: "left-behind" },
    JSON.stringify([ACCOUNT_BODY]),
    `${JSON.stringify(ACCOUNT_BODY)} and more`,
  ],
  "POST /webhooks": [
    FULL_WEBHOOK,
    ...lacking(WEBHOOK_BODY),
    ...variations(WEBHOOK_BODY, WEBHOOK_FIELDS),
    JSON.stringify(JSON.stringify(WEBHOOK_BODY)),
    JSON.stringify(WEBHOOK_BODY).slice(0, -1),
  ],
  "PATCH /payment-codes/{id}": [
    {},
    CODE_BODY,
    { name: "Only the name" },
    { metadata: { only: "metadata" } },
    ...variations(CODE_BODY, {
      name: [...TEXTS, ...WRONG],
      isActive: ["true", "false", 0, 1, ...WRONG],
      status: ["pending", "completed", "canceled", "CANCELLED", ...WRONG],
      expireTime: ["2033-02-27", "soon", "2033-02-27T10:00:00Z", 2_000_000_000, ...WRONG],
      allowedProviders: [[], ["a"], list(10), list(11), [1, "a"], ...WRONG],
      metadata: [...ATTRIBUTES, ...WRONG],
    }),
  ],
  "PATCH /payouts/{id}": [
    {},
    { metadata: { Team: "payments" } },
    { amount: { currency: "XAF", value: 1 }, delayedReason: "none" },
    ...variations({}, { metadata: [...ATTRIBUTES, ...WRONG] }),
  ],
  "PATCH /webhooks/{id}": [
    FULL_WEBHOOK,
    { url: "https://example.com/b" },
    { name: "Without url" },
    ...variations({ url: "https://example.com/c" }, WEBHOOK_FIELDS),
    `${JSON.stringify({ url: "https://example.com/d" })} and more`,
    JSON.stringify([{ url: "https://example.com/e" }]),
  ],
} satisfies Partial<Record<OperationName, readonly Json[]>>;

/** The writing operations with a battery. */
export type Written = keyof typeof BODIES;

/** Valid, short bodies for each writing operation. */
export const VALID: Readonly<Record<Written, JsonObject>> = {
  "POST /v1/financial-accounts": ACCOUNT_BODY,
  "POST /webhooks": WEBHOOK_BODY,
  "PATCH /payment-codes/{id}": { name: "Valid" },
  "PATCH /payouts/{id}": { metadata: { valid: "yes" } },
  "PATCH /webhooks/{id}": { url: "https://example.com/valid", name: "Valid" },
};

/** What a webhook's deliveries look like when it has two custom headers and a secret. */
export function deliveriesOf({ service }: Bench): unknown {
  const time = "2026-01-01T00:00:00Z";
  const event = { id: "evt_1", name: "a.b", space: ACCESS.space, time, data: {} };
  const data = FULL_WEBHOOK;
  const webhook = { kind: "webhook" as const, id: "whk_1", space: ACCESS.space, writtenAt: 0, data };
  const headers = { ...FULL_WEBHOOK.customHeaders, [SIGNATURE_HEADER]: "00" };
  const delivery = { url: WEBHOOK_BODY.url, headers, body: "{}", delayMs: 0 };
  return service.hooks.deliveries([delivery], service, { event, webhook });
}
