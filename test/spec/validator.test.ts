import { describe, expect, test } from "vitest";
import type { Schema } from "../../spec/model/spec.ts";
import { component, spec } from "./package-spec.ts";
import { samples } from "./samples.ts";

/** The faults of a value as `keyword pointer`. */
function faults(schema: Schema, value: unknown, now?: number): string[] {
  return spec.schemas.validate(schema, value, now).map(({ keyword, pointer }) => `${keyword} ${pointer}`);
}

const card: Schema = {
  type: "object",
  required: ["kind", "number"],
  properties: { kind: { const: "card" }, number: { type: "string", pattern: "^[0-9]{4}$" } },
};
const cash: Schema = { type: "object", required: ["kind"], properties: { kind: { const: "cash" } } };
const payment: Schema = { type: "object", properties: { by: { oneOf: [card, cash] } } };

describe("a value for one branch has the faults of that branch", () => {
  test.each<[by: unknown, faults: string[]]>([
    [{ kind: "card", number: "1234" }, []],
    [{ kind: "cash" }, []],
    [{ kind: "card" }, ["required /by/number"]],
    [{ kind: "card", number: "12" }, ["pattern /by/number"]],
    [{ kind: "cheque" }, ["oneOf /by"]],
    [{}, ["oneOf /by"]],
    [7, ["oneOf /by"]],
  ])("%j", (by, expected) => {
    expect(faults(payment, { by })).toEqual(expected);
  });

  test("branches without a tag are distinguished by their documented fields", () => {
    const account: Schema = { required: ["iban"], properties: { iban: { type: "string", maxLength: 9 } } };
    const phone: Schema = { required: ["msisdn"], properties: { msisdn: { type: "string" } } };
    const to: Schema = { oneOf: [account, phone] };
    expect(faults(to, { iban: "1234567890" })).toEqual(["maxLength /iban"]);
    expect(faults(to, { msisdn: 7 })).toEqual(["type /msisdn"]);
    expect(faults(to, {})).toEqual(["oneOf "]);
  });

  test("a value that fits two branches fits neither", () => {
    expect(faults({ oneOf: [{ type: "string" }, { minLength: 2 }] }, "text")).toEqual(["oneOf "]);
    expect(faults({ anyOf: [{ type: "string" }, { minLength: 2 }] }, "text")).toEqual([]);
  });

  test("null may be one of the branches", () => {
    const address: Schema = { anyOf: [{ type: "string", format: "email" }, { type: "null" }] };
    expect(faults(address, null)).toEqual([]);
    expect(faults(address, "nobody")).toEqual(["format "]);
    expect(faults(address, 7)).toEqual(["anyOf "]);
  });
});

describe("places and keywords", () => {
  test.each<[schema: Schema, value: unknown, faults: string[]]>([
    [{ type: "string", enum: ["a"] }, 7, ["type "]],
    [{ type: "string", enum: ["a"] }, null, ["null "]],
    [{ allOf: [{ type: "object" }, { type: ["object", "null"] }] }, "text", ["type "]],
    [{ required: ["a/b"] }, {}, ["required /a~1b"]],
    [
      { properties: {}, additionalProperties: false },
      { a: 1, b: 2 },
      ["additionalProperties /a", "additionalProperties /b"],
    ],
    [{ properties: { a: { not: {} } } }, { a: 1 }, ["not /a"]],
    [{ propertyNames: { pattern: "^x-", maxLength: 4 } }, { "x-1": 1, other: 2 }, ["propertyNames /other"]],
    [
      { additionalProperties: { type: "string", maxLength: 2 } },
      { a: "abc", b: 1 },
      ["maxLength /a", "type /b"],
    ],
    [{ items: { items: { minimum: 3 } } }, [[3], [4, 2]], ["minimum /1/1"]],
    [{ uniqueItems: true }, [1, 2, 1], ["uniqueItems "]],
    [{ items: { minimum: 0 }, contains: { const: 7 } }, [1, 2], ["contains "]],
    [{ contains: { required: ["a"] }, minContains: 2 }, [{ a: 1 }, {}], ["contains "]],
    [{ multipleOf: 0.05 }, 0.3, []],
    [{ multipleOf: 0.05 }, 0.31, ["multipleOf "]],
    [{ multipleOf: 0.01 }, 1000004.44, []],
    [{ multipleOf: 0.01 }, 10000000.37, []],
    [{ multipleOf: 0.01 }, 10000000.375, ["multipleOf "]],
    [{ multipleOf: 0.1 }, 0.1 + 0.2, []],
    [{ multipleOf: 3 }, 10, ["multipleOf "]],
    [{ dependentRequired: { a: ["b"] } } as Schema, { a: 1 }, ["dependentRequired /b"]],
  ])("%j of %j: %j", (schema, value, expected) => {
    expect(faults(schema, value)).toEqual(expected);
  });
});

test("a text is too long only if every way of counting says so", () => {
  expect(faults({ maxLength: 2 }, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦")).toEqual([]);
  expect(faults({ maxLength: 2 }, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦a")).toEqual(["maxLength "]);
});

test("an answer may show the null that was sent, if the specification allows it", () => {
  expect(faults(component("Webhook"), { ...samples.Webhook, events: null })).toEqual([]);
  expect(faults(component("Webhook"), { ...samples.Webhook, name: null })).toEqual(["null /name"]);
});

test("a session expires after the given time", () => {
  const session = { ...samples.UssdOtp, status: "expired", expireTime: "2031-01-01T00:00:00Z" };
  expect(faults(component("UssdOtp"), session, Date.parse("2030-12-31T00:00:00Z"))).toEqual([
    "relations /expireTime",
  ]);
  expect(faults(component("UssdOtp"), session, Date.parse("2031-01-02T00:00:00Z"))).toEqual([]);
});

test("a field with a fault of its own is not compared with other fields", () => {
  const account = { ...samples.FinancialAccount, currency: "ghs" };
  expect(faults(component("FinancialAccount"), account)).toEqual(["format /currency"]);
});

test("a fault of multipleOf names the step", () => {
  const [fault] = spec.schemas.validate({ multipleOf: 0.05 }, 0.31);
  expect(fault).toMatchObject({ expected: "a multiple of 0.05", actual: "0.31" });
});

describe("a mail address is what RFC 5321 allows", () => {
  const address: Schema = { type: "string", format: "email" };

  test.each(["ops@localhost", '"on call"@acme.cm', "ops@[192.0.2.1]", "o***@acme.cm"])("%s", (text) => {
    expect(faults(address, text)).toEqual([]);
  });

  test.each(["not an address", "ops@", "@acme.cm", "a..b@acme.cm", "a@b@acme.cm", "ops@acme..cm"])(
    "not %s",
    (text) => {
      expect(faults(address, text)).toEqual(["format "]);
    },
  );
});
