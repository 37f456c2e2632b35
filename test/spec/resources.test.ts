import { describe, expect, test } from "vitest";
import { isObject, type JsonObject, withoutValue, withValue } from "../../spec/json.ts";
import { component, operation, spec } from "./package-spec.ts";
import { listOf, samples, single } from "./samples.ts";

const { schemas } = spec;

/** The JSON pointers of all properties of a value, with `*` in place of list indices. */
function pointersOf(value: unknown, pointer = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pointersOf(item, `${pointer}/*`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    `${pointer}/${name}`,
    ...pointersOf(child, `${pointer}/${name}`),
  ]);
}

/** The JSON pointers of all properties that a schema documents. An `owner` has an `owner`: only two are followed. */
function documented(name: string): string[] {
  const found: string[] = [];
  const visit = (schema: Parameters<typeof schemas.flatten>[0], pointer: string, depth: number): void => {
    const flat = schemas.flatten(schema);
    if (flat.items) visit(flat.items, `${pointer}/*`, depth);
    for (const [property, child] of Object.entries(flat.properties ?? {})) {
      if (property === "owner" && depth > 0) continue;
      found.push(`${pointer}/${property}`);
      visit(child, `${pointer}/${property}`, depth + (property === "owner" ? 1 : 0));
    }
  };
  visit(component(name), "", 0);
  return found;
}

describe.each(Object.entries(samples))("%s", (name, sample) => {
  test("a complete object is valid", () => {
    expect(schemas.validate(component(name), sample)).toEqual([]);
  });

  test("the documented fields are those of section 2", () => {
    const shown = new Set(pointersOf(sample));
    for (const pointer of documented(name))
      expect(shown, `${pointer} is documented; test/spec/samples.ts must show it`).toContain(pointer);
    const known = new Set(documented(name));
    // Users choose the names in metadata and custom headers. The owner of an owner repeats the first owner's fields.
    const free = /\/metadata\/|^\/customHeaders\/|\/owner\/owner/;
    for (const pointer of shown)
      if (!free.test(pointer))
        expect(known, `${pointer} is shown in test/spec/samples.ts, and must be documented`).toContain(
          pointer,
        );
  });

  test("fields that are not documented are allowed", () => {
    expect(schemas.validate(component(name), { ...sample, unheardOf: { of: [null] } })).toEqual([]);
  });
});

/**
 * For a resource and a requirement, values that each break only this requirement, with their pointers. Undefined
 * removes the value.
 */
