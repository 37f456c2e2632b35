import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameInAnyCasing } from "../../history/values/casing.ts";
import {
  changes,
  describeDifferences,
  echoDifferences,
  sameFieldValue,
} from "../../history/values/differences.ts";
import { isInstantBefore, plainText } from "../../spec/formats.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { operation, spec } from "../spec/package-spec.ts";

describe("instants", () => {
  test.each([
    ["2025-08-23T10:00:00Z", "2025-08-23T10:00:00.000Z"],
    ["2025-08-23T10:00:00Z", "2025-08-23T12:00:00+02:00"],
    ["2025-08-23t10:00:00z", "2025-08-23T05:30:00-04:30"],
    ["2025-08-23T10:00:00.1Z", "2025-08-23T10:00:00.100000000Z"],
    ["2025-12-31T23:30:00Z", "2026-01-01T00:30:00+01:00"],
  ])("%s is %s", (a, b) => {
    expect(plainText(a)).toBe(plainText(b));
    expect(isInstantBefore(a, b) || isInstantBefore(b, a)).toBe(false);
  });

  test.each([
    ["2025-08-23T10:00:00Z", "2025-08-23T10:00:01Z"],
    ["2025-08-23T10:00:00Z", "2025-08-23T10:00:00.000000001Z"],
    ["2025-08-23T10:00:00.09Z", "2025-08-23T10:00:00.1Z"],
    ["2025-08-23T10:00:00+02:00", "2025-08-23T10:00:00Z"],
    ["2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z"],
  ])("%s is before %s", (a, b) => {
    expect(isInstantBefore(a, b)).toBe(true);
    expect(isInstantBefore(b, a)).toBe(false);
    expect(plainText(a)).not.toBe(plainText(b));
  });

  test("are ordered as Date orders them", () => {
    const time = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(time, time, (a, b) => {
        expect(isInstantBefore(a.toISOString(), b.toISOString())).toBe(a < b);
      }),
    );
  });
});

