import currencies from "currency-codes";
import { expect, test } from "vitest";
import { isCountry, isCurrency, isDateTime, isWebUrl } from "../../reference/iso.ts";
import type { Json, JsonObject } from "../../reference/json.ts";
import { isObject } from "../../reference/json.ts";
import { type Client, start } from "./client.ts";

const client = await start();

async function everything(from: Client, path: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (let after = ""; ; ) {
    const { items, pagination } = await from.send(`GET ${path}?limit=50${after}`);
    found.push(...items);
    if (typeof pagination.next !== "string") return found;
    after = `&after=${encodeURIComponent(pagination.next)}`;
  }
}

const codes = await everything(client, "/v1/payment-codes");
const otps = await everything(client, "/v1/ussd-otps");
const countries = (await client.send("GET /countries")).items;

function has(item: JsonObject, fields: readonly string[]): void {
  for (const field of fields) expect([field, item[field] ?? null]).not.toEqual([field, null]);
}

test("payment codes are of every status in every mode, some with the rarer fields", () => {
  const pairs = new Set(codes.map(({ mode, status }) => `${mode} ${status}`));
  expect(pairs.size).toBe(10);
  const always = [
    "id",
    "mode",
    "status",
    "name",
    "amount",
    "enable",
    "expireTime",
    "ussdCode",
    "financialAccountId",
    "createTime",
    "updateTime",
  ];
  for (const code of codes) has(code, always);
  for (const field of [
    "processedPaymentData",
    "ownershipGraph",
    "recurrentPaymentTarget",
    "authorizedPhoneNumber",
  ])
    expect(codes.filter((code) => code[field] !== undefined).length).toBeGreaterThan(5);
  const depth = (link: Json | undefined): number => (isObject(link) ? 1 + depth(link.owner) : 0);
  expect(
    Math.max(
      ...codes.map(({ ownershipGraph }) =>
        depth(isObject(ownershipGraph) ? ownershipGraph.owner : undefined),
      ),
    ),
  ).toBe(3);
  expect(codes.filter(({ ussdCode }) => ussdCode === "*126*4400#").length).toBeGreaterThan(5);
});

test("both shapes of a payment code agree", async () => {
  for (const listed of codes.slice(0, 40)) {
    const { result } = await client.send(`GET /payment-codes/${listed.id}`);
    for (const field of [
      "id",
      "name",
      "status",
      "ussdCode",
      "amount",
      "financialAccountId",
      "createTime",
      "expireTime",
    ])
      expect(result[field]).toEqual(listed[field]);
    expect(result.mode).toBe(listed.mode === "one_time" ? "oneTime" : "recurrent");
    expect(result.isActive).toBe(listed.enable);
    expect(result.allowedProviders).toEqual(listed.authorizedProviders);
    const target = isObject(listed.recurrentPaymentTarget) ? listed.recurrentPaymentTarget : undefined;
    const expected = target && {
      expectedPaymentCount: target.expectedPaymentCount,
      expectedPaymentSum: target.expectedPaymentTotal,
    };
    expect(result.financialTarget).toEqual(expected);
  }
});

test("sessions are of every status, with and without message and metadata", () => {
  expect(new Set(otps.map(({ status }) => status))).toEqual(new Set(["pending", "verified", "expired"]));
  expect(new Set(otps.map(({ verificationMessage }) => verificationMessage === null)).size).toBe(2);
  expect(Math.max(...otps.map(({ verificationMessage }) => String(verificationMessage).length))).toBe(255);
  expect(new Set(otps.map(({ metadata }) => JSON.stringify(metadata).slice(0, 4))).size).toBe(3);
  for (const { createTime, expireTime } of otps)
    expect(Date.parse(String(expireTime))).toBeGreaterThan(Date.parse(String(createTime)));
});

test("countries have currencies of 0, 2 and 3 digits, as ISO 4217 says", () => {
  expect(countries.length).toBeGreaterThanOrEqual(12);
  const lengths = countries.map(({ code, currency }) => {
    const { code: currencyCode, unitLength } = isObject(currency) ? currency : {};
    expect(isCountry(String(code))).toBe(true);
    expect(unitLength).toBe(currencies.code(String(currencyCode))?.digits);
    return unitLength;
  });
  expect(new Set(lengths)).toEqual(new Set([0, 2, 3]));
});

test("provider codes are unique, and every provider is read by id and by code", async () => {
  const seen: unknown[] = [];
  for (const kind of ["banks", "momos"])
    for (const { code: country } of countries) {
      for (const item of (await client.send(`GET /${kind}?country=${country}`)).items) {
        seen.push(item.code);
        for (const key of [item.id, item.code])
          expect((await client.send(`GET /${kind}/${key}`)).result).toEqual(item);
      }
    }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(40);
  for (const country of countries)
    for (const key of [country.id, country.code])
      expect((await client.send(`GET /countries/${key}`)).result).toEqual(country);
});

test("every date-time and currency in the data is valid", () => {
  const check = (value: Json, key: string): void => {
    if (Array.isArray(value)) for (const element of value) check(element, key);
    else if (isObject(value)) for (const [name, inner] of Object.entries(value)) check(inner, name);
    else if (key.endsWith("Time")) expect(isDateTime(String(value))).toBe(true);
    else if (key === "currency") expect(isCurrency(String(value))).toBe(true);
  };
  check([...codes, ...otps], "");
});

test("the same seed gives the same data, another seed other data", async () => {
  const same = await everything(await start(), "/v1/payment-codes");
  expect(same).toEqual(codes);
  expect(await everything(await start({ seed: 2 }), "/v1/payment-codes")).not.toEqual(codes);
});

test("the reference judges date-times and URLs as their standards do", () => {
  for (const good of ["2024-02-29T00:00:00Z", "2016-12-31t23:59:60z", "2025-01-01T10:00:00.123456789-12:30"])
    expect([good, isDateTime(good)]).toEqual([good, true]);
  for (const bad of [
    "2023-02-29T00:00:00Z",
    "2025-1-01T00:00:00Z",
    "2025-13-01T00:00:00Z",
    "2025-01-01T00:00:00+24:00",
    "2025-01-01 00:00:00Z",
    "2025-01-01T00:00Z",
    "2025-00-10T00:00:00Z",
  ])
    expect([bad, isDateTime(bad)]).toEqual([bad, false]);
  for (const good of ["http://localhost:1/x?y=z#w", "https://user@host.example/", "HTTPS://EXAMPLE.COM"])
    expect([good, isWebUrl(good)]).toEqual([good, true]);
  for (const bad of [
    "",
    "x",
    "http:///",
    "mailto:a@b.c",
    "https://exa mple.com",
    " https://a.b",
    "http://[1",
  ])
    expect([bad, isWebUrl(bad)]).toEqual([bad, false]);
});
