import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { variants } from "../../reference/index.ts";
import { commitShare } from "../commit-seed.ts";
import { type Asker, readAll, startAs } from "./variant-client.ts";

const webhook = { name: "Hook", url: "https://example.com/a?b=c", events: null };

function isJsonType(type: string | undefined): boolean {
  return /^application\/([^;]*\+)?json *(;|$)/i.test(type ?? "");
}

async function mustSucceed(asker: Asker, operation: string) {
  const answer = await asker.ask(operation);
  expect([operation, answer.status]).toEqual([operation, 200]);
  expect(isJsonType(answer.headers["content-type"])).toBe(true);
  expect(JSON.parse(answer.text)).toMatchObject({ success: true, messages: expect.any(Array) });
  return answer;
}

/** Each commit tests half of the variants. */
const chosen = commitShare(variants, 3);

describe.each(chosen)("$name", ({ name }) => {
  test("serves the common calls", async () => {
    const asker = await startAs(name);
    const { fixtures } = asker.service;
    for (const path of [
      "/v1/payment-codes",
      "/v1/ussd-otps",
      "/webhooks",
      `/banks?country=${fixtures.country ?? "CM"}`,
    ]) {
      const { items, pagination } = await mustSucceed(asker, `GET ${path}`);
      expect(pagination.count).toBe(items.length);
      if (!path.startsWith("/banks")) expect(items.length).toBeLessThanOrEqual(10);
    }
    for (const [path, id] of [
      ["/payment-codes", fixtures.paymentCode],
      ["/payouts", fixtures.payout],
    ])
      if (id !== undefined)
        expect((await mustSucceed(asker, `GET ${path}/${encodeURIComponent(id)}`)).result.id).toBe(id);
    const created = await asker.ask("POST /webhooks", { body: webhook });
    expect(created).toMatchObject({ status: 200, result: { name: "Hook", isActive: false } });
    const path = `/webhooks/${encodeURIComponent(String(created.result.id))}`;
    const change = () => asker.ask(`PATCH ${path}`, { body: { url: webhook.url, name: "Changed" } });
    let updated = await change();
    // Some variants reject an update that comes too soon after another write.
    for (let n = 0; n < 40 && [409, 423].includes(updated.status); n++) {
      await wait(50);
      updated = await change();
    }
    expect(updated).toMatchObject({ status: 200, result: { id: created.result.id, name: "Changed" } });
    const account = { name: "Till", currency: fixtures.currency?.split(",")[0] ?? "XAF", reference: "r-1" };
    expect((await asker.ask("POST /v1/financial-accounts", { body: account })).status).toBe(200);
    for (const refused of [
      asker.ask("POST /v1/financial-accounts", { body: account }),
      asker.ask("POST /webhooks", { body: {} }),
      asker.ask("GET /payouts/nobody"),
      asker.ask("GET /webhooks", { headers: { Authorization: "Bearer nobody" } }),
      asker.ask("GET /webhooks", { headers: { "Service-Space-Id": null } }),
    ]) {
      const { status } = await refused;
      expect([status >= 400, status < 500]).toEqual([true, true]);
    }
  });

  test("lists payment codes without gaps or repeats", async () => {
    const asker = await startAs(name, name.startsWith("very-many") ? { size: { paymentCodes: 300 } } : {});
    const ids = (await readAll(asker, "/v1/payment-codes?status=pending")).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of [asker.service.fixtures.paymentCode].filter((value) => value !== undefined))
      expect(ids).toContain(id);
  });
});

test("every variant has a reason", () => {
  expect(variants.length).toBeGreaterThan(100);
  for (const { name, description, why } of variants) {
    expect([name, /\.$/.test(description), /\.$/.test(why)]).toEqual([name, true, true]);
    expect([name, /section|row|ruling|as each of its parts|reading/i.test(why)]).toEqual([name, true]);
  }
});

test("variants differ only at requirements that are a SHOULD", () => {
  const catalogue = parse(readFileSync("spec/requirements.yaml", "utf8")) as {
    requirements: { id: string; level: string }[];
  };
  for (const { name, warns = [] } of variants)
    for (const id of warns) {
      const entry = catalogue.requirements.find((requirement) => requirement.id === id);
      expect([name, id, entry?.level]).toEqual([name, id, "SHOULD"]);
    }
});
