import { describe, expect, test } from "vitest";
import { decimalsOf, isCountryCode, isCurrencyCode, isDateTime } from "../../spec/formats.ts";
import {
  appendPointer,
  isObject,
  type JsonObject,
  pointerTokens,
  sameJson,
  valueAt,
} from "../../spec/json.ts";
import { describeValue } from "../../spec/schema.ts";
import { component, spec } from "./package-spec.ts";
import { samples } from "./samples.ts";

const { schemas } = spec;

describe("date-times are those of RFC 3339", () => {
  test.each([
    "2025-08-23T10:15:30Z",
    "2025-08-23t10:15:30z",
    "2025-08-23T10:15:30.1Z",
    "2025-08-23T10:15:30.123456789Z",
    "2025-08-23T10:15:30.123456789012345+00:00",
    "2025-08-23T10:15:30-00:00",
    "2025-08-23T10:15:30+14:00",
    "2025-08-23T10:15:30-23:59",
    "2016-12-31T23:59:60Z",
    "2016-12-31T23:59:60.5Z",
    "2017-01-01T00:59:60+01:00",
    "2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z",
  ])("%s is a date-time", (text) => {
    expect(isDateTime(text)).toBe(true);
    const faults = schemas.validate(component("UssdOtp"), { ...samples.UssdOtp, createTime: text });
    expect(faults.filter(({ keyword }) => keyword !== "relations")).toEqual([]);
  });

  test.each([
    "2025-08-23 10:15:30Z",
    "2025-08-23T10:15:30",
    "2025-08-23T10:15Z",
    "2025-08-23",
    "10:15:30Z",
    "2025-8-23T10:15:30Z",
    "2025-02-29T10:15:30Z",
    "2025-13-01T10:15:30Z",
    "2025-08-23T24:00:00Z",
    "2025-08-23T10:60:30Z",
    "2025-08-23T10:15:61Z",
    "2025-08-23T10:15:60Z",
    "2025-08-23T10:15:30.Z",
    "2025-08-23T10:15:30,5Z",
    "2025-08-23T10:15:30+0100",
    "2025-08-23T10:15:30+24:00",
    "2025-08-23T10:15:30+01",
    " 2025-08-23T10:15:30Z",
    "2025-08-23T10:15:30Z\n",
    "20250823T101530Z",
    "Sat, 23 Aug 2025 10:15:30 GMT",
    "1755944130",
    "",
  ])("%j is not a date-time", (text) => {
    expect(isDateTime(text)).toBe(false);
    const faults = schemas.validate(component("UssdOtp"), { ...samples.UssdOtp, createTime: text });
    expect(faults).toMatchObject([{ pointer: "/createTime", keyword: "format", requirement: "OTP-FIELDS" }]);
  });
});

test("integers are judged by value, in any spelling", () => {
  const money = (text: string) => JSON.parse(`{"currency":"GHS","value":${text}}`) as unknown;
  for (const text of ["0", "-5", "12.0", "1e1", "1.5e1", "-0", "9007199254740993"])
    expect(schemas.validate(component("Money"), money(text)), text).toEqual([]);
  for (const text of ["12.5", "1e-1", '"12"', "null", "true", "[1]"])
    expect(schemas.validate(component("Money"), money(text)), text).toMatchObject([
      { pointer: "/value", keyword: text === "null" ? "null" : "type", requirement: "MONEY-FIELDS" },
    ]);
});

test("currency codes are those of ISO 4217", () => {
  for (const code of ["GHS", "USD", "EUR", "XAF", "XOF", "JPY", "BHD", "CLF"])
    expect(isCurrencyCode(code), code).toBe(true);
  for (const code of ["ghs", "GH", "GHSS", "ZZZ", "", "936", "constructor"])
    expect(isCurrencyCode(code), code).toBe(false);
  expect([decimalsOf("GHS"), decimalsOf("JPY"), decimalsOf("BHD"), decimalsOf("ZZZ")]).toEqual([
    2,
    0,
    3,
    undefined,
  ]);
});

test("country codes are the assigned ones of ISO 3166-1 alpha-2", () => {
  for (const code of ["GH", "NG", "KE", "GB", "AQ", "SS"]) expect(isCountryCode(code), code).toBe(true);
  for (const code of ["gh", "GHA", "ZZ", "AA", "UK", "", "G"]) expect(isCountryCode(code), code).toBe(false);
});