describe("an answer shows what was sent", () => {
  const create = operation("POST /webhooks");
  const update = operation("PATCH /payment-codes/{id}");
  const faults = (sent: JsonObject, shown: JsonObject, by = create) =>
    echoDifferences(sent, shown, {
      schemas: spec.schemas,
      sentSchema: by.body ?? {},
      shownSchema: by.resource ?? {},
      resolveReference: (value) => value.toLowerCase(),
    }).map(({ pointer, expected, actual }) => `${pointer}: ${expected} | ${actual}`);

  test("in lists of objects, with fields in any order, and with fields that the service adds", () => {
    const parcel: Schema = {
      type: "object",
      properties: { parts: { type: "array", items: { type: "object", properties: {} } } },
    };
    const shows = (sent: unknown[], shown: unknown[], exact = false) =>
      echoDifferences(
        { parts: sent },
        { parts: shown },
        { schemas: spec.schemas, sentSchema: parcel, shownSchema: parcel, resolveReference: String, exact },
      ).length === 0;
    const [one, other] = [
      { code: "a", count: 1 },
      { code: "b", count: 2 },
    ];
    expect(
      shows(
        [one, other],
        [
          { count: 1, code: "a" },
          { line: 2, count: 2, code: "b" },
        ],
      ),
    ).toBe(true);
    expect(shows([one, other], [other, one])).toBe(true);
    expect(shows([one, other], [other, one], true)).toBe(false);
    expect(shows([one, other], [one, one])).toBe(false);
    expect(shows([one], [{ code: "a", count: 3 }])).toBe(false);
    expect(shows([one], [one, other])).toBe(false);
  });

  const shows = (schema: Schema, sent: unknown, shown: unknown, shownSchema = schema) =>
    echoDifferences(
      { part: sent },
      { part: shown },
      {
        schemas: spec.schemas,
        sentSchema: { properties: { part: schema } },
        shownSchema: { properties: { part: shownSchema } },
        resolveReference: String,
      },
    ).length === 0;
  const [second, inMilliseconds, later] = ["T10:00:00Z", "T10:00:00.000Z", "T10:00:01Z"].map(
    (time) => `2026-01-01${time}`,
  );

  test("with another spelling of times in lists, maps and alternatives", () => {
    const time: Schema = { type: "string", format: "date-time" };
    const nullable: Schema = { anyOf: [time, { type: "null" }] };
    const list: Schema = { type: "array", items: nullable };
    const map: Schema = { type: "object", additionalProperties: time };
    const alternatives: Schema = {
      oneOf: [
        { type: "object", required: ["at"], properties: { at: time } },
        { type: "object", required: ["after"], properties: { after: { type: "string" } } },
      ],
    };
    expect(shows(nullable, second, inMilliseconds)).toBe(true);
    expect(shows(nullable, second, later)).toBe(false);
    expect(shows(list, [second, later], [later, inMilliseconds])).toBe(true);
    expect(shows(list, [second], [later])).toBe(false);
    expect(shows(map, { a: second }, { a: inMilliseconds })).toBe(true);
    expect(shows(map, { a: second }, { a: later })).toBe(false);
    expect(shows(alternatives, { at: second }, { at: inMilliseconds })).toBe(true);
    expect(shows(alternatives, { at: second }, { at: later })).toBe(false);
    expect(shows(alternatives, { after: second }, { after: inMilliseconds })).toBe(false);
  });

  test("without parts that only the request documents", () => {
    const text: Schema = { type: "string" };
    const sent: Schema = { type: "object", properties: { name: text, pin: text } };
    const shown: Schema = { type: "object", properties: { name: text } };
    expect(shows(sent, { name: "a", pin: "1" }, { name: "a" }, shown)).toBe(true);
    expect(shows(sent, { name: "a", pin: "1" }, { name: "b" }, shown)).toBe(false);
    expect(shows(sent, { name: "a", pin: "1" }, { name: "a" })).toBe(false);
    expect(shows(sent, { name: "a", pin: "1" }, { name: "a" }, { type: "object" })).toBe(false);
    const [lists, shownLists] = [sent, shown].map((items): Schema => ({ type: "array", items }));
    expect(shows(lists ?? {}, [{ name: "a", pin: "1" }], [{ name: "a" }], shownLists)).toBe(true);
  });

  test("without a secret in an alternative", () => {
    const secret: Schema = { type: "string", "x-secret": true };
    const alternatives: Schema = { anyOf: [{ type: "object", properties: { secret } }, { type: "null" }] };
    expect(shows(alternatives, { secret: "s" }, {})).toBe(true);
    expect(shows(alternatives, { secret: "s" }, { secret: "***" })).toBe(true);
  });

  test("character for character", () => {
    expect(faults({ name: "e\u0301 💸" }, { name: "e\u0301 💸" })).toEqual([]);
    expect(faults({ name: "e\u0301" }, { name: "\u00e9" })).toHaveLength(1);
    expect(faults({ name: " x" }, { name: "x" })).toEqual(['/name: " x" | "x"']);
    expect(faults({ name: "x" }, {})).toEqual(['/name: "x" | absent']);
    expect(faults({ name: "x" }, { name: null })).toEqual(['/name: "x" | null']);
    expect(faults({ isActive: false }, { isActive: 0 })).toHaveLength(1);
  });

  test("an empty text as none, but not within attributes", () => {
    expect(faults({ name: "" }, { name: "" })).toEqual([]);
    expect(faults({ name: "" }, { name: null })).toEqual([]);
    expect(faults({ name: "" }, {})).toEqual([]);
    expect(faults({ name: "" }, { name: " " })).toHaveLength(1);
    expect(faults({ name: "" }, { name: false })).toHaveLength(1);
    expect(faults({ metadata: { a: "" } }, { metadata: { a: null } })).toHaveLength(1);
    expect(faults({ metadata: { a: "" } }, { metadata: {} })).toHaveLength(1);
  });

  test("in lists of any order, if they are complete", () => {
    expect(faults({ events: ["a", "b"] }, { events: ["b", "a"] })).toEqual([]);
    expect(faults({ events: ["a", "a", "b"] }, { events: ["a", "b", "b"] })).toHaveLength(1);
    expect(faults({ events: ["a", "b", "a"] }, { events: ["b", "a"] })).toEqual([]);
    expect(faults({ events: ["a", "b", "a", "b"] }, { events: ["a", "b", "a"] })).toHaveLength(1);
    expect(faults({ events: ["a"] }, { events: ["a", "b"] })).toHaveLength(1);
    expect(faults({ events: ["a"] }, { events: "a" })).toHaveLength(1);
  });

  test("references by any of their names", () => {
    expect(faults({ allowedProviders: ["A", "B"] }, { allowedProviders: ["b", "a"] }, update)).toEqual([]);
    expect(faults({ events: ["A"] }, { events: ["a"] })).toHaveLength(1);
  });

  test("date-times as instants", () => {
    const sent = { expireTime: "2031-01-01T12:00:00Z" };
    expect(faults(sent, { expireTime: "2031-01-01T13:00:00.0+01:00" }, update)).toEqual([]);
    expect(faults(sent, { expireTime: "2031-01-01T13:00:00Z" }, update)).toHaveLength(1);
    expect(faults(sent, { expireTime: "soon" }, update)).toHaveLength(1);
  });

  test("secrets masked, left out, or as they are", () => {
    const sent = { verificationMethod: { hmac256: { secret: "s3cret" } } };
    for (const shown of [
      { verificationMethod: { hmac256: { secret: "****" } } },
      { verificationMethod: { hmac256: {} } },
      { verificationMethod: {} },
      {},
      sent,
    ])
      expect(faults(sent, shown)).toEqual([]);
    expect(faults(sent, { verificationMethod: "hmac256" })).toHaveLength(1);
  });

  test("with all sent metadata keys, and others", () => {
    expect(faults({ metadata: { a: "1" } }, { metadata: { a: "1", b: "2" } })).toEqual([]);
    expect(faults({ metadata: { a: "1", b: "2" } }, { metadata: { a: "1" } })).toEqual([
      '/metadata/b: "2" | absent',
    ]);
    expect(faults({ metadata: { a: "1" } }, { metadata: { a: 1 } })).toHaveLength(1);
    expect(faults({ metadata: { a: { b: [1] } } }, { metadata: { a: { b: [1] } } })).toEqual([]);
    expect(faults({ metadata: { a: "1" } }, {})).toHaveLength(1);
    expect(faults({ metadata: {} }, {})).toHaveLength(0);
    expect(faults({ metadata: { constructor: "x" } }, { metadata: {} })).toHaveLength(1);
  });

  test("with null as null or left out, and with any value if the answer may not hold null", () => {
    const account = operation("POST /v1/financial-accounts");
    expect(faults({ reference: null }, { reference: null }, account)).toEqual([]);
    expect(faults({ reference: null }, {}, account)).toEqual([]);
    expect(faults({ reference: null }, { reference: "" }, account)).toHaveLength(1);
    for (const events of [null, [], ["all"], undefined])
      expect(faults({ events: null }, { events })).toEqual([]);
    expect(sameFieldValue([{ a: 1, b: 2 }], [{ b: 2, a: 1 }])).toBe(true);
  });

  test("without fields that the resource does not document", () => {
    expect(faults({ unheardOf: 1 }, {})).toEqual([]);
  });
});

