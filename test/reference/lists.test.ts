import { expect, test } from "vitest";
import { ACCESS } from "../../reference/start.ts";
import { type Client, start } from "./client.ts";

const client = await start();
const PAGED = ["/v1/payment-codes", "/v1/ussd-otps", "/webhooks", "/v1/financial-accounts"];

async function traverse(from: Client, path: string, limit: number): Promise<unknown[]> {
  const ids: unknown[] = [];
  const joint = path.includes("?") ? "&" : "?";
  let after = "";
  for (;;) {
    const { items, pagination } = await from.send(`GET ${path}${joint}limit=${limit}${after}`);
    expect(pagination.count).toBe(items.length);
    if (pagination.next !== null) expect(items.length).toBe(limit);
    ids.push(...items.map(({ id }) => id));
    if (typeof pagination.next !== "string") return ids;
    expect(pagination.next.length).toBeLessThanOrEqual(path === "/webhooks" ? 100 : 2000);
    after = `&after=${encodeURIComponent(pagination.next)}`;
  }
}

for (const path of PAGED) {
  test(`${path}: every page size yields the same items once, in the same order`, async () => {
    const whole = await traverse(client, path, 50);
    expect(new Set(whole).size).toBe(whole.length);
    for (const limit of [1, 7, 10]) expect(await traverse(client, path, limit)).toEqual(whole);
  });

  test(`${path}: limit is an integer from 1 to 50, by default 10`, async () => {
    for (const limit of ["0", "51", "-1", "1.5", "ten", "1e1", "05", "%2B5", " ", "99999999999999999999"])
      expect([limit, (await client.send(`GET ${path}?limit=${limit}`)).status]).toEqual([limit, 400]);
    for (let limit = 1; limit <= 50; limit += 1)
      expect((await client.send(`GET ${path}?limit=${limit}`)).items.length).toBeLessThanOrEqual(limit);
    const withoutLimit = await client.send(`GET ${path}`);
    expect(withoutLimit.json).toEqual((await client.send(`GET ${path}?limit=10`)).json);
  });

  test(`${path}: cursors of other lists, spaces and filters, and made-up ones, are refused`, async () => {
    const next = String((await client.send(`GET ${path}?limit=1`)).pagination.next);
    const there = { "Service-Space-Id": ACCESS.secondSpace };
    const ask = async (cursor: string, extra = {}) =>
      (await client.send(`GET ${path}?after=${encodeURIComponent(cursor)}`, extra)).status;
    expect(await ask(next)).toBe(200);
    expect(await ask(next, { headers: there })).toBe(400);
    for (const other of PAGED.filter((one) => one !== path)) {
      const foreign = String((await client.send(`GET ${other}?limit=1`)).pagination.next);
      expect(await ask(foreign)).toBe(400);
    }
    for (const cursor of ["x", "0", "null", `${next}x`, next.slice(0, -1), next.toUpperCase(), "😀", "."])
      expect([cursor, await ask(cursor)]).toEqual([cursor, 400]);
    expect(await ask("c".repeat(path === "/webhooks" ? 101 : 2001))).toBe(400);
    const repeated = await client.send(`GET ${path}?after=${encodeURIComponent(next)}`);
    const again = await client.send(`GET ${path}?after=${encodeURIComponent(next)}`);
    expect(again.json).toEqual(repeated.json);
  });
}

test("a cursor belongs to its filters", async () => {
  const next = String((await client.send("GET /v1/payment-codes?limit=1&mode=recurrent")).pagination.next);
  const ask = async (query: string) =>
    (await client.send(`GET /v1/payment-codes?after=${encodeURIComponent(next)}${query}`)).status;
  expect(await ask("&mode=recurrent")).toBe(200);
  expect(await ask("&mode=one_time")).toBe(400);
  expect(await ask("")).toBe(400);
});

test("a cursor still leads on when its item has left the filtered list", async () => {
  const own = await start();
  const list = "GET /v1/payment-codes?status=pending&limit=2";
  const first = await own.send(list);
  const all = await traverse(own, "/v1/payment-codes?status=pending", 50);
  const cancelled = first.items[1]?.id;
  await own.send(`PATCH /payment-codes/${cancelled}`, { body: { status: "cancelled" } });
  const second = await own.send(`${list}&after=${encodeURIComponent(String(first.pagination.next))}`);
  expect(second.items.map(({ id }) => id)).toEqual(all.slice(2, 4));
});