const FAULTS: [resource: keyof typeof samples, requirement: string, faults: [string, unknown][]][] = [
  [
    "UssdOtp",
    "OTP-FIELDS",
    [
      ["/status", "done"],
      ["/id", 7],
      ["/dialCode", null],
      ["/createTime", "2025-08-23"],
      ["/verificationMessage", 5],
      ["/metadata", []],
    ],
  ],
  [
    "UssdOtp",
    "OTP-PRESENT",
    [
      ["/id", undefined],
      ["/status", undefined],
      ["/dialCode", undefined],
      ["/authorizedPhoneNumber", undefined],
      ["/createTime", undefined],
      ["/expireTime", undefined],
    ],
  ],
  ["UssdOtp", "OTP-MESSAGE-LENGTH", [["/verificationMessage", "x".repeat(256)]]],
  [
    "UssdOtp",
    "OTP-METADATA-COUNT",
    [["/metadata", Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, ""]))]],
  ],
  [
    "UssdOtp",
    "OTP-METADATA-VALUES",
    [
      ["/metadata", { order: 17 }],
      ["/metadata", { order: null }],
      ["/metadata", { order: "x".repeat(101) }],
    ],
  ],
  [
    "FinancialAccount",
    "ACCOUNT-FIELDS",
    [
      ["/currency", "ZZZ"],
      ["/currency", "ghs"],
      ["/name", null],
      ["/uvan", 12],
      ["/balance", null],
      ["/metadata", null],
      ["/reference", 4],
    ],
  ],
  [
    "FinancialAccount",
    "ACCOUNT-PRESENT",
    [
      ["/id", undefined],
      ["/uvan", undefined],
      ["/name", undefined],
      ["/currency", undefined],
      ["/balance", undefined],
      ["/balance/available", undefined],
      ["/createTime", undefined],
      ["/updateTime", undefined],
    ],
  ],
  [
    "FinancialAccount",
    "MONEY-FIELDS",
    [
      ["/balance/available/value", 1.5],
      ["/balance/available/value", "12"],
      ["/balance/available/currency", "XX"],
      ["/balance/available", 12],
    ],
  ],
  [
    "FinancialAccount",
    "MONEY-PRESENT",
    [
      ["/balance/available/value", undefined],
      ["/balance/available/currency", undefined],
    ],
  ],
  [
    "PaymentCodeListItem",
    "CODE-LIST-FIELDS",
    [
      ["/mode", "oneTime"],
      ["/status", "open"],
      ["/enable", "yes"],
      ["/customer", null],
      ["/customer/name", 1],
      ["/authorizedProviders", [1]],
      ["/authorizedProviders", null],
      ["/recurrentPaymentTarget/expectedPaymentCount", 1.5],
      ["/processedPaymentData/orderId", 1],
      ["/processedPaymentData/channelData/providerId", null],
      ["/expireTime", "tomorrow"],
    ],
  ],
  [
    "PaymentCodeListItem",
    "CODE-LIST-PRESENT",
    [
      "id",
      "mode",
      "status",
      "name",
      "enable",
      "expireTime",
      "ussdCode",
      "financialAccountId",
      "createTime",
      "updateTime",
    ].map((name): [string, unknown] => [`/${name}`, undefined]),
  ],
  [
    "PaymentCodeListItem",
    "MONEY-FIELDS",
    [
      ["/amount/value", 1.5],
      ["/recurrentPaymentTarget/expectedPaymentTotal/currency", "XX"],
      ["/processedPaymentData/amount/value", null],
    ],
  ],
  [
    "PaymentCodeListItem",
    "OWNERSHIP-CHAIN",
    [
      ["/ownershipGraph", null],
      ["/ownershipGraph/owner/id", undefined],
      ["/ownershipGraph/owner/owner/type", undefined],
      ["/ownershipGraph/owner/owner/type", 5],
      ["/ownershipGraph/owner/metadata", "none"],
      ["/ownershipGraph/owner/owner/owner", "o3"],
    ],
  ],
  [
    "PaymentCode",
    "CODE-FIELDS",
    [
      ["/isActive", null],
      ["/mode", 1],
      ["/allowedProviders", "prv_1"],
      ["/progress/isCompleted", "no"],
      ["/progress/totalPaymentCount", 0.5],
      ["/customerTarget/payingPhoneNumber", 233],
    ],
  ],
  [
    "PaymentCode",
    "CODE-PRESENT",
    [
      "id",
      "name",
      "mode",
      "isActive",
      "status",
      "ussdCode",
      "financialAccountId",
      "expireTime",
      "createTime",
    ].map((name): [string, unknown] => [`/${name}`, undefined]),
  ],
  [
    "Payout",
    "PAYOUT-FIELDS",
    [
      ["/status", 1],
      ["/charges", {}],
      ["/charges/0/name", 1],
      ["/failureDetail/code", 5],
      ["/source/financialAccountId", null],
      ["/destination", []],
    ],
  ],
  [
    "Payout",
    "PAYOUT-PRESENT",
    ["id", "status", "amount", "source", "destination", "createTime"].map((name): [string, unknown] => [
      `/${name}`,
      undefined,
    ]),
  ],
  [
    "Payout",
    "MONEY-PRESENT",
    [
      ["/amount/value", undefined],
      ["/charges/0/amount/currency", undefined],
    ],
  ],
  [
    "Webhook",
    "WEBHOOK-FIELDS",
    [
      ["/name", ""],
      ["/name", "x".repeat(101)],
      ["/events", [1]],
      ["/alertEmails", ["a", "b", "c", "d"]],
      ["/isActive", "false"],
      ["/verificationMethod/hmac256/secret", 5],
      ["/customHeaders", null],
    ],
  ],
  [
    "Webhook",
    "WEBHOOK-PRESENT",
    ["id", "name", "url", "events", "isActive", "createTime"].map((name): [string, unknown] => [
      `/${name}`,
      undefined,
    ]),
  ],
  ...(["Bank", "Momo"] as const).flatMap((name): typeof FAULTS => [
    [
      name,
      "PROVIDER-FIELDS",
      [
        ["/country", "GHA"],
        ["/country", "ZZ"],
        ["/country", "gh"],
        ["/status/active", 1],
        ["/featureSet/payout/schemes", [null]],
        ["/featureSet/payment/canPayFrom", "no"],
      ],
    ],
    [
      name,
      "PROVIDER-PRESENT",
      [
        ["/id", undefined],
        ["/code", undefined],
        ["/name", undefined],
        ["/country", undefined],
        ["/status/active", undefined],
        ["/featureSet/payout/canPayTo", undefined],
        ["/featureSet/payment/canPayFrom", undefined],
        ["/featureSet/kycVerification/canVerifyAccount", undefined],
        ["/featureSet/kycVerification", undefined],
        ["/createTime", undefined],
        ["/updateTime", undefined],
      ],
    ],
  ]),
  [
    "Country",
    "COUNTRY-FIELDS",
    [
      ["/currency/code", "ZZZ"],
      ["/currency/unitLength", "2"],
      ["/currency/unitLength", 2.5],
      ["/supportedCurrencies", [936]],
      ["/name", null],
    ],
  ],
  [
    "Country",
    "COUNTRY-PRESENT",
    [
      ["/id", undefined],
      ["/code", undefined],
      ["/name", undefined],
      ["/currency", undefined],
      ["/currency/code", undefined],
      ["/currency/unit", undefined],
      ["/currency/unitLength", undefined],
      ["/supportedCurrencies", undefined],
    ],
  ],
];

const cases = FAULTS.flatMap(([resource, requirement, faults]) =>
  faults.map(([pointer, value]) => ({ resource, requirement, pointer, value })),
);

