import { expect, test } from "vitest";
import { startReference } from "../../reference/index.ts";
import { operations } from "../../reference/operations.ts";
import { start } from "./client.ts";

const client = await start();
const { token, secondToken, space, secondSpace, fixtures } = client.service;

/** The path of a request that can be rejected only because of its headers, or because its id is unknown. */
function requestFor(name: string): string {
  return name.replace(/\{.*?\}/, fixtures.orderNumber ?? "x").replace(/(banks|momos)$/, "$1?country=CM");
}

const bad: Record<string, string | null> = {
  none: null,
  unknown: "Bearer nobody",
  empty: "Bearer ",
  basic: `Basic ${Buffer.from(`user:${token}`).toString("base64")}`,
  bare: token,
  "other casing": `Bearer ${token.toUpperCase()}`,
  "cut short": `Bearer ${token.slice(0, -1)}`,
  appended: `Bearer ${token}x`,
};

for (const { name, body } of operations) {
  test(`${name} refuses every bad Authorization with 401 and WWW-Authenticate`, async () => {
    for (const [kind, Authorization] of Object.entries(bad)) {
      const answer = await client.send(requestFor(name), {
        headers: { Authorization },
        ...(body ? { body: {} } : {}),
      });
      expect([kind, answer.status]).toEqual([kind, 401]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    }
  });

  test(`${name} refuses another Service-Version`, async () => {
    for (const version of ["caph.2024-08-01", "2024-08-01", "caph.2025-08-23x", "CAPH.2025-08-23"]) {
      const answer = await client.send(requestFor(name), {
        headers: { "Service-Version": version },
        ...(body ? { body: {} } : {}),
      });
      expect(answer.status).toBe(400);
    }
  });
}

test("the scheme's casing does not matter", async () => {
  for (const scheme of ["bearer", "BEARER", "BeArEr"])
    expect(
      (await client.send("GET /countries", { headers: { Authorization: `${scheme} ${token}` } })).status,
    ).toBe(200);
});

for (const { name, spaceMax, body } of operations.filter((operation) => operation.spaceMax !== null)) {
  test(`${name} refuses a missing, empty, ill-formed, over-long or unknown space`, async () => {
    const long = (length: number) => `spc-${"a".repeat(length - 4)}`;
    const expected: [string | null, number][] = [
      [null, 400],
      ["", 400],
      ["harbour", 400],
      [` ${space}x`.replace("spc-", "SPC-"), 400],
      [long((spaceMax ?? 0) + 1), 400],
      [long(spaceMax ?? 0), 403],
      ["spc-", 403],
    ];
    for (const [sent, status] of expected) {
      const answer = await client.send(requestFor(name), {
        headers: { "Service-Space-Id": sent },
        ...(body ? { body: {} } : {}),
      });
      expect([sent, answer.status]).toEqual([sent, status]);
    }
  });
}

test("reference data needs no space", async () => {
  for (const path of ["/banks?country=CM", "/momos?country=CM", "/countries", "/countries/CM"])
    expect((await client.send(`GET ${path}`, { headers: { "Service-Space-Id": null } })).status).toBe(200);
});

test("a token acts on its own spaces only", async () => {
  const other = { Authorization: `Bearer ${secondToken}` };
  expect((await client.send("GET /webhooks", { headers: other })).status).toBe(403);
  const own = { ...other, "Service-Space-Id": secondSpace };
  expect((await client.send("GET /webhooks", { headers: own })).status).toBe(200);
});

test("nothing of one space is shown or changed from the other", async () => {
  const there = { "Service-Space-Id": secondSpace };
  const webhook = (await client.send("GET /webhooks")).items[0];
  const reads = [`/payment-codes/${fixtures.paymentCode}`, `/payouts/${fixtures.payout}`];
  for (const path of reads) expect((await client.send(`GET ${path}`, { headers: there })).status).toBe(404);
  const writes: [string, { [key: string]: string | object }][] = [
    [`/payment-codes/${fixtures.paymentCode}`, { name: "taken" }],
    [`/payouts/${fixtures.payout}`, { metadata: { taken: "yes" } }],
    [`/webhooks/${webhook?.id}`, { url: "https://example.com/taken" }],
  ];
  for (const [path, body] of writes) {
    const answer = await client.send(`PATCH ${path}`, { headers: there, body: JSON.stringify(body) });
    expect(answer.status).toBe(404);
  }
  expect((await client.send("GET /webhooks")).items[0]).toEqual(webhook);
  for (const path of ["/webhooks", "/v1/payment-codes", "/v1/ussd-otps", "/v1/financial-accounts"]) {
    const here = (await client.send(`GET ${path}?limit=50`)).items.map(({ id }) => id);
    const other = (await client.send(`GET ${path}?limit=50`, { headers: there })).items.map(({ id }) => id);
    expect(other.length).toBeGreaterThan(0);
    expect(here.filter((id) => other.includes(id))).toEqual([]);
  }
});

test("paths: as shown, under /v1, or both, also behind a base path", async () => {
  const statuses = async (paths: "as-shown" | "v1" | "both") => {
    const service = await startReference({ paths, basePath: "/pay" });
    const headers = { Authorization: `Bearer ${token}`, "Service-Space-Id": space };
    const ask = async (path: string) => (await fetch(`${service.baseUrl}${path}`, { headers })).status;
    const found = [await ask("/countries"), await ask("/v1/countries"), await ask("/v1/ussd-otps")];
    const outside = (await fetch(`${new URL(service.baseUrl).origin}/countries`, { headers })).status;
    await service.close();
    return [...found, outside];
  };
  expect(await statuses("as-shown")).toEqual([200, 404, 200, 404]);
  expect(await statuses("v1")).toEqual([404, 200, 200, 404]);
  expect(await statuses("both")).toEqual([200, 200, 200, 404]);
});