test("filters give just the matching items, alone and together", async () => {
  const everything: { [key: string]: unknown }[] = [];
  for (let after = ""; ; ) {
    const { items, pagination } = await client.send(`GET /v1/payment-codes?limit=50${after}`);
    everything.push(...items);
    if (typeof pagination.next !== "string") break;
    after = `&after=${encodeURIComponent(pagination.next)}`;
  }
  expect(everything.length).toBe(130);
  for (const mode of [undefined, "one_time", "recurrent"])
    for (const status of [undefined, "pending", "processing", "expired", "cancelled", "completed"])
      for (const code of [undefined, "*126*4400#"]) {
        const wanted = everything.filter(
          (item) =>
            (!mode || item.mode === mode) &&
            (!status || item.status === status) &&
            (!code || item.ussdCode === code),
        );
        const parameters = Object.entries({ mode, status, ussd_code: code }).filter(([, value]) => value);
        const query = parameters
          .map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`)
          .join("&");
        const path = query ? `/v1/payment-codes?${query}` : "/v1/payment-codes";
        expect(await traverse(client, path, 9)).toEqual(wanted.map(({ id }) => id));
        if (mode && status && !code) expect(wanted.length).toBeGreaterThan(5);
      }
  for (const query of ["mode=oneTime", "mode=x", "status=open", "status=Pending"])
    expect((await client.send(`GET /v1/payment-codes?${query}`)).status).toBe(400);
  expect((await client.send("GET /v1/payment-codes?ussd_code=nobody")).items).toEqual([]);
});

test("webhooks: after, before and their precedence", async () => {
  const all = (await client.send("GET /webhooks?limit=50")).items.map(({ id }) => id);
  const page = async (query: string) =>
    (await client.send(`GET /webhooks?${query}`)).items.map(({ id }) => id);
  expect(await page(`after=${all[2]}&limit=3`)).toEqual(all.slice(3, 6));
  expect(await page(`before=${all[5]}&limit=3`)).toEqual(all.slice(2, 5));
  expect(await page(`before=${all[0]}`)).toEqual([]);
  expect(await page(`after=${all[2]}&before=${all[1]}&limit=2`)).toEqual(all.slice(3, 5));
  expect((await client.send("GET /webhooks?before=nobody")).status).toBe(400);
  expect((await client.send(`GET /webhooks?before=${"b".repeat(101)}`)).status).toBe(400);
  const { pagination } = await client.send("GET /webhooks?limit=3");
  expect(pagination).toEqual({ count: 3, total: all.length, next: all[2] });
});

test("banks and momos: country is required and is an assigned code", async () => {
  for (const path of ["/banks", "/momos"]) {
    const { items, pagination } = await client.send(`GET ${path}?country=CM`);
    expect(items.length).toBeGreaterThan(2);
    expect(new Set(items.map(({ country }) => country))).toEqual(new Set(["CM"]));
    expect(pagination).toEqual({ count: items.length, total: items.length, next: null });
    expect((await client.send(`GET ${path}?country=AQ`)).pagination).toEqual({
      count: 0,
      total: 0,
      next: null,
    });
    for (const query of [
      "",
      "?country=",
      "?country=C",
      "?country=CMR",
      "?country=ZZ",
      "?country=cm",
      "?country=CM&country=NG",
    ])
      expect([query, (await client.send(`GET ${path}${query}`)).status]).toEqual([query, 400]);
  }
});

test("an empty list is a success at every operation", async () => {
  const size = {
    paymentCodes: 0,
    ussdOtps: 0,
    webhooks: 0,
    payouts: 0,
    financialAccounts: 0,
    referenceData: false,
  };
  const empty = await start({ size });
  for (const path of ["/v1/payment-codes", "/v1/ussd-otps", "/webhooks", "/banks?country=CM", "/countries"]) {
    const answer = await empty.send(`GET ${path}`);
    expect([answer.status, answer.items.length, answer.pagination.count]).toEqual([200, 0, 0]);
  }
});

test("a list of thousands is read to its end", async () => {
  const big = await start({ size: { paymentCodes: 3000 } });
  const ids = await traverse(big, "/v1/payment-codes", 50);
  expect(new Set(ids).size).toBe(3000);
});