test("times of day and UUIDs are equal however they are spelled", () => {
  const uuid = "0a1b2c3d-0000-4000-8000-00000000abcd";
  const equal: [format: string, one: string, other: string][] = [
    ["time", "10:00:00Z", "10:00:00.000z"],
    ["time", "10:00:00Z", "10:00:00+00:00"],
    ["time", "23:30:00.5-01:00", "00:30:00.50Z"],
    ["uuid", uuid, uuid.toUpperCase()],
  ];
  const context = { schemas: spec.schemas, resolveReference: (value: string) => value };
  const echoes = (schema: Schema, sent: unknown, shown: unknown) =>
    echoDifferences(sent, shown, { ...context, sentSchema: schema, shownSchema: schema }).length === 0;
  for (const [format, one, other] of equal) {
    const schema: Schema = { type: "string", format };
    expect(sameFieldValue(one, other), other).toBe(true);
    expect(sameFieldValue([one, "a"], ["a", other]), other).toBe(true);
    expect(echoes(schema, one, other), other).toBe(true);
    expect(echoes({ type: "array", items: schema }, [one], [other]), other).toBe(true);
    expect(echoes({ type: "string" }, one, other), other).toBe(false);
  }
  for (const [one, other] of [
    ["10:00:00Z", "10:00:01Z"],
    ["10:00:00Z", "10:00:00+01:00"],
    ["10:00:00", "10:00:00.0"],
    [uuid, uuid.replace("a", "b")],
    ["ABC", "abc"],
  ])
    expect(sameFieldValue(one, other), other).toBe(false);
});

test("fields of two reads have equal values", () => {
  expect(sameFieldValue("2025-08-23T10:00:00Z", "2025-08-23T10:00:00.0Z")).toBe(true);
  expect(sameFieldValue({ at: "2025-08-23T10:00:00Z", n: 1 }, { n: 1, at: "2025-08-23t10:00:00z" })).toBe(
    true,
  );
  expect(sameFieldValue([], undefined)).toBe(true);
  expect(sameFieldValue(undefined, [])).toBe(true);
  expect(sameFieldValue(["a"], undefined)).toBe(false);
  expect(sameFieldValue(["a", "b"], ["b", "a"])).toBe(true);
  expect(sameFieldValue({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(sameFieldValue("a", "b")).toBe(false);
  expect(sameFieldValue(1, "1")).toBe(false);
});

test("names match in any casing, with or without underscores", () => {
  expect(isSameInAnyCasing("one_time", "oneTime")).toBe(true);
  expect(isSameInAnyCasing("ONE-TIME", "one_time")).toBe(true);
  expect(isSameInAnyCasing("one_time", "recurrent")).toBe(false);
  expect(isSameInAnyCasing(1, "1")).toBe(false);
  expect(isSameInAnyCasing(undefined, undefined)).toBe(false);
});

test("changes are described field by field", () => {
  const found = changes({ a: 1, b: { c: 1 } }, { a: 1, b: { c: 2 }, e: "new" });
  expect(found.map(({ pointer }) => pointer)).toEqual(["/b", "/e"]);
  expect(describeDifferences(found)).toEqual({
    expected: 'b object {"c":1}; e absent',
    actual: 'b object {"c":2}; e "new"',
  });
});

test("names of headers match in any casing, those of other fields do not", () => {
  const before = { sent: { "X-Run": "a" }, free: { Key: "a" } };
  const after = { sent: { "x-run": "a" }, free: { key: "a" } };
  const pointers = (headers: string[]) =>
    changes(before, after, new Set(headers)).map(({ pointer }) => pointer);
  expect(pointers(["sent"])).toEqual(["/free"]);
  expect(pointers([])).toEqual(["/sent", "/free"]);
  expect(changes(before, { ...before, sent: { "x-run": "A" } }, new Set(["sent"]))).toHaveLength(1);
});
