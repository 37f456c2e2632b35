/** The loaded specification agrees with its text, whose sections, operations and limits this file repeats. */

import { describe, expect, test } from "vitest";
import { operation, spec } from "./package-spec.ts";

/** The operations of each section, as `METHOD path`. */
const OPERATIONS: Record<string, string[]> = {
  "4.1": ["GET /v1/ussd-otps"],
  "4.2": ["POST /v1/financial-accounts"],
  "4.3": ["GET /v1/payment-codes"],
  "4.4": ["GET /payment-codes/{id}"],
  "4.5": ["PATCH /payment-codes/{id}"],
  "4.6": ["GET /payouts/{id}"],
  "4.7": ["PATCH /payouts/{id}"],
  "4.8": ["GET /banks"],
  "4.9": ["GET /banks/{idOrCode}"],
  "4.10": ["GET /momos"],
  "4.11": ["GET /momos/{idOrCode}"],
  "4.12": ["GET /countries"],
  "4.13": ["GET /countries/{idOrCode}"],
  "4.14": ["POST /webhooks"],
  "4.15": ["PATCH /webhooks/{id}"],
  "4.16": ["GET /webhooks"],
  "4.17": [
    "GET /v1/financial-accounts",
    "GET /v1/financial-transactions",
    "GET /v1/provider-kyc/{providerId}",
    "GET /v1/receipts/{orderNumber}",
    "POST /v1/checkout-sessions",
    "POST /v1/internal-transfers",
    "POST /v1/payments",
    "POST /v1/receipts/{orderNumber}/redeem",
    "POST /v1/ussd-otps",
  ],
};

test("every operation is described, with its section, and no other", () => {
  const found: Record<string, string[]> = {};
  for (const { section, key } of spec.operations) found[section] = [...(found[section] ?? []), key].sort();
  expect(found).toEqual(OPERATIONS);
});

test("the operations of 4.17 are the only ones without a shape", () => {
  for (const { key, kind, section, response } of spec.operations) {
    expect(kind === "named", key).toBe(section === "4.17");
    expect(response === undefined, key).toBe(section === "4.17");
  }
});

const SECTIONS = [
  "1",
  ...Array.from({ length: 12 }, (_, n) => `2.${n + 1}`),
  "3",
  ...Array.from({ length: 17 }, (_, n) => `4.${n + 1}`),
  ...["5", "6", "7", "8", "9"],
];

test.each(SECTIONS)("section %s has a requirement or an operation", (section) => {
  const stated = [...spec.requirements.values()].filter((requirement) => requirement.section === section);
  const shown = spec.operations.filter((candidate) => candidate.section === section);
  expect(stated.length + shown.length).toBeGreaterThan(0);
});

test("no requirement or operation names a section that does not exist", () => {
  const known = new Set([...SECTIONS, "2", "4"]);
  for (const { id, section } of spec.requirements.values()) expect(known, id).toContain(section);
});

test("each version is known, the oldest first", () => {
  expect(spec.versions).toEqual(["caph.2025-06-20", "caph.2025-08-23"]);
  for (const { key, version } of spec.operations)
    expect(version?.schema.enum, key).toEqual(["caph.2025-08-23", "caph.2025-06-20", null]);
  expect(
    spec.operations.filter(({ since }) => since !== undefined).map(({ key, since }) => [key, since]),
  ).toEqual([
    ["GET /v1/receipts/{orderNumber}", "caph.2025-08-23"],
    ["POST /v1/receipts/{orderNumber}/redeem", "caph.2025-08-23"],
  ]);
});

describe("access (section 5)", () => {
  /** For each operation with a space header, the greatest length of a space id. */
  const SPACES: Record<string, number> = {
    "GET /v1/ussd-otps": 64,
    "POST /v1/financial-accounts": 64,
    "GET /v1/payment-codes": 64,
    "GET /payment-codes/{id}": 100,
    "PATCH /payment-codes/{id}": 100,
    "GET /payouts/{id}": 100,
    "PATCH /payouts/{id}": 100,
    "POST /webhooks": 100,
    "PATCH /webhooks/{id}": 100,
    "GET /webhooks": 100,
  };

  test("each operation has the space header that section 4 shows", () => {
    const found = Object.fromEntries(
      spec.operations.flatMap(({ key, space }) => (space ? [[key, space.schema.maxLength]] : [])),
    );
    expect(found).toEqual(SPACES);
    for (const { space } of spec.operations) {
      if (space) expect(space).toMatchObject({ name: "Service-Space-Id", required: true, in: "header" });
      if (space) expect(space.schema.pattern).toBe("^spc-.*$");
    }
  });

  test("creating operations, and only they, have an idempotency key", () => {
    const found = spec.operations.filter((candidate) => candidate.idempotencyKey);
    expect(found.map(({ key }) => key).sort()).toEqual(["POST /v1/financial-accounts", "POST /webhooks"]);
    for (const { idempotencyKey } of found)
      expect(idempotencyKey).toMatchObject({
        name: "Idempotency-Key",
        required: true,
        schema: { maxLength: 64 },
      });
  });
});