function broken(sample: JsonObject, pointer: string, value: unknown): JsonObject {
  return value === undefined ? withoutValue(sample, pointer) : withValue(sample, pointer, value);
}

test.each(cases)(
  "$resource with $pointer $value breaks $requirement",
  ({ resource, requirement, pointer, value }) => {
    const faults = schemas.validate(component(resource), broken(samples[resource], pointer, value));
    expect(faults.map((fault) => fault.requirement)).toEqual([requirement]);
    expect(faults[0]?.pointer.startsWith(pointer)).toBe(true);
    // The same fault must be found if the resource is part of a whole answer.
    const [holder, body] = answerWith(resource, broken(samples[resource], pointer, value));
    const inAnswer = schemas.validate(holder, body);
    expect(inAnswer.map((fault) => fault.requirement)).toEqual([requirement]);
  },
);

const HOLDERS: Record<keyof typeof samples, string> = {
  UssdOtp: "GET /v1/ussd-otps",
  FinancialAccount: "POST /v1/financial-accounts",
  PaymentCodeListItem: "GET /v1/payment-codes",
  PaymentCode: "PATCH /payment-codes/{id}",
  Payout: "GET /payouts/{id}",
  Webhook: "GET /webhooks",
  Bank: "GET /banks",
  Momo: "GET /momos/{idOrCode}",
  Country: "GET /countries",
};

function answerWith(resource: keyof typeof samples, value: unknown) {
  const holder = operation(HOLDERS[resource]);
  const body = holder.list ? listOf([value], holder.list.total ? 1 : undefined) : single(value);
  return [holder.response ?? {}, body] as const;
}

describe("envelopes", () => {
  const one = operation("GET /payouts/{id}").response ?? {};
  const list = operation("GET /v1/ussd-otps").response ?? {};
  const counted = operation("GET /banks").response ?? {};
  const good = single(samples.Payout);
  const goodList = listOf([samples.UssdOtp]);
  const goodCounted = listOf([samples.Bank], 1);

  test("valid envelopes are valid", () => {
    expect(schemas.validate(one, good)).toEqual([]);
    expect(schemas.validate(list, goodList)).toEqual([]);
    expect(schemas.validate(list, listOf(null))).toEqual([]);
    expect(schemas.validate(list, { ...goodList, pagination: { count: 1, next: "abc", total: 12 } })).toEqual(
      [],
    );
    expect(schemas.validate(counted, goodCounted)).toEqual([]);
    expect(schemas.validate(counted, listOf([], 0))).toEqual([]);
  });

  test.each([
    ["SUCCESS-TRUE", one, { ...good, success: false }],
    ["SUCCESS-TRUE", one, { ...good, success: "true" }],
    ["SUCCESS-TRUE", one, withoutValue(good, "/success")],
    ["MESSAGES-ARRAY", one, { ...good, messages: "none" }],
    ["MESSAGES-ARRAY", one, { ...good, messages: null }],
    ["MESSAGES-ARRAY", one, withoutValue(good, "/messages")],
    ["RESULT-OBJECT", one, { ...good, result: null }],
    ["RESULT-OBJECT", one, { ...good, result: [samples.Payout] }],
    ["RESULT-OBJECT", one, withoutValue(good, "/result")],
    ["PAGINATION-ABSENT", one, { ...good, pagination: null }],
    ["PAGINATION-ABSENT", one, { ...good, pagination: { count: 1, next: null } }],
    ["SUCCESS-TRUE", list, { ...goodList, success: 1 }],
    ["RESULT-LIST", list, { ...goodList, result: {} }],
    ["RESULT-LIST", list, { ...goodList, result: ["otp_1"] }],
    ["RESULT-LIST", list, withoutValue(goodList, "/result")],
    ["PAGINATION-PRESENT", list, withoutValue(goodList, "/pagination")],
    ["PAGINATION-PRESENT", list, { ...goodList, pagination: null }],
    ["PAGINATION-FIELDS", list, { ...goodList, pagination: { count: "1", next: null } }],
    ["PAGINATION-FIELDS", list, { ...goodList, pagination: { next: null } }],
    ["PAGINATION-FIELDS", list, { ...goodList, pagination: { count: 1 } }],
    ["PAGINATION-FIELDS", list, { ...goodList, pagination: { count: 1, next: 5 } }],
    ["PAGINATION-FIELDS", list, { ...goodList, pagination: { count: 1, next: null, total: "1" } }],
    ["LIST-TOTAL", counted, { ...goodCounted, pagination: { count: 1, next: null } }],
    ["LIST-TOTAL", counted, { ...goodCounted, pagination: { count: 1, next: null, total: 1.5 } }],
    ["LIST-TOTAL", counted, { ...goodCounted, pagination: { count: 1, next: null, total: null } }],
  ])("%s", (requirement, schema, body) => {
    const broken = new Set(schemas.validate(schema, body).map((fault) => fault.requirement));
    expect(broken).toContain(requirement);
    // A wrong result may also break the requirements about the resource's fields. No other may be named.
    for (const other of broken)
      expect([requirement, "OTP-FIELDS", "PAYOUT-FIELDS", "RESULT-OBJECT", "RESULT-LIST"]).toContain(other);
  });
});
