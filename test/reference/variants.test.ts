import { expect, test } from "vitest";
import { variants } from "../../reference/index.ts";
import { start } from "./client.ts";

const webhook = { name: "Hook", url: "https://example.com/a", events: null };

for (const { name } of variants) {
  test(`${name} still serves the common calls`, async () => {
    const client = await start({ variant: name });
    for (const path of ["/v1/payment-codes", "/webhooks", "/banks?country=CM", "/countries/CM"]) {
      const answer = await client.send(`GET ${path}`);
      expect([answer.status, answer.json]).toMatchObject([200, { success: true, messages: [] }]);
      expect(answer.headers.get("content-type")).toMatch(/^application\/(.*\+)?json/);
    }
    const created = await client.send("POST /webhooks", { body: webhook });
    expect(created.status).toBe(200);
    const updated = await client.send(`PATCH /webhooks/${created.result.id}`, { body: { url: webhook.url } });
    expect(updated.status).toBe(200);
    expect((await client.send("POST /webhooks", { body: {} })).status).toBeGreaterThanOrEqual(400);
    expect((await client.send("GET /payouts/nobody")).status).toBeGreaterThanOrEqual(400);
  });
}