describe("lengths", () => {
  const otp = (change: JsonObject) =>
    schemas.validate(component("UssdOtp"), { ...samples.UssdOtp, ...change });
  const length = (text: string) => otp({ verificationMessage: text }).map((fault) => fault.requirement);

  test("a text is too long only if every way of counting says so", () => {
    expect(length("x".repeat(255))).toEqual([]);
    expect(length("x".repeat(256))).toEqual(["OTP-MESSAGE-LENGTH"]);
    expect(length("💸".repeat(255))).toEqual([]);
    expect(length("💸".repeat(256))).toEqual(["OTP-MESSAGE-LENGTH"]);
    // This emoji is one character for a reader, but seven code points and eleven UTF-16 units.
    expect(length("👩‍👩‍👧‍👧".repeat(255))).toEqual([]);
    expect(length("👩‍👩‍👧‍👧".repeat(256))).toEqual(["OTP-MESSAGE-LENGTH"]);
    expect(length("e\u0301".repeat(255))).toEqual([]);
    expect(length("e\u0301".repeat(256))).toEqual(["OTP-MESSAGE-LENGTH"]);
  });

  test("metadata of a session: 64 properties of 100 characters are its limits", () => {
    const metadata = (count: number, size: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, "v".repeat(size)]));
    expect(otp({ metadata: metadata(64, 100) })).toEqual([]);
    expect(otp({ metadata: {} })).toEqual([]);
    expect(otp({ metadata: null })).toEqual([]);
    expect(otp({ metadata: metadata(65, 1) })).toMatchObject([
      { pointer: "/metadata", requirement: "OTP-METADATA-COUNT" },
    ]);
    expect(otp({ metadata: { ...metadata(2, 1), key1: "v".repeat(101) } })).toMatchObject([
      { pointer: "/metadata/key1", requirement: "OTP-METADATA-VALUES" },
    ]);
  });
});

describe("the chain of owners", () => {
  const chain = (depth: number, last: unknown): JsonObject => {
    let owner = last;
    for (let n = depth; n > 0; n--) owner = { id: `o${n}`, type: "unit", metadata: { n }, owner };
    return { ...samples.PaymentCodeListItem, ownershipGraph: { owner } };
  };
  const faults = (value: JsonObject) => schemas.validate(component("PaymentCodeListItem"), value);

  test("may be fifty links long, and end in null or in nothing", () => {
    expect(faults(chain(50, null))).toEqual([]);
    expect(faults(chain(50, { id: "last", type: "unit" }))).toEqual([]);
    expect(faults({ ...samples.PaymentCodeListItem, ownershipGraph: {} })).toEqual([]);
    expect(faults({ ...samples.PaymentCodeListItem, ownershipGraph: { owner: null } })).toEqual([]);
  });

  test("is judged to its end", () => {
    expect(faults(chain(50, { id: "last" }))).toMatchObject([
      {
        pointer: `/ownershipGraph${"/owner".repeat(51)}/type`,
        keyword: "required",
        requirement: "OWNERSHIP-CHAIN",
      },
    ]);
    expect(faults(chain(50, "the bank"))).toMatchObject([
      { pointer: `/ownershipGraph${"/owner".repeat(51)}`, keyword: "type", requirement: "OWNERSHIP-CHAIN" },
    ]);
  });
});

test("every fault of a value is reported, with its place", () => {
  const faults = schemas.validate(component("Country"), {
    ...samples.Country,
    name: 5,
    currency: { code: "cedi", unit: "pesewa" },
    supportedCurrencies: ["GHS", "euro"],
  });
  expect(
    faults.map(({ pointer, keyword, requirement, expected, actual }) => [
      pointer,
      keyword,
      requirement,
      expected,
      actual,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["/name", "type", "COUNTRY-FIELDS", "a string", "5"],
      ["/currency/code", "format", "COUNTRY-FIELDS", "an ISO 4217 currency code", '"cedi"'],
      ["/currency/unitLength", "required", "COUNTRY-PRESENT", "the field unitLength", "absent"],
      ["/supportedCurrencies/1", "format", "COUNTRY-CURRENCIES", "an ISO 4217 currency code", '"euro"'],
    ]),
  );
  expect(faults).toHaveLength(5);
});

describe("plain JSON", () => {
  test("pointers work for every name", () => {
    for (const name of ["a", "a/b", "a~b", "~1", "~0/", "", "0", "é"]) {
      const pointer = appendPointer("/x", name);
      expect(pointerTokens(pointer)).toEqual(["x", name]);
      expect(valueAt({ x: { [name]: 5 } }, pointer)).toBe(5);
    }
    expect(valueAt({}, "/constructor")).toBeUndefined();
    expect(valueAt({ a: [1, 2] }, "/a/1")).toBe(2);
  });

  test("values are equal in any order of keys, and only then", () => {
    expect(sameJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
    expect(sameJson({ a: undefined }, {})).toBe(false);
    expect(sameJson(null, {})).toBe(false);
    expect(sameJson([], {})).toBe(false);
    expect(sameJson(0, -0)).toBe(true);
    expect([isObject([]), isObject(null), isObject({})]).toEqual([false, false, true]);
  });

  test("a value in a message is cut, with its length", () => {
    expect(describeValue(undefined)).toBe("absent");
    expect(describeValue({ a: 1 })).toBe('object {"a":1}');
    expect(describeValue("x".repeat(200), 20)).toMatch(/^"x{19}… \(202 characters\)$/);
  });
});