describe("lists (sections 2.2, 4 and 8)", () => {
  /** For each list: its cursors (kind and greatest length), if it has a total, and its filters. */
  const LISTS: Record<
    string,
    { after?: [string, number]; before?: [string, number]; total: boolean; filters: string[] }
  > = {
    "GET /v1/ussd-otps": { after: ["token", 2000], total: false, filters: [] },
    "GET /v1/payment-codes": {
      after: ["token", 2000],
      total: false,
      filters: ["ussd_code", "mode", "status"],
    },
    "GET /banks": { total: true, filters: ["country"] },
    "GET /momos": { total: true, filters: ["country"] },
    "GET /countries": { total: true, filters: [] },
    "GET /webhooks": { after: ["item", 100], before: ["item", 100], total: true, filters: [] },
  };

  test("each list has the paging and filters that section 4 shows", () => {
    const cursor = (parameter: { cursor?: string; schema: { maxLength?: number } } | undefined) =>
      parameter ? [parameter.cursor, parameter.schema.maxLength] : undefined;
    const found = Object.fromEntries(
      spec.operations.flatMap(({ key, list }) =>
        list
          ? [
              [
                key,
                {
                  after: cursor(list.after),
                  before: cursor(list.before),
                  total: list.total,
                  filters: list.filters.map(({ name }) => name),
                },
              ],
            ]
          : [],
      ),
    );
    expect(found).toEqual(LISTS);
  });

  test("a page size is from 1 to 50, and 10 by default", () => {
    for (const { key, list } of spec.operations) {
      if (!list) continue;
      expect(list.limit !== undefined, key).toBe(list.after !== undefined);
      if (list.limit)
        expect(list.limit.schema, key).toMatchObject({
          type: "integer",
          minimum: 1,
          maximum: 50,
          default: 10,
        });
    }
  });
});

describe("request bodies (sections 4 and 8)", () => {
  /** For each body, its required fields, and the schema keywords of each field. */
  const BODIES: Record<string, { required: string[]; fields: Record<string, Record<string, unknown>> }> = {
    "POST /v1/financial-accounts": {
      required: ["name", "currency"],
      fields: {
        name: { type: "string", maxLength: 100 },
        currency: { type: "string", format: "currency-code" },
        reference: { type: ["string", "null"], maxLength: 64, "x-unique": { scope: "space" } },
        description: { type: ["string", "null"], maxLength: 150 },
        metadata: { type: "object" },
      },
    },
    "PATCH /payment-codes/{id}": {
      required: [],
      fields: {
        name: { type: ["string", "null"], maxLength: 100 },
        isActive: { type: ["boolean", "null"], default: true },
        status: { type: ["string", "null"], enum: ["cancelled", null] },
        expireTime: { type: "string", format: "date-time" },
        allowedProviders: { type: ["array", "null"], minItems: 1, maxItems: 10 },
        metadata: { type: "object" },
      },
    },
    "PATCH /payouts/{id}": { required: [], fields: { metadata: { type: ["object", "null"] } } },
    "POST /webhooks": {
      required: ["name", "url", "events"],
      fields: {
        name: { type: "string", minLength: 1, maxLength: 100 },
        url: { type: "string" },
        events: { type: ["array", "null"], minItems: 1, maxItems: 100 },
        isActive: { type: "boolean", default: false },
        apiVersion: { type: "string" },
        alertEmails: { type: ["array", "null"], maxItems: 3 },
        verificationMethod: { type: "object" },
        customHeaders: { type: "object" },
        metadata: { type: "object" },
      },
    },
    "PATCH /webhooks/{id}": {
      required: ["url"],
      fields: {
        url: { type: "string" },
        name: { type: ["string", "null"], minLength: 1, maxLength: 100 },
        isActive: { type: ["boolean", "null"] },
        apiVersion: { type: ["string", "null"] },
        events: { type: ["array", "null"], minItems: 1, maxItems: 100 },
        alertEmails: { type: ["array", "null"], maxItems: 3 },
        verificationMethod: { type: "object" },
        customHeaders: { type: "object" },
        metadata: { type: "object" },
      },
    },
  };
  const RULES = [
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "enum",
    "default",
    "pattern",
  ];

  test("the bodies match those of section 4", () => {
    const bodies = spec.operations.filter(({ body }) => body !== undefined).map(({ key }) => key);
    expect(bodies.sort()).toEqual(Object.keys(BODIES).sort());
  });

  test.each(Object.entries(BODIES))("%s", (key, { required, fields }) => {
    const body = spec.schemas.flatten(operation(key).body ?? {});
    expect(body.required ?? []).toEqual(required);
    expect(
      Object.keys(body.properties ?? {}),
      "BODIES in this file must list the fields of spec/openapi.yaml in their order",
    ).toEqual(Object.keys(fields));
    for (const [name, rules] of Object.entries(fields)) {
      const schema: Record<string, unknown> = { ...spec.schemas.flatten(body.properties?.[name] ?? {}) };
      expect(schema, name).toMatchObject(rules);
      for (const rule of RULES) expect(schema[rule] !== undefined, `${name} ${rule}`).toBe(rule in rules);
    }
  });
});

