import { expect, test } from "vitest";
import { operations } from "../../reference/operations.ts";
import { start } from "./client.ts";

const client = await start();
const { fixtures } = client.service;

const values: Record<string, string> = {
  "/payment-codes/{id}": fixtures.mutablePaymentCode ?? "",
  "/payouts/{id}": fixtures.mutablePayout ?? "",
  "/v1/provider-kyc/{providerId}": fixtures.providerId ?? "",
  "/v1/receipts/{orderNumber}": fixtures.orderNumber ?? "",
  "/v1/receipts/{orderNumber}/redeem": fixtures.orderNumber ?? "",
  "/countries/{idOrCode}": "CM",
};

async function pathOf(path: string): Promise<string> {
  if (path === "/banks" || path === "/momos") return `${path}?country=CM`;
  if (path === "/webhooks/{id}") return `/webhooks/${(await client.send("GET /webhooks")).items[0]?.id}`;
  const list = path.replace("/{idOrCode}", "?country=CM");
  const value = values[path] ?? (path.includes("{") ? (await client.send(`GET ${list}`)).items[0]?.id : "");
  return path.replace(/\{.*\}/, String(value));
}

const bodies: Record<string, { [key: string]: string | null }> = {
  "POST /v1/financial-accounts": { name: "Till", currency: "XAF" },
  "POST /webhooks": { name: "Till", url: "https://example.com/hook", events: null },
  "PATCH /webhooks/{id}": { url: "https://example.com/hook" },
};

for (const { name, body } of operations) {
  test(`${name} answers 200 with the envelope, under each version and none`, async () => {
    const [method, path = ""] = name.split(" ");
    for (const version of ["caph.2025-08-23", "caph.2025-06-20", null]) {
      const answer = await client.send(`${method} ${await pathOf(path)}`, {
        headers: { "Service-Version": version },
        ...(body ? { body: bodies[name] ?? {} } : {}),
      });
      expect(answer.text).toContain('"success":true');
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.json).toMatchObject({ success: true, messages: [] });
    }
  });
}