test("the two readings of section 9 are known", () => {
  expect(spec.pathReadings).toEqual({ "as-shown": { prefix: "" }, v1: { prefix: "/v1" } });
});

test("the two shapes of a payment code are compared under the names of section 2", () => {
  const { sameRecord } = operation("GET /payment-codes/{id}");
  if (!sameRecord || sameRecord.fields === "all") throw new Error("no names");
  const names = Object.entries(sameRecord.fields).map(([own, { field, compare }]) => [own, field, compare]);
  expect(names.sort()).toEqual(
    [
      ["id", "id", "equal"],
      ["name", "name", "equal"],
      ["status", "status", "equal"],
      ["ussdCode", "ussdCode", "equal"],
      ["amount", "amount", "equal"],
      ["financialAccountId", "financialAccountId", "equal"],
      ["createTime", "createTime", "equal"],
      ["expireTime", "expireTime", "equal"],
      ["isActive", "enable", "equal"],
      ["allowedProviders", "authorizedProviders", "equal"],
      ["financialTarget/expectedPaymentCount", "recurrentPaymentTarget/expectedPaymentCount", "equal"],
      ["financialTarget/expectedPaymentSum", "recurrentPaymentTarget/expectedPaymentTotal", "equal"],
      ["mode", "mode", "any-casing"],
      ["metadata", "metadata", "equal"],
      ["customerTarget/name", "customer/name", "masked"],
      ["customerTarget/payingPhoneNumber", "authorizedPhoneNumber", "masked"],
    ].sort(),
  );
});

test("reference data is read by id and by code, and all its fields are compared", () => {
  for (const key of ["GET /banks/{idOrCode}", "GET /momos/{idOrCode}", "GET /countries/{idOrCode}"])
    expect(operation(key).sameRecord, key).toMatchObject({ by: ["id", "code"], fields: "all" });
});

describe("the catalogue", () => {
  /** The numbers that group requirements (`row`), as ranges. Each must have a requirement. */
  const ROWS = [
    [1, 5],
    [10, 18],
    [20, 26],
    [30, 40],
    [45, 48],
    [50, 53],
    [60, 71],
    [80, 85],
    [90, 93],
    [95, 99],
  ] as const;
  const rows = ROWS.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n));

  test.each(rows)("row %i has a requirement", (row) => {
    expect([...spec.requirements.values()].some((requirement) => requirement.row === row)).toBe(true);
  });

  test("states whole sentences, each once", () => {
    const statements = [...spec.requirements.values()].map(({ statement }) => statement);
    for (const statement of statements) expect(statement).toMatch(/^[A-Za-z0-9].*\.$/);
    expect(new Set(statements).size).toBe(statements.length);
  });

  test("never says MUST about a point that the specification does not show", () => {
    for (const { id, level, row } of spec.requirements.values())
      if (row === 99) expect(level, id).toBe("NOTE");
  });
});
